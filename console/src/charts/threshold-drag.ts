import type uPlot from 'uplot';
import { scaleOf, type Threshold } from './marks.ts';

const GRAB_DISTANCE_PX = 8;

/**
 * Drags a threshold line. During the drag only the chart redraws; `onDone` is called once at the end,
 * since each new value starts a backtest.
 */
export function bindDrag(
  plot: uPlot,
  line: () => Threshold | undefined,
  onMoved: (line: Threshold) => void,
  onDone: (line: Threshold) => void,
): void {
  const { over } = plot;
  const heightOf = ({ clientY }: PointerEvent | MouseEvent) =>
    clientY - over.getBoundingClientRect().top;
  const isNear = (event: PointerEvent | MouseEvent) => {
    const at = line();
    if (!at) return false;
    return (
      Math.abs(heightOf(event) - plot.valToPos(at.value, scaleOf(at.unit))) <= GRAB_DISTANCE_PX
    );
  };
  const onMove = (event: PointerEvent) => {
    const at = line();
    if (!at) return;
    const value = plot.posToVal(heightOf(event), scaleOf(at.unit));
    onMoved({ ...at, value: Math.max(0, Number(value.toPrecision(3))) });
  };
  // A touch on the chart moves the line and does not scroll the page.
  over.style.touchAction = 'none';
  over.addEventListener('pointermove', (event) => {
    over.style.cursor = isNear(event) ? 'ns-resize' : '';
  });
  over.addEventListener('pointerdown', (event) => {
    if (!isNear(event)) return;
    event.stopImmediatePropagation();
    over.setPointerCapture(event.pointerId);
    over.addEventListener('pointermove', onMove);
    const onEnd = () => {
      over.removeEventListener('pointermove', onMove);
      over.removeEventListener('pointerup', onEnd);
      over.removeEventListener('pointercancel', onEnd);
      const at = line();
      if (at) onDone(at);
    };
    over.addEventListener('pointerup', onEnd);
    over.addEventListener('pointercancel', onEnd);
  });
  // uPlot starts its own drag-to-zoom on `mousedown`.
  over.addEventListener('mousedown', (event) => isNear(event) && event.stopImmediatePropagation(), {
    capture: true,
  });
}
