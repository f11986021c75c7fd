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
  const distances = new Float64Array(Math.max(0, timestamps.length - 1));
  for (let index = 0; index < distances.length; index += 1) {
    distances[index] = (timestamps[index + 1] ?? 0) - (timestamps[index] ?? 0);
  }
  const middle = distances.sort()[Math.floor(distances.length / 2)] ?? bucketMs;
  return Math.max(middle, bucketMs) * GAP_FACTOR;
}

interface Series {
  readonly buckets: BucketArrays;
  readonly bucketMs: number;
}

/** In place of the index of a bucket. */
const GAP = -1;
const NO_READING = -2;

/**
 * All series on one time axis, with a null inside each gap. Where only another series has a reading,
 * the value is undefined, so that the line continues. Takes time in proportion to the readings: a
 * chart of 100 000 must not miss a frame.
 */
export function align(series: readonly Series[]): Aligned {
  const own = series.map(withGaps);
  const next = own.map(() => 0);
  const indexes: number[][] = own.map(() => []);
  const seconds: number[] = [];
  for (let at = firstOf(own, next); at < Number.POSITIVE_INFINITY; at = firstOf(own, next)) {
    seconds.push(at / 1000);
    for (const [line, { times, sources }] of own.entries()) {
      const position = next[line] ?? 0;
      const isHere = times[position] === at;
      indexes[line]?.push(isHere ? (sources[position] ?? GAP) : NO_READING);
      if (isHere) next[line] = position + 1;
    }
  }
  return {
    seconds,
    columns: series.map(({ buckets }, line) => columnsOf(buckets, indexes[line] ?? [])),
  };
}

interface OwnTimes {
  readonly times: readonly number[];
  /** The bucket at each time, or `GAP`. */
  readonly sources: readonly number[];
}

/** The times of a series in their order, with one more in each gap. */
function withGaps({ buckets: { timestamp }, bucketMs }: Series): OwnTimes {
  const gapMs = gapMsOf(timestamp, bucketMs);
  const times: number[] = [];
  const sources: number[] = [];
  for (const [index, at] of timestamp.entries()) {
    times.push(at);
    sources.push(index);
    const after = timestamp[index + 1];
    if (after !== undefined && after - at > gapMs) {
      times.push(Math.round(at + bucketMs));
      sources.push(GAP);
    }
  }
  return { times, sources };
}

/** The earliest time that no series has passed. */
function firstOf(own: readonly OwnTimes[], next: readonly number[]): number {
  let first = Number.POSITIVE_INFINITY;
  for (const [line, { times }] of own.entries()) {
    first = Math.min(first, times[next[line] ?? 0] ?? Number.POSITIVE_INFINITY);
  }
  return first;
}

function columnsOf(
  { min, max, mean }: BucketArrays,
  indexes: readonly number[],
): Aligned['columns'][number] {
  const pick = (values: readonly number[]) =>
    indexes.map((index) => (index >= 0 ? values[index] : index === GAP ? null : undefined));
  return { means: pick(mean), mins: pick(min), maxs: pick(max) };
}

/**
 * The last index of each run of values between gaps that is too short to be seen as a line. Undefined
 * values are skipped, as a line bridges them.
 */
export function isolatedIndexes(
  column: ArrayLike<PlotValue>,
  seconds: ArrayLike<number>,
  visibleSeconds: number,
): number[] | null {
  const lone: number[] = [];
  let first = -1;
  let last = -1;
  const end = () => {
    const length = (seconds[last] ?? 0) - (seconds[first] ?? 0);
    if (first !== -1 && length < visibleSeconds) lone.push(last);
    first = -1;
  };
  for (let index = 0; index < column.length; index += 1) {
    const value = column[index];
    if (value === null) end();
    if (typeof value !== 'number') continue;
    if (first === -1) first = index;
    last = index;
  }
  end();
  return lone.length === 0 ? null : lone;
}
