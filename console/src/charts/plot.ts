import uPlot from 'uplot';
import { lineColour, withOpacity } from './colours.ts';
import type { NumberHistory } from './histories.ts';
import {
  drawPeriods,
  drawThresholds,
  type Period,
  reachable,
  scaleOf,
  type Threshold,
} from './marks.ts';
import type { Range } from './range.ts';
import { align, isolatedIndexes } from './series.ts';

/** Fixed limits of the value axis; without them the values determine it. */
export interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** The data and marks that a chart currently shows. */
export interface PlotState {
  readonly data: uPlot.AlignedData;
  readonly range: Range;
  readonly thresholds: readonly Threshold[];
  readonly periods: readonly Period[];
  readonly bounds: Bounds;
  readonly width: number;
  readonly height: number;
}

/** The immutable part of a chart; a change needs a new chart. */
export interface PlotDefinition {
  readonly lines: readonly { readonly name: string; readonly unit: string | null }[];
  readonly isDark: boolean;
  /** Whether the first threshold can be dragged; the scale then always includes it. */
  readonly isDraggable: boolean;
}

const AXIS_PX = 58;
const RIGHT_PX = 18;

/** One scale per unit, so that equal quantities are drawn alike. */
function unitsOf(lines: PlotDefinition['lines']): string[] {
  return [...new Set(lines.map(({ unit }) => scaleOf(unit)))];
}

/** The room that a chart takes beside its time axis: the first value axis is at the left. */
export function insetsOf(lines: PlotDefinition['lines']) {
  if (lines.length === 0) return { leftPx: 0, rightPx: 0 };
  return { leftPx: AXIS_PX, rightPx: RIGHT_PX + (unitsOf(lines).length - 1) * AXIS_PX };
}

export function dataOf(histories: readonly NumberHistory[]): uPlot.AlignedData {
  const { seconds, columns } = align(histories);
  const lines = columns.flatMap(({ means, mins, maxs }) => [means, mins, maxs]);
  return [seconds, ...lines] as uPlot.AlignedData;
}

/** The options of a chart that draws the current result of `shown`. */
export function optionsOf(made: PlotDefinition, shown: () => PlotState): uPlot.Options {
  const { lines, isDark } = made;
  const { range, width, height } = shown();
  const units = unitsOf(lines);
  return {
    width,
    height,
    legend: { show: false },
    padding: [12, RIGHT_PX, 0, 0],
    cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
    scales: {
      x: { time: true, min: range.startMs / 1000, max: range.endMs / 1000 },
      ...Object.fromEntries(units.map((unit) => [unit, { range: valueRange(unit, made, shown) }])),
    },
    axes: [timeAxis(isDark), ...units.map((unit, index) => valueAxis(unit, index, isDark))],
    series: [{}, ...lines.flatMap(seriesOf)],
    bands: lines.map((_, index) => ({
      series: [index * 3 + 3, index * 3 + 2],
      fill: withOpacity(lineColour(index), 0.18),
    })),
    hooks: {
      drawClear: [(plot) => drawPeriods(plot, shown().periods)],
      draw: [(plot) => drawThresholds(plot, shown().thresholds, isDark)],
    },
  };
}

/** A scale that includes the values and the thresholds of the same unit. */
function valueRange(
  unit: string,
  { isDraggable }: PlotDefinition,
  shown: () => PlotState,
): uPlot.Range.Function {
  return (_plot, min, max) => {
    const { thresholds, bounds } = shown();
    const values = thresholds.filter((each) => scaleOf(each.unit) === unit).map((t) => t.value);
    const hasValues = min !== null && max !== null;
    const marks = isDraggable || !hasValues ? values : reachable(min, max, values);
    const low = Math.min(min ?? 0, ...marks);
    const high = Math.max(max ?? 1, ...marks);
    const [lowest, highest] = uPlot.rangeNum(low, high === low ? low + 1 : high, 0.1, true);
    const bottom = bounds.min ?? lowest ?? low;
    const top = bounds.max ?? highest ?? high;
    return bottom < top ? [bottom, top] : [lowest, highest];
  };
}

function seriesOf({ name, unit }: PlotDefinition['lines'][number], index: number): uPlot.Series[] {
  const scale = scaleOf(unit);
  const colour = lineColour(index);
  const edge = { scale, stroke: 'transparent', points: { show: false } };
  return [
    {
      scale,
      label: name,
      stroke: colour,
      width: 1.5,
      points: {
        show: false,
        size: 4,
        fill: colour,
        // A reading between two gaps has no line, so it is drawn as a point.
        filter: (plot, series) => isolatedIndexes(plot.data[series] ?? []),
      },
    },
    { ...edge, label: `${name} min` },
    { ...edge, label: `${name} max` },
  ];
}

function axisColours(isDark: boolean) {
  return isDark ? { text: '#a6adb4', grid: '#2f353b' } : { text: '#57606a', grid: '#e9ecef' };
}

function timeAxis(isDark: boolean): uPlot.Axis {
  const { text, grid } = axisColours(isDark);
  return {
    stroke: text,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1 },
    values: [
      [3600 * 24 * 28, '{YYYY}-{MM}', null, null, null, null, null, null, 1],
      [3600 * 24, '{MMM} {D}', '\n{YYYY}', null, null, null, null, null, 1],
      [60, '{HH}:{mm}', '\n{MMM} {D}', null, '\n{MMM} {D}', null, null, null, 1],
      [1, '{HH}:{mm}:{ss}', '\n{MMM} {D}', null, '\n{MMM} {D}', null, null, null, 1],
    ],
  };
}

function valueAxis(unit: string, index: number, isDark: boolean): uPlot.Axis {
  const { text, grid } = axisColours(isDark);
  return {
    scale: unit,
    side: index === 0 ? 3 : 1,
    stroke: text,
    size: AXIS_PX,
    grid: { show: index === 0, stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1 },
    values: (_plot, splits) =>
      splits.map((value, at) =>
        at === splits.length - 1 && unit ? unit : String(+value.toPrecision(10)),
      ),
  };
}
