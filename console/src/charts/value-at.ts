import type { PlotValue } from './series.ts';

/**
 * The index of the value that a line shows at a time: the nearer end of the stretch between two
 * readings. In a gap, and before the first and after the last reading, there is none, unless a reading
 * is nearer than the tolerance.
 */
export function indexAt(
  seconds: ArrayLike<number>,
  column: ArrayLike<PlotValue>,
  at: number,
  tolerance: number,
): number | null {
  const after = firstAfter(seconds, at);
  const isKnown = (value: PlotValue) => value !== undefined;
  const isReading = (value: PlotValue) => typeof value === 'number';
  const isOnLine =
    isReading(column[next(column, after - 1, -1, isKnown)]) &&
    isReading(column[next(column, after, 1, isKnown)]);
  const left = next(column, after - 1, -1, isReading);
  const right = next(column, after, 1, isReading);
  const distance = (index: number) => Math.abs((seconds[index] ?? Number.POSITIVE_INFINITY) - at);
  const nearest = distance(left) <= distance(right) ? left : right;
  return isOnLine || distance(nearest) <= tolerance ? nearest : null;
}

/** The index of the first time after a time, by bisection. */
function firstAfter(seconds: ArrayLike<number>, at: number): number {
  let low = 0;
  let high = seconds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((seconds[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The next index, in a direction, with such a value; outside the column when there is none. */
function next(
  column: ArrayLike<PlotValue>,
  from: number,
  step: -1 | 1,
  isSuch: (value: PlotValue) => boolean,
): number {
  let index = from;
  while (index >= 0 && index < column.length && !isSuch(column[index])) index += step;
  return index;
}
