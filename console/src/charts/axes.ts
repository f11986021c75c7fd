import type uPlot from 'uplot';
import { SURFACES } from '../design/index.ts';
import { type LocaleFormats, localeFormats } from '../runtime/index.ts';
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

/** The room for a label, in characters, beside short ticks. */
const MAX_LABEL_LENGTH = 8;
const TICK_PX = 4;

/**
 * The labels of a value axis; empty between the powers of ten of a logarithmic axis, which are null.
 * Where one does not fit, all are exponential, as long as they still differ.
 */
export function valueLabels(
  splits: readonly (number | null)[],
  formats: LocaleFormats = localeFormats,
): string[] {
  const labels = splits.map((value) =>
    value === null ? '' : formats.upTo(+value.toPrecision(10), 10),
  );
  if (labels.every(({ length }) => length <= MAX_LABEL_LENGTH)) return labels;
  const short = splits.map((value, index) =>
    value ? formats.exponential(value).replace(/[.,]?0+e/, 'e') : (labels[index] ?? ''),
  );
  const written = short.filter((label) => label !== '');
  return new Set(written).size === written.length ? short : labels;
}

/** The distances between two labels. The chart's own end at 5e31, and larger values had no labels. */
const STEPS = Array.from({ length: 32 + 308 }, (_, index) =>
  [1, 2, 2.5, 5].map((factor) => Number(`${factor}e${index - 32}`)),
).flat();

function valueAxis(unit: string, index: number, isDark: boolean): uPlot.Axis {
  const { text, grid } = axisColours(isDark);
  return {
    scale: unit,
    side: index === 0 ? 3 : 1,
    stroke: text,
    size: AXIS_PX,
    grid: { show: index === 0, stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1, size: TICK_PX },
    gap: TICK_PX,
    incrs: STEPS,
    values: (_plot, splits) => valueLabels(splits),
  };
}
