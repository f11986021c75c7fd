import type uPlot from 'uplot';
import type { Range } from './range.ts';

const MIDDLE = 1;
/** A click may move the pointer by a few pixels. */
const MIN_PAN_PX = 4;

export interface Panning {
  onStart(): void;
  /** The new range; null when the pointer did not move. */
  onDone(range: Range | null): void;
}

/** With the mouse a plain drag zooms, so panning takes Shift or the middle button. */
function isMove({ pointerType, isPrimary, shiftKey, button }: PointerEvent): boolean {
  return (
    (pointerType === 'touch' && isPrimary) ||
    (pointerType === 'mouse' && (shiftKey || button === MIDDLE))
  );
}

/** Pans the time axis. The chart redraws once per frame; `onDone` is called at the end. */
export function bindPan(plot: uPlot, { onStart, onDone }: Panning): void {
  const { over } = plot;
  over.addEventListener('pointerdown', (event) => {
    if (!isMove(event)) return;
    const { min = 0, max = 0 } = plot.scales.x ?? {};
    const from = event.clientX;
    let frame = 0;
    let seconds = 0;
    over.setPointerCapture(event.pointerId);
    const draw = () => {
      frame = 0;
      plot.setScale('x', { min: min - seconds, max: max - seconds });
    };
    const onMove = ({ clientX }: PointerEvent) => {
      seconds = ((clientX - from) / over.clientWidth) * (max - min);
      frame ||= requestAnimationFrame(draw);
    };
    const onEnd = ({ type, clientX }: PointerEvent) => {
      over.removeEventListener('pointermove', onMove);
      over.removeEventListener('pointerup', onEnd);
      over.removeEventListener('pointercancel', onEnd);
      cancelAnimationFrame(frame);
      // The browser cancels the pointer when it scrolls the page.
      const isStill = type === 'pointercancel' || Math.abs(clientX - from) < MIN_PAN_PX;
      if (isStill) seconds = 0;
      draw();
      const startMs = Math.round((min - seconds) * 1000);
      const endMs = Math.round((max - seconds) * 1000);
      onDone(isStill ? null : { startMs, endMs });
    };
    over.addEventListener('pointermove', onMove);
    over.addEventListener('pointerup', onEnd);
    over.addEventListener('pointercancel', onEnd);
    onStart();
  });
  // uPlot starts its own drag-to-zoom on `mousedown`.
  over.addEventListener(
    'mousedown',
    (event) => event.shiftKey && event.stopImmediatePropagation(),
    {
      capture: true,
    },
  );
}
