import uPlot from 'uplot';
import { bindPan } from './pan.ts';
import { optionsOf, type PlotDefinition, type PlotState } from './plot.ts';
import type { Range } from './range.ts';
import { bindDrag } from './threshold-drag.ts';

/** The user's interactions with a chart. */
export interface Handlers {
  readonly onCursor: (ms: number | null) => void;
  readonly onZoom?: ((range: Range) => void) | undefined;
  readonly onZoomOut?: (() => void) | undefined;
  readonly onThreshold?: ((value: number) => void) | undefined;
  readonly onMoving?: ((isMoving: boolean) => void) | undefined;
}

/** A chart that is updated in place, so that an update does not interrupt a drag. */
export interface LivePlot {
  readonly plot: uPlot;
  show(next: PlotState): void;
  destroy(): void;
}

export function createLivePlot(
  container: HTMLElement,
  made: PlotDefinition,
  first: PlotState,
  handlers: () => Handlers,
): LivePlot {
  let shown = first;
  /** Whether the user is panning the chart, or has panned it and the new range is not set yet. */
  let held: 'moving' | 'moved' | null = null;
  const options = optionsOf(made, () => shown);
  const report = (self: uPlot) => handlers().onCursor(timeAtCursor(self));
  const plot = new uPlot(
    {
      ...options,
      hooks: {
        ...options.hooks,
        setCursor: [report],
        // Another range puts another time under a pointer that stays where it is.
        setScale: [(self, scale) => scale === 'x' && report(self)],
        setSelect: [(self) => zoom(self, handlers().onZoom)],
      },
    },
    first.data,
    container,
  );
  plot.over.addEventListener('dblclick', () => handlers().onZoomOut?.());
  if (made.isDraggable) {
    bindDrag(
      plot,
      () => shown.thresholds[0],
      (line) => {
        shown = { ...shown, thresholds: [line, ...shown.thresholds.slice(1)] };
        plot.redraw(false);
      },
      ({ value }) => handlers().onThreshold?.(value),
    );
  }
  if (handlers().onZoom) {
    bindPan(plot, {
      onStart() {
        held = 'moving';
        handlers().onMoving?.(true);
      },
      onDone(range) {
        held = range ? 'moved' : null;
        handlers().onMoving?.(false);
        if (range) handlers().onZoom?.(range);
      },
    });
  }
  return {
    plot,
    show(next) {
      const { width, height, data, range } = next;
      const isSameRange =
        range.startMs === shown.range.startMs && range.endMs === shown.range.endMs;
      if (held === 'moved' && !isSameRange) held = null;
      if (width !== shown.width || height !== shown.height) plot.setSize({ width, height });
      const isNewData = data !== shown.data;
      shown = next;
      plot.batch(() => {
        if (isNewData) plot.setData(data, false);
        const { min = 0, max = 0 } = plot.scales.x ?? {};
        const at = held ? { min, max } : { min: range.startMs / 1000, max: range.endMs / 1000 };
        plot.setScale('x', { min: at.min ?? 0, max: at.max ?? 0 });
      });
    },
    destroy: () => plot.destroy(),
  };
}

/** The time under the pointer; null where there is no pointer. */
function timeAtCursor(plot: uPlot): number | null {
  const { left = -1 } = plot.cursor;
  return left < 0 ? null : plot.posToVal(left, 'x') * 1000;
}

function zoom(plot: uPlot, onZoom: ((range: Range) => void) | undefined): void {
  const { left, width } = plot.select;
  if (width < 4) return;
  const startMs = Math.round(plot.posToVal(left, 'x') * 1000);
  const endMs = Math.round(plot.posToVal(left + width, 'x') * 1000);
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  if (endMs - startMs >= 1_000) onZoom?.({ startMs, endMs });
}
