import { SLOPE_BITS } from './zone-models.ts';

/**
 * Writes the values of differences. Those without a divisor have a loop of their own, because a
 * division takes as long as the rest of the work on a value.
 */
export function sumUp(
  residuals: Int32Array,
  into: Float64Array,
  at: number,
  count: number,
  base: number,
  step: number,
  low: number,
  divisor: number,
): void {
  const least = step * low;
  let sum = base;
  if (divisor === 1) {
    for (let index = 0; index < count; index += 1) {
      sum += least + step * (residuals[index] as number);
      into[at + index] = sum;
    }
    return;
  }
  for (let index = 0; index < count; index += 1) {
    sum += least + step * (residuals[index] as number);
    into[at + index] = sum / divisor;
  }
}

/** The same for the residuals of a line. */
export function addLine(
  residuals: Int32Array,
  into: Float64Array,
  at: number,
  count: number,
  base: number,
  step: number,
  slope: number,
  divisor: number,
): void {
  if (divisor === 1) {
    for (let index = 0; index < count; index += 1) {
      const steps = (residuals[index] as number) + (Math.imul(slope, index) >> SLOPE_BITS);
      into[at + index] = base + step * steps;
    }
    return;
  }
  for (let index = 0; index < count; index += 1) {
    const steps = (residuals[index] as number) + (Math.imul(slope, index) >> SLOPE_BITS);
    into[at + index] = (base + step * steps) / divisor;
  }
}
