import { MAX_READINGS } from './chunk-header.ts';
import { planResiduals, type ResidualPlan } from './residual-plan.ts';
import { ZONE_SIZE, zonesOf } from './zone-size.ts';

/** Each step is predicted as the one before it. */
export const DIFFERENCES = 0;
/** Each step is predicted by a line through its zone. */
export const LINES = 1;

/** The slope of a line is an integer with so many binary digits after the point. */
export const SLOPE_BITS = 8;
/** The rise of a line within a zone, in units of its slope, is an integer of 32 bits. */
export const MAX_SLOPE = 2 ** 22;

/** Predictions by zone; residuals are what remains. */
export interface ZoneModel {
  readonly model: typeof DIFFERENCES | typeof LINES;
  readonly residuals: Float64Array;
  /** The step before the zone (0 at first), or the beginning of its line. */
  readonly bases: Float64Array;
  /** The slopes of lines. */
  readonly slopes: Float64Array;
  readonly plan: ResidualPlan;
}

/** The bits of a slope and of a more varied base, per reading. */
const LINE_BITS = 16 / ZONE_SIZE;

// Scratch space: written before they are read, within one synchronous call. Memory is taken only as
// far as it was ever used.
const differences = new Float64Array(MAX_READINGS);
const distances = new Float64Array(MAX_READINGS);

/** The model with the smaller estimated size; undefined when the residuals of both are wide. */
export function chooseModel(steps: Float64Array, count: number): ZoneModel | undefined {
  const byDifferences = differencesOf(steps, count);
  const byLines = linesOf(steps, count);
  if (!byDifferences || !byLines) return byDifferences ?? byLines;
  return byDifferences.plan.bits <= byLines.plan.bits + LINE_BITS ? byDifferences : byLines;
}

function differencesOf(steps: Float64Array, count: number): ZoneModel | undefined {
  const bases = new Float64Array(zonesOf(count));
  let last = steps[0] as number;
  let least = Infinity;
  let greatest = -Infinity;
  for (let index = 0; index < count; index += 1) {
    const step = steps[index] as number;
    const residual = step - last;
    differences[index] = residual;
    if (residual < least) least = residual;
    if (residual > greatest) greatest = residual;
    last = step;
  }
  for (let zone = 1; zone < bases.length; zone += 1) {
    bases[zone] = steps[zone * ZONE_SIZE - 1] as number;
  }
  const plan = planResiduals(differences, count, least, greatest);
  const slopes = new Float64Array(0);
  return plan && { model: DIFFERENCES, residuals: differences, bases, slopes, plan };
}

function linesOf(steps: Float64Array, count: number): ZoneModel | undefined {
  const bases = new Float64Array(zonesOf(count));
  const slopes = new Float64Array(zonesOf(count));
  let least = Infinity;
  let greatest = -Infinity;
  for (let zone = 0; zone < bases.length; zone += 1) {
    const start = zone * ZONE_SIZE;
    const end = Math.min(start + ZONE_SIZE, count);
    const { base, slope } = lineThrough(steps, start, end);
    bases[zone] = base;
    slopes[zone] = slope;
    for (let index = start; index < end; index += 1) {
      const onLine = base + (Math.imul(slope, index - start) >> SLOPE_BITS);
      const residual = (steps[index] as number) - onLine;
      distances[index] = residual;
      if (residual < least) least = residual;
      if (residual > greatest) greatest = residual;
    }
  }
  const plan = planResiduals(distances, count, least, greatest);
  return plan && { model: LINES, residuals: distances, bases, slopes, plan };
}

/** The line of least squares. It need not be exact: residuals are computed from what is written. */
function lineThrough(
  steps: Float64Array,
  start: number,
  end: number,
): { base: number; slope: number } {
  const count = end - start;
  const first = steps[start] as number;
  let sum = 0;
  let moment = 0;
  for (let index = start; index < end; index += 1) {
    const step = (steps[index] as number) - first;
    sum += step;
    moment += step * (index - start);
  }
  const middle = (count - 1) / 2;
  const spread = (count * (count * count - 1)) / 12;
  const slope = spread === 0 ? 0 : (moment - middle * sum) / spread;
  const rounded = Math.round(slope * 2 ** SLOPE_BITS);
  const isSteep = Math.abs(rounded) > MAX_SLOPE;
  const used = isSteep ? 0 : rounded;
  return { base: first + Math.round(sum / count - (used / 2 ** SLOPE_BITS) * middle), slope: used };
}
