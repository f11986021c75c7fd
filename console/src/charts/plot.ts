import uPlot from 'uplot';
import { lineColour, veil } from './colours.ts';
import type { NumberHistory } from './history.ts';
import {
  drawPeriods,
  drawThresholds,
  type Period,
  scaleOf,
  type Threshold,
  within,
} from './marks.ts';
import type { Range } from './range.ts';
import { align, loneIndexes } from './series.ts';

/** Where the values begin and end, where somebody said so; otherwise the values do. */
export interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** What a chart shows at this moment. */
export interface Shown {
  readonly data: uPlot.AlignedData;
  readonly range: Range;
  readonly thresholds: readonly Threshold[];
  readonly periods: readonly Period[];
  readonly bounds: Bounds;
  readonly width: number;
  readonly height: number;
}

/** What a chart is made for; another one needs another chart. */
export interface Made {
  readonly lines: readonly { readonly name: string; readonly unit: string | null }[];
  readonly isDark: boolean;
  /** Whether the first threshold can be dragged; room is then made for it wherever it is. */
  readonly isDraggable: boolean;
}

export function dataOf(histories: readonly NumberHistory[]): uPlot.AlignedData {
  const { seconds, columns } = align(histories);
  const lines = columns.flatMap(({ means, mins, maxs }) => [means, mins, maxs]);
  return [seconds, ...lines] as uPlot.AlignedData;
}

/** The options of a chart that draws what `shown` answers each time. */
export function optionsOf(made: Made, shown: () => Shown): uPlot.Options {
  const { lines, isDark } = made;
  const { range, width, height } = shown();
  // One scale for each unit: what is measured alike is drawn alike.
  const units = [...new Set(lines.map(({ unit }) => scaleOf(unit)))];
  return {
    width,
    height,
    legend: { show: false },
    padding: [12, 18, 0, 0],
    cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
    scales: {
      x: { time: true, min: range.startMs / 1000, max: range.endMs / 1000 },
      ...Object.fromEntries(units.map((unit) => [unit, { range: spread(unit, made, shown) }])),
    },
    axes: [timeAxis(isDark), ...units.map((unit, index) => valueAxis(unit, index, isDark))],
    series: [{}, ...lines.flatMap(seriesOf)],
    bands: lines.map((_, index) => ({
      series: [index * 3 + 3, index * 3 + 2],
      fill: veil(lineColour(index), 0.18),
    })),
    hooks: {
      drawClear: [(plot) => drawPeriods(plot, shown().periods)],
      draw: [(plot) => drawThresholds(plot, shown().thresholds, isDark)],
    },
  };
}

/** Room for the values, and for thresholds of the same unit. */
function spread(unit: string, { isDraggable }: Made, shown: () => Shown): uPlot.Range.Function {
  return (_plot, min, max) => {
    const { thresholds, bounds } = shown();
    const values = thresholds.filter((each) => scaleOf(each.unit) === unit).map((t) => t.value);
    const hasValues = min !== null && max !== null;
    const marks = isDraggable || !hasValues ? values : within(min, max, values);
    const low = Math.min(min ?? 0, ...marks);
    const high = Math.max(max ?? 1, ...marks);
    const [least, most] = uPlot.rangeNum(low, high === low ? low + 1 : high, 0.1, true);
    const bottom = bounds.min ?? least ?? low;
    const top = bounds.max ?? most ?? high;
    return bottom < top ? [bottom, top] : [least, most];
  };
}

function seriesOf({ name, unit }: Made['lines'][number], index: number): uPlot.Series[] {
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
        // A reading between two gaps has no line to be on.
        filter: (plot, series) => loneIndexes(plot.data[series] ?? []),
      },
    },
    { ...edge, label: `${name} min` },
    { ...edge, label: `${name} max` },
  ];
}

function inks(isDark: boolean) {
  return isDark ? { text: '#a6adb4', grid: '#2f353b' } : { text: '#57606a', grid: '#e9ecef' };
}

function timeAxis(isDark: boolean): uPlot.Axis {
  const { text, grid } = inks(isDark);
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
  const { text, grid } = inks(isDark);
  return {
    scale: unit,
    side: index === 0 ? 3 : 1,
    stroke: text,
    size: 58,
    grid: { show: index === 0, stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1 },
    values: (_plot, splits) =>
      splits.map((value, at) =>
        at === splits.length - 1 && unit ? unit : String(+value.toPrecision(10)),
      ),
  };
}
