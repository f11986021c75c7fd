/** A stretch of one Variable: the middle of it, and how far it swung. */
export interface Bucket {
  readonly timestamp: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
}

/** Undefined is no reading at that moment, which a line bridges; null is a gap, which it does not. */
type Drawn = number | null | undefined;

/** Times shared by all series. */
export interface Aligned {
  readonly seconds: number[];
  readonly columns: { means: Drawn[]; mins: Drawn[]; maxs: Drawn[] }[];
}

const GAP_FACTOR = 3.5;

/**
 * From which distance on two neighbours have a gap between them. Readings come at a pace of their
 * own, which the middle distance tells; a bucket's width is the least that can be told apart.
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
 * All series on one time axis, with a moment of nothing inside each gap. A series that simply has no
 * reading at another one's moment keeps its line: undefined there, and null only where it broke off.
 */
export function align(
  series: readonly { readonly buckets: readonly Bucket[]; readonly bucketMs: number }[],
): Aligned {
  const breaks = series.map(({ buckets, bucketMs }) => {
    const times = buckets.map(({ timestamp }) => timestamp);
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
    for (const { timestamp } of buckets) moments.add(timestamp);
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
  buckets: readonly Bucket[],
  breaks: ReadonlySet<number> | undefined,
): Aligned['columns'][number] {
  const at = new Map(buckets.map((bucket) => [bucket.timestamp, bucket]));
  const pick = (value: (bucket: Bucket) => number) =>
    times.map((time) => {
      const bucket = at.get(time);
      if (bucket) return value(bucket);
      return breaks?.has(time) ? null : undefined;
    });
  return {
    means: pick(({ mean }) => mean),
    mins: pick(({ min }) => min),
    maxs: pick(({ max }) => max),
  };
}

/** Where a value stands alone: a line needs two. Undefined neighbours are passed over, as lines do. */
export function loneIndexes(column: ArrayLike<Drawn>): number[] | null {
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
