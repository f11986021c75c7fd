import type uPlot from 'uplot';

const REACH_PX = 8;

interface Draggable {
  readonly scale: string;
  /** The value of the line; moved while it is dragged. */
  value: number;
}

/**
 * Lets a line be dragged. While it moves only the drawing follows; who asked is told once, when it is
 * let go, since each new value makes the chart anew.
 */
export function bindDrag(plot: uPlot, line: Draggable, onDone: (value: number) => void): void {
  const { over } = plot;
  const isNear = ({ clientY }: PointerEvent | MouseEvent) => {
    const y = clientY - over.getBoundingClientRect().top;
    return Math.abs(y - plot.valToPos(line.value, line.scale)) <= REACH_PX;
  };
  const onMove = ({ clientY }: PointerEvent) => {
    const y = clientY - over.getBoundingClientRect().top;
    line.value = Math.max(0, Number(plot.posToVal(y, line.scale).toPrecision(3)));
    plot.redraw(false);
  };
  over.addEventListener('pointermove', (event) => {
    over.style.cursor = isNear(event) ? 'ns-resize' : '';
  });
  over.addEventListener('pointerdown', (event) => {
    if (!isNear(event)) return;
    over.setPointerCapture(event.pointerId);
    over.addEventListener('pointermove', onMove);
    const onUp = () => {
      over.removeEventListener('pointermove', onMove);
      onDone(line.value);
    };
    over.addEventListener('pointerup', onUp, { once: true });
  });
  // The chart starts its own dragging, to zoom, on the mouse's event.
  over.addEventListener('mousedown', (event) => isNear(event) && event.stopImmediatePropagation(), {
    capture: true,
  });
}
