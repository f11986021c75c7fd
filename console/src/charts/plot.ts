import uPlot from 'uplot';
import { lineColour, veil } from './colours.ts';
import type { NumberHistory } from './history.ts';
import type { Range } from './range.ts';
import { align } from './series.ts';
import { bindDrag } from './threshold-drag.ts';

/** A line across the chart, as the threshold of an alarm is. */
export interface Threshold {
  readonly value: number;
  readonly label: string;
  readonly unit: string | null;
}

/** A stretch in which an alarm was open. */
export interface Period {
  readonly startMs: number;
  readonly endMs: number;
  readonly colour: string;
}

/** Where the values begin and end, where somebody said so; otherwise the values do. */
export interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

export interface PlotOptions {
  readonly histories: readonly NumberHistory[];
  readonly range: Range;
  readonly thresholds: readonly Threshold[];
  readonly periods: readonly Period[];
  readonly bounds: Bounds;
  readonly width: number;
  readonly height: number;
  readonly isDark: boolean;
  readonly onZoom: (range: Range) => void;
  readonly onZoomOut: () => void;
  /** Given where the first threshold may be dragged. */
  readonly onThreshold?: ((value: number) => void) | undefined;
}

const unitOf = (unit: string | null) => unit ?? '';

/** One scale for each unit: what is measured alike is drawn alike. */
export function unitsOf(histories: readonly NumberHistory[]): string[] {
  return [...new Set(histories.map(({ variable }) => unitOf(variable.unit)))];
}

export function dataOf(histories: readonly NumberHistory[]): uPlot.AlignedData {
  const { seconds, columns } = align(histories);
  const lines = columns.flatMap(({ means, mins, maxs }) => [means, mins, maxs]);
  return [seconds, ...lines] as uPlot.AlignedData;
}

export function optionsOf(given: PlotOptions): uPlot.Options {
  const { histories, range, width, height } = given;
  const units = unitsOf(histories);
  const lines = given.thresholds.map((each) => ({ ...each, scale: unitOf(each.unit) }));
  return {
    width,
    height,
    legend: { show: false },
    padding: [12, 8, 0, 0],
    cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
    scales: {
      x: { time: true, min: range.startMs / 1000, max: range.endMs / 1000 },
      ...Object.fromEntries(units.map((unit) => [unit, { range: spread(unit, given) }])),
    },
    axes: [timeAxis(given), ...units.map((unit, index) => valueAxis(unit, index, given))],
    series: [{}, ...histories.flatMap(seriesOf)],
    bands: histories.map((_, index) => ({
      series: [index * 3 + 3, index * 3 + 2],
      fill: veil(lineColour(index), 0.18),
    })),
    hooks: {
      setSelect: [(plot) => zoom(plot, given.onZoom)],
      ready: [
        (plot) => plot.over.addEventListener('dblclick', given.onZoomOut),
        (plot) => {
          const [line] = lines;
          if (line && given.onThreshold) bindDrag(plot, line, given.onThreshold);
        },
      ],
      drawClear: [(plot) => drawPeriods(plot, given.periods)],
      draw: [(plot) => drawThresholds(plot, lines, given.isDark)],
    },
  };
}

/** Room for the values and for thresholds of the same unit. */
function spread(unit: string, { thresholds, bounds }: PlotOptions): uPlot.Range.Function {
  const marks = thresholds.filter((each) => unitOf(each.unit) === unit).map(({ value }) => value);
  return (_plot, min, max) => {
    const low = Math.min(min ?? 0, ...marks);
    const high = Math.max(max ?? 1, ...marks);
    const [least, most] = uPlot.rangeNum(low, high === low ? low + 1 : high, 0.1, true);
    const bottom = bounds.min ?? least ?? low;
    const top = bounds.max ?? most ?? high;
    return bottom < top ? [bottom, top] : [least, most];
  };
}

function seriesOf({ variable }: NumberHistory, index: number): uPlot.Series[] {
  const scale = unitOf(variable.unit);
  const edge = { scale, stroke: 'transparent', points: { show: false } };
  return [
    { scale, label: variable.name, stroke: lineColour(index), width: 1.5, points: { show: false } },
    { ...edge, label: `${variable.name} min` },
    { ...edge, label: `${variable.name} max` },
  ];
}

function inks(isDark: boolean) {
  return isDark ? { text: '#a6adb4', grid: '#2f353b' } : { text: '#57606a', grid: '#e9ecef' };
}

function timeAxis({ isDark }: PlotOptions): uPlot.Axis {
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

function valueAxis(unit: string, index: number, { isDark }: PlotOptions): uPlot.Axis {
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

function zoom(plot: uPlot, onZoom: (range: Range) => void): void {
  const { left, width } = plot.select;
  if (width < 4) return;
  const startMs = Math.round(plot.posToVal(left, 'x') * 1000);
  const endMs = Math.round(plot.posToVal(left + width, 'x') * 1000);
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  if (endMs - startMs >= 1_000) onZoom({ startMs, endMs });
}

function drawPeriods(plot: uPlot, periods: readonly Period[]): void {
  const { ctx, bbox } = plot;
  for (const { startMs, endMs, colour } of periods) {
    const left = Math.max(bbox.left, plot.valToPos(startMs / 1000, 'x', true));
    const right = Math.min(bbox.left + bbox.width, plot.valToPos(endMs / 1000, 'x', true));
    if (right <= left) continue;
    ctx.fillStyle = colour;
    ctx.fillRect(left, bbox.top, Math.max(2, right - left), bbox.height);
  }
}

function drawThresholds(plot: uPlot, thresholds: readonly Threshold[], isDark: boolean): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.setLineDash([6, 4]);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'bottom';
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.strokeStyle = ctx.fillStyle = isDark ? '#ff8787' : '#c92a2a';
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  for (const { value, label, unit } of thresholds) {
    if (!plot.scales[unitOf(unit)]) continue;
    const y = plot.valToPos(value, unitOf(unit), true);
    if (y < bbox.top || y > bbox.top + bbox.height) continue;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.fillText(label, bbox.left + 6 * devicePixelRatio, y - 3 * devicePixelRatio);
  }
  ctx.restore();
}
