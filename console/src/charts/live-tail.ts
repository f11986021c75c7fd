import type { LiveValue } from '../live/index.ts';
import type { NumberHistory, StateHistory } from './histories.ts';

/** The live values of one interval, as wide as a bucket of the chart. */
export interface TailBucket {
  readonly slot: number;
  /** The time of the newest value. */
  readonly at: number;
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

/** As many intervals as a chart has buckets; older ones have long been read from the server. */
const MAX_BUCKETS = 600;

/** The tail with one more value. It has at most one bucket for each interval, whatever arrives. */
export function withValue(
  tail: readonly TailBucket[],
  { timestamp: at, value }: { readonly timestamp: number; readonly value: number },
  bucketMs: number,
): readonly TailBucket[] {
  const slot = Math.floor(at / bucketMs);
  const last = tail.at(-1);
  if (last?.slot !== slot) {
    return [...tail, { slot, at, count: 1, sum: value, min: value, max: value }].slice(
      -MAX_BUCKETS,
    );
  }
  const { count, sum, min, max } = last;
  const merged = {
    ...{ slot, at, count: count + 1, sum: sum + value },
    ...{ min: Math.min(min, value), max: Math.max(max, value) },
  };
  return [...tail.slice(0, -1), merged];
}

/** A line that continues with the live values after its last bucket. */
export function extended(history: NumberHistory, tail: readonly TailBucket[]): NumberHistory {
  const { timestamp, min, max, mean } = history.buckets;
  const last = timestamp.at(-1) ?? Number.NEGATIVE_INFINITY;
  const newer = tail.filter(({ at }) => at > last);
  if (newer.length === 0) return history;
  const buckets = {
    timestamp: [...timestamp, ...newer.map(({ at }) => at)],
    min: [...min, ...newer.map((bucket) => bucket.min)],
    max: [...max, ...newer.map((bucket) => bucket.max)],
    mean: [...mean, ...newer.map(({ sum, count }) => sum / count)],
  };
  return { ...history, buckets };
}

/** The states with one more value; of equal values only the first and the newest are kept. */
export function withState(states: readonly LiveValue[], next: LiveValue): readonly LiveValue[] {
  const isRepeated = states.slice(-2).filter(({ value }) => value === next.value).length === 2;
  return [...(isRepeated ? states.slice(0, -1) : states), next].slice(-MAX_BUCKETS);
}

/** Stripes that continue to the newest live value. */
export function extendedStates(history: StateHistory, live: readonly LiveValue[]): StateHistory {
  const segments = [...history.segments];
  for (const { timestamp, value } of live) {
    const last = segments.at(-1);
    if (last && timestamp <= last.endTime) continue;
    if (last) segments[segments.length - 1] = { ...last, endTime: timestamp };
    if (last?.value !== value) segments.push({ startTime: timestamp, endTime: timestamp, value });
  }
  return { ...history, segments };
}
