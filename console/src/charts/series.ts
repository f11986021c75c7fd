/** Minimum, maximum and mean of a Variable over intervals that begin at these times. */
export interface BucketArrays {
  readonly timestamp: readonly number[];
  readonly min: readonly number[];
  readonly max: readonly number[];
  readonly mean: readonly number[];
}

/** Undefined is a time without a reading, which a line bridges; null is a gap, which it does not. */
export type PlotValue = number | null | undefined;

/** Times shared by all series. */
export interface Aligned {
  readonly seconds: number[];
  readonly columns: { means: PlotValue[]; mins: PlotValue[]; maxs: PlotValue[] }[];
}

const GAP_FACTOR = 3.5;

/**
 * The distance between two readings above which there is a gap. The median distance is the usual
 * interval of the readings; a bucket's width is the smallest distinguishable distance.
 */
export function gapMsOf(timestamps: readonly number[], bucketMs: number): number {
  const distances = timestamps
    .slice(1)
    .map((at, index) => at - (timestamps[index] ?? at))
    .sort((a, b) => a - b);
  const middle = distances[Math.floor(distances.length / 2)] ?? bucketMs;
  return Math.max(middle, bucketMs) * GAP_FACTOR;
}

/**
 * All series on one time axis, with a null inside each gap. Where only another series has a reading,
 * the value is undefined, so that the line continues.
 */
export function align(
  series: readonly { readonly buckets: BucketArrays; readonly bucketMs: number }[],
): Aligned {
  const breaks = series.map(({ buckets: { timestamp: times }, bucketMs }) => {
    const gapMs = gapMsOf(times, bucketMs);
    return new Set(
      times.flatMap((at, index) => {
        const next = times[index + 1];
        return next !== undefined && next - at > gapMs ? [Math.round(at + bucketMs)] : [];
      }),
    );
  });
  const moments = new Set<number>();
  for (const [index, { buckets }] of series.entries()) {
    for (const timestamp of buckets.timestamp) moments.add(timestamp);
    for (const moment of breaks[index] ?? []) moments.add(moment);
  }
  const times = [...moments].sort((a, b) => a - b);
  return {
    seconds: times.map((ms) => ms / 1000),
    columns: series.map(({ buckets }, index) => columnOf(times, buckets, breaks[index])),
  };
}

function columnOf(
  times: readonly number[],
  { timestamp, min, max, mean }: BucketArrays,
  breaks: ReadonlySet<number> | undefined,
): Aligned['columns'][number] {
  const indexes = new Map(timestamp.map((time, index) => [time, index]));
  const pick = (values: readonly number[]) =>
    times.map((time) => {
      const index = indexes.get(time);
      if (index !== undefined) return values[index];
      return breaks?.has(time) ? null : undefined;
    });
  return { means: pick(mean), mins: pick(min), maxs: pick(max) };
}

/** The indexes of values without a neighbour, which a line cannot show. Undefined values are skipped,
 * as a line bridges them. */
export function isolatedIndexes(column: ArrayLike<PlotValue>): number[] | null {
  const lone: number[] = [];
  let isAfterGap = true;
  let last = -1;
  for (let index = 0; index < column.length; index += 1) {
    const value = column[index];
    if (value === undefined) continue;
    if (value !== null) {
      isAfterGap = last === -1 || column[last] === null;
      last = index;
    } else {
      if (last !== -1 && column[last] !== null && isAfterGap) lone.push(last);
      last = index;
    }
  }
  if (last !== -1 && column[last] !== null && isAfterGap) lone.push(last);
  return lone.length === 0 ? null : lone;
}
