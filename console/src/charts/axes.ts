import type uPlot from 'uplot';
import { SURFACES } from '../design/index.ts';
import { localeFormats } from '../runtime/index.ts';
import { scaleOf } from './marks.ts';

export const AXIS_PX = 58;
export const RIGHT_PX = 18;
/** Room for the units above the axes. */
export const TOP_PX = 22;

/** One scale per unit, so that equal quantities are drawn alike. */
export function unitsOf(lines: readonly { readonly unit: string | null }[]): string[] {
  return [...new Set(lines.map(({ unit }) => scaleOf(unit)))];
}

/** The room that a chart takes beside its time axis: the first value axis is at the left. */
export function insetsOf(lines: readonly { readonly unit: string | null }[]) {
  if (lines.length === 0) return { leftPx: 0, rightPx: 0 };
  return { leftPx: AXIS_PX, rightPx: RIGHT_PX + (unitsOf(lines).length - 1) * AXIS_PX };
}

export function axisColours(isDark: boolean) {
  const { dimmed, grid } = SURFACES[isDark ? 'dark' : 'light'];
  return { text: dimmed, grid };
}

export function axesOf(units: readonly string[], isDark: boolean): uPlot.Axis[] {
  return [timeAxis(isDark), ...units.map((unit, index) => valueAxis(unit, index, isDark))];
}

/** The room that the longest label of a time takes, with twelve hours and their half of the day. */
const TIME_LABEL_PX = 84;

function timeAxis(isDark: boolean): uPlot.Axis {
  const { text, grid } = axisColours(isDark);
  return {
    stroke: text,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1 },
    space: TIME_LABEL_PX,
    values: (plot, splits, _axis, _space, stepSeconds) => {
      const times = splits.map((seconds) => seconds * 1_000);
      return localeFormats
        .ticks(times, stepSeconds)
        .map((label, index) => (isCut(plot, splits[index] ?? 0, label) ? '' : label));
    },
  };
}

/** About the width of a character in the font of the labels. */
const CHARACTER_PX = 7;

/** Whether a label that is centred below its tick would not fit before the edge of the chart. */
function isCut(plot: uPlot, seconds: number, label: string): boolean {
  const widthPx = Math.max(...label.split('\n').map(({ length }) => length)) * CHARACTER_PX;
  const leftPx = plot.bbox.left / devicePixelRatio;
  const roomPx = plot.width - leftPx - plot.valToPos(seconds, 'x');
  return widthPx / 2 > roomPx;
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
    // A logarithmic axis leaves out the labels between powers of ten, which are null.
    values: (_plot, splits) =>
      splits.map((value: number | null) =>
        value === null ? '' : localeFormats.upTo(+value.toPrecision(10), 10),
      ),
  };
}
