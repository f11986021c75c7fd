import type { ChunkMetaList } from '../chunks/index.ts';
import type { BlockVisitor, Summary } from '../codec/index.ts';
import { indexOfTime } from '../columns/index.ts';
import type { Range } from '../reading.ts';

export interface Bucket {
  readonly timestamp: number;
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly first: number;
  readonly last: number;
}

interface Sums {
  count: number;
  min: number;
  max: number;
  total: number;
  /** The total scaled down, so that it cannot overflow. */
  scaled: number;
  first: number;
  firstAt: number;
  last: number;
  lastAt: number;
}

const SCALE = 2 ** -40;

/** An hour in 60 buckets is a minute each; a reading exactly at the end belongs to the last. */
export function bucketMsOf({ from, to }: Range, buckets: number): number {
  return Math.max(1, Math.ceil((to - from) / buckets));
}

/** Aggregates readings, in any order, into buckets of equal duration. */
export class Buckets implements BlockVisitor {
  readonly #from: number;
  readonly #bucketMs: number;
  readonly #lastIndex: number;
  readonly #sums: (Sums | undefined)[] = [];

  constructor(range: Range, buckets: number) {
    this.#from = range.from;
    this.#bucketMs = bucketMsOf(range, buckets);
    this.#lastIndex = buckets - 1;
  }

  #indexOf(at: number): number {
    return Math.min(this.#lastIndex, Math.floor((at - this.#from) / this.#bucketMs));
  }

  #sumsAt(index: number): Sums {
    this.#sums[index] ??= {
      count: 0,
      min: Infinity,
      max: -Infinity,
      total: 0,
      scaled: 0,
      first: 0,
      firstAt: Infinity,
      last: 0,
      lastAt: -Infinity,
    };
    return this.#sums[index] as Sums;
  }

  /** Whether all of a chunk falls into one bucket, and its sum did not overflow. */
  chunkSummarySuffices(metas: ChunkMetaList, index: number): boolean {
    const firstAt = metas.firstAt[index] as number;
    const lastAt = metas.lastAt[index] as number;
    return this.summarySuffices(firstAt, lastAt) && Number.isFinite(metas.sumAt(index));
  }

  summarySuffices(firstAt: number, lastAt: number): boolean {
    return this.#indexOf(firstAt) === this.#indexOf(lastAt);
  }

  addChunks(metas: ChunkMetaList, indexes: readonly number[]): void {
    for (const index of indexes) {
      const firstAt = metas.firstAt[index] as number;
      const sums = this.#sumsAt(this.#indexOf(firstAt));
      metas.visitSummary(index, (min, max, sum, first, last) => {
        if (min < sums.min) sums.min = min;
        if (max > sums.max) sums.max = max;
        sums.total += sum;
        sums.scaled += sum * SCALE;
        noteEnds(sums, firstAt, first, metas.lastAt[index] as number, last);
      });
      sums.count += metas.countAt(index);
    }
  }

  addSummary({ count, startTime, endTime, min, max, sum, first, last }: Summary): void {
    const sums = this.#sumsAt(this.#indexOf(startTime));
    if (min < sums.min) sums.min = min;
    if (max > sums.max) sums.max = max;
    sums.total += sum;
    sums.scaled += sum * SCALE;
    noteEnds(sums, startTime, first, endTime, last);
    sums.count += count;
  }

  addReadings(times: Float64Array, values: Float64Array, from: number, to: number): void {
    for (let start = from; start < to; ) {
      const index = this.#indexOf(times[start] as number);
      const sums = this.#sumsAt(index);
      const nextAt = this.#from + (index + 1) * this.#bucketMs;
      const end = index === this.#lastIndex ? to : indexOfTime(times, nextAt, start, to);
      addValues(sums, values, start, end);
      const last = end - 1;
      noteEnds(
        sums,
        times[start] as number,
        values[start] as number,
        times[last] as number,
        values[last] as number,
      );
      sums.count += end - start;
      start = end;
    }
  }

  /** The buckets that have readings. */
  items(): Bucket[] {
    const items: Bucket[] = [];
    for (const [index, sums] of this.#sums.entries()) {
      if (!sums) continue;
      const { count, min, max, total, scaled, first, last } = sums;
      const mean = Number.isFinite(total)
        ? total / count
        : Math.min(max, Math.max(min, scaled / count / SCALE));
      const timestamp = this.#from + index * this.#bucketMs;
      items.push({ timestamp, count, min, max, mean, first, last });
    }
    return items;
  }
}

function noteEnds(sums: Sums, firstAt: number, first: number, lastAt: number, last: number): void {
  // NaN represents a value that is not at an end of the bucket.
  if (firstAt < sums.firstAt && !Number.isNaN(first)) {
    sums.firstAt = firstAt;
    sums.first = first;
  }
  if (lastAt > sums.lastAt && !Number.isNaN(last)) {
    sums.lastAt = lastAt;
    sums.last = last;
  }
}

function addValues(sums: Sums, values: Float64Array, start: number, end: number): void {
  let { min, max } = sums;
  let total = 0;
  for (let at = start; at < end; at += 1) {
    const value = values[at] as number;
    if (value < min) min = value;
    if (value > max) max = value;
    total += value;
  }
  sums.min = min;
  sums.max = max;
  sums.total += total;
  sums.scaled += Number.isFinite(total) ? total * SCALE : scaledSum(values, start, end);
}

function scaledSum(values: Float64Array, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; at += 1) sum += (values[at] as number) * SCALE;
  return sum;
}
