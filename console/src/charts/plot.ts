import type uPlot from 'uplot';
import { axesOf, RIGHT_PX, TOP_PX, unitsOf } from './axes.ts';
import { drawUnits } from './axis-units.ts';
import { lineColour, withOpacity } from './colours.ts';
import type { Line, NumberHistory } from './histories.ts';
import {
  drawMoments,
  drawPeriods,
  drawThresholds,
  type Period,
  scaleOf,
  type Threshold,
} from './marks.ts';
import type { Range } from './range.ts';
import { type Limits, valueRange } from './scale.ts';
import { align, isolatedIndexes } from './series.ts';

/** The data and marks that a chart currently shows. */
export interface PlotState {
  readonly data: uPlot.AlignedData;
  readonly range: Range;
  /** The range of the request; `range` ends now where this one is longer. */
  readonly wanted: Range;
  readonly thresholds: readonly Threshold[];
  readonly periods: readonly Period[];
  /** The times of annotations. */
  readonly moments: readonly number[];
  readonly limits: Limits;
  /** Whether each line is hidden. */
  readonly hidden: readonly boolean[];
  readonly width: number;
  readonly height: number;
}

/** A line, as far as a change of it needs a new chart. */
export type PlotLine = Pick<Line, 'name' | 'colour' | 'isCompared'> & {
  readonly unit: string | null;
};

/** The immutable part of a chart; a change needs a new chart. */
export interface PlotDefinition {
  readonly lines: readonly PlotLine[];
  readonly isDark: boolean;
  readonly isLogarithmic: boolean;
  /** Whether the first threshold can be dragged; the scale then always includes it. */
  readonly isDraggable: boolean;
}

/** Each line has three columns: means, minimums and maximums. */
export const COLUMNS_PER_LINE = 3;
const COMPARED_OPACITY = 0.55;
const POINT_PX = 5;
const UNFOCUSED_OPACITY = 0.25;

export function dataOf(
  histories: readonly NumberHistory[],
  isLogarithmic: boolean,
): uPlot.AlignedData {
  const { seconds, columns } = align(histories);
  const all = columns.flatMap(({ means, mins, maxs }) => [means, mins, maxs]);
  // A logarithm of zero or less does not exist: there is a gap.
  const positive = (value: number | null | undefined) =>
    typeof value === 'number' && value <= 0 ? null : value;
  const shown = isLogarithmic ? all.map((column) => column.map(positive)) : all;
  return [seconds, ...shown] as uPlot.AlignedData;
}

/** The options of a chart that draws the current result of `shown`. */
export function optionsOf(made: PlotDefinition, shown: () => PlotState): uPlot.Options {
  const { lines, isDark, isLogarithmic } = made;
  const { range, width, height, hidden } = shown();
  const units = unitsOf(lines);
  const scaleType = isLogarithmic ? ({ distr: 3, log: 10 } as const) : {};
  return {
    width,
    height,
    legend: { show: false },
    padding: [TOP_PX, RIGHT_PX, 0, 0],
    cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
    focus: { alpha: UNFOCUSED_OPACITY },
    scales: {
      x: { time: true, min: range.startMs / 1000, max: range.endMs / 1000 },
      ...Object.fromEntries(
        units.map((unit) => [unit, { ...scaleType, range: valueRange(unit, made, shown) }]),
      ),
    },
    axes: axesOf(units, isDark),
    series: [{}, ...lines.flatMap((line, index) => seriesOf(line, hidden[index] ?? false))],
    bands: lines.flatMap(({ isCompared, colour }, index) =>
      isCompared ? [] : [bandOf(index, colour)],
    ),
    hooks: {
      drawClear: [(plot) => drawPeriods(plot, shown().periods)],
      draw: [
        (plot) => drawUnits(plot, units, isDark),
        (plot) => drawMoments(plot, shown().moments, isDark),
        (plot) => drawThresholds(plot, shown().thresholds, isDark),
      ],
    },
  };
}

function bandOf(index: number, colour: number): uPlot.Band {
  const mean = index * COLUMNS_PER_LINE + 1;
  return { series: [mean + 2, mean + 1], fill: withOpacity(lineColour(colour), 0.18) };
}

function seriesOf({ name, unit, colour, isCompared }: PlotLine, isHidden: boolean): uPlot.Series[] {
  const scale = scaleOf(unit);
  const solid = lineColour(colour);
  const stroke = isCompared ? withOpacity(solid, COMPARED_OPACITY) : solid;
  // The extremes of a compared line are not drawn, and do not determine the scale.
  const edge = { scale, stroke: 'transparent', points: { show: false }, auto: !isCompared };
  const show = !isHidden;
  return [
    {
      scale,
      show,
      label: name,
      stroke,
      width: 1.5,
      ...(isCompared ? { dash: [5, 4] } : {}),
      points: {
        show: false,
        size: POINT_PX,
        fill: stroke,
        // Readings between two gaps whose line is shorter than a point are drawn as one.
        filter: (plot, series) => {
          const visible = plot.posToVal(POINT_PX, 'x') - plot.posToVal(0, 'x');
          return isolatedIndexes(plot.data[series] ?? [], plot.data[0], visible);
        },
      },
    },
    { ...edge, show, label: `${name} min` },
    { ...edge, show, label: `${name} max` },
  ];
}
