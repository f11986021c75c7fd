import uPlot from 'uplot';
import { nowMs, type Signal } from '../runtime/index.ts';
import { crosshair, leaveCrosshair } from './crosshair.ts';
import type { Threshold } from './marks.ts';
import { bindPan } from './pan.ts';
import { COLUMNS_PER_LINE, optionsOf, type PlotDefinition, type PlotState } from './plot.ts';
import { axisStepMs, endingNow, type Range } from './range.ts';
import { bindDrag } from './threshold-drag.ts';

/** The user's interactions with a chart. */
export interface Handlers {
  readonly onZoom?: ((range: Range) => void) | undefined;
  readonly onZoomOut?: (() => void) | undefined;
  readonly onThreshold?: ((value: number) => void) | undefined;
  readonly onMoving?: ((isMoving: boolean) => void) | undefined;
}

/** What a chart shares with other parts of the page. */
export interface Shared {
  /** The owner of the crosshair while this chart is pointed at. */
  readonly owner: object;
  /** The index of the line that is emphasized. */
  readonly highlight: Signal<number | null>;
  /** The selected range, before it is rendered. */
  readonly selected?: Signal<Range> | undefined;
}

/** A chart that is updated in place, so that an update does not interrupt a drag. */
export interface LivePlot {
  readonly plot: uPlot;
  /** The visible range. */
  range(): Range;
  show(next: PlotState): void;
  destroy(): void;
}

/** Whether the user is panning the chart, or has panned it and the new range is not set yet. */
type Held = 'moving' | 'moved' | null;

const NOWHERE = { left: -10, top: -10 };

export function createLivePlot(
  container: HTMLElement,
  made: PlotDefinition,
  first: PlotState,
  handlers: () => Handlers,
  shared: Shared,
): LivePlot {
  let shown = first;
  let held: Held = null;
  const options = optionsOf(made, () => shown);
  const plot = new uPlot(
    {
      ...options,
      hooks: {
        ...options.hooks,
        setCursor: [(self) => reportPointer(self, shared.owner)],
        // Another range puts another time under a pointer that stays where it is.
        setScale: [(self, scale) => scale === 'x' && followCrosshair(self, shared.owner)],
        setSelect: [(self) => zoom(self, handlers().onZoom)],
      },
    },
    first.data,
    container,
  );
  const target = () => (held ? visibleRange(plot) : targetOf(shown, shared.selected?.read()));
  const follow = () => {
    const { startMs, endMs } = target();
    plot.setScale('x', { min: startMs / 1000, max: endMs / 1000 });
  };
  const onSelected = () => {
    if (held === 'moved') held = null;
    follow();
  };
  const unsubscribe = [
    shared.selected?.subscribe(onSelected) ?? (() => undefined),
    crosshair.subscribe(() => showCrosshair(plot, shared.owner)),
    shared.highlight.subscribe(() => emphasize(plot, shared.highlight.read())),
  ];
  bindGestures(plot, made, handlers, {
    threshold: () => shown.thresholds[0],
    onThreshold(line) {
      shown = { ...shown, thresholds: [line, ...shown.thresholds.slice(1)] };
      plot.redraw(false);
    },
    onHeld(next) {
      held = next;
    },
  });
  return {
    plot,
    range: () => visibleRange(plot),
    show(next) {
      const { width, height, data, range } = next;
      if (held === 'moved' && !isSameRange(range, shown.range)) held = null;
      if (width !== shown.width || height !== shown.height) plot.setSize({ width, height });
      const before = shown;
      shown = next;
      if (isDrawn(before, next) && looksAlike(visibleRange(plot), target())) return;
      plot.batch(() => {
        if (data !== before.data) plot.setData(data, false);
        showLines(plot, before.hidden, next.hidden);
        follow();
      });
    },
    destroy() {
      for (const stop of unsubscribe) stop();
      leaveCrosshair(shared.owner);
      plot.destroy();
    },
  };
}

const isSameRange = (one: Range, other: Range) =>
  one.startMs === other.startMs && one.endMs === other.endMs;

/** Whether ranges differ by less than is visible. */
function looksAlike(one: Range, other: Range): boolean {
  const stepMs = axisStepMs(one);
  return (
    Math.abs(one.startMs - other.startMs) < stepMs && Math.abs(one.endMs - other.endMs) < stepMs
  );
}

/** What is drawn, apart from the range; the size of the chart has drawn it again already. */
const DRAWN = ['data', 'thresholds', 'periods', 'limits'] as const;

/** Whether a chart already shows this state, so that a zoom is not drawn twice. */
function isDrawn(before: PlotState, next: PlotState): boolean {
  return (
    DRAWN.every((part) => before[part] === next[part]) &&
    hasSameItems(before.hidden, next.hidden) &&
    hasSameItems(before.moments, next.moments)
  );
}

function hasSameItems<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** The range to show: the selected one, also while it is not rendered yet. */
function targetOf({ range, wanted }: PlotState, selected: Range | undefined): Range {
  return selected && !isSameRange(selected, wanted) ? endingNow(selected, nowMs()) : range;
}

function visibleRange({ scales }: uPlot): Range {
  const { min, max } = scales.x ?? {};
  return { startMs: Math.round((min ?? 0) * 1000), endMs: Math.round((max ?? 0) * 1000) };
}

interface Gestures {
  readonly threshold: () => Threshold | undefined;
  readonly onThreshold: (line: Threshold) => void;
  readonly onHeld: (held: Held) => void;
}

function bindGestures(
  plot: uPlot,
  { isDraggable }: PlotDefinition,
  handlers: () => Handlers,
  { threshold, onThreshold, onHeld }: Gestures,
): void {
  plot.over.addEventListener('dblclick', () => handlers().onZoomOut?.());
  if (isDraggable) {
    bindDrag(plot, threshold, onThreshold, ({ value }) => handlers().onThreshold?.(value));
  }
  if (!handlers().onZoom) return;
  bindPan(plot, {
    onStart() {
      onHeld('moving');
      handlers().onMoving?.(true);
    },
    onDone(range) {
      onHeld(range ? 'moved' : null);
      handlers().onMoving?.(false);
      if (range) handlers().onZoom?.(range);
    },
  });
}

/** Takes the crosshair to the pointer. */
function reportPointer(plot: uPlot, owner: object): void {
  const { left = -1 } = plot.cursor;
  if (left < 0) leaveCrosshair(owner);
  else crosshair.set({ ms: timeAt(plot, left), owner, isByKeyboard: false });
}

const timeAt = (plot: uPlot, left: number) => Math.round(plot.posToVal(left, 'x') * 1000);

/** After a change of the range: a pointer keeps its place, any other crosshair its time. */
function followCrosshair(plot: uPlot, owner: object): void {
  const at = crosshair.read();
  if (at?.owner === owner && !at.isByKeyboard) reportPointer(plot, owner);
  else showCrosshair(plot, owner);
}

/** Shows the time that is pointed at elsewhere, or that keys have chosen. */
function showCrosshair(plot: uPlot, owner: object): void {
  const at = crosshair.read();
  if (at?.owner === owner && !at.isByKeyboard) return;
  const left = at ? plot.valToPos(at.ms / 1000, 'x') : -1;
  const isInside = left >= 0 && left <= plot.over.clientWidth;
  plot.setCursor(isInside ? { left, top: NOWHERE.top } : NOWHERE, false);
}

function emphasize(plot: uPlot, line: number | null): void {
  const series = line === null ? null : line * COLUMNS_PER_LINE + 1;
  plot.setSeries(series, { focus: true }, false);
}

function showLines(plot: uPlot, before: readonly boolean[], after: readonly boolean[]): void {
  for (const [line, isHidden] of after.entries()) {
    if (isHidden === before[line]) continue;
    for (let column = 1; column <= COLUMNS_PER_LINE; column += 1) {
      plot.setSeries(line * COLUMNS_PER_LINE + column, { show: !isHidden }, false);
    }
  }
}

function zoom(plot: uPlot, onZoom: ((range: Range) => void) | undefined): void {
  const { left, width } = plot.select;
  if (width < 4) return;
  const startMs = Math.round(plot.posToVal(left, 'x') * 1000);
  const endMs = Math.round(plot.posToVal(left + width, 'x') * 1000);
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  if (endMs - startMs >= 1_000) onZoom?.({ startMs, endMs });
}
