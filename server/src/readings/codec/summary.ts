/** The summary of readings, by which a chart avoids decoding them. */
export interface Summary {
  readonly count: number;
  readonly startTime: number;
  readonly endTime: number;
  readonly min: number;
  readonly max: number;
  /** Added in time order; infinite on overflow. */
  readonly sum: number;
  readonly first: number;
  readonly last: number;
}

/** A summary that is set again for each group of readings. */
export type MutableSummary = { -readonly [Key in keyof Summary]: Summary[Key] };

/** The summary of the first `count` readings, one or more, in time order. */
export function summaryOf(
  times: ArrayLike<number>,
  values: ArrayLike<number>,
  count: number,
): Summary {
  if (count < 1 || count > times.length || count > values.length) {
    throw new RangeError(`There is no summary of ${count} among ${values.length} readings.`);
  }
  let min = Infinity;
  let max = -Infinity;
  let sum = 0;
  for (let index = 0; index < count; index += 1) {
    const value = values[index] as number;
    if (value < min) min = value;
    if (value > max) max = value;
    sum += value;
  }
  return {
    count,
    startTime: times[0] as number,
    endTime: times[count - 1] as number,
    min,
    max,
    sum,
    first: values[0] as number,
    last: values[count - 1] as number,
  };
}
