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

const SCALE = 2 ** -40;

/** An hour in 60 buckets is a minute each; a reading exactly at the end belongs to the last. */
export function bucketMsOf({ from, to }: Range, buckets: number): number {
  return Math.max(1, Math.ceil((to - from) / buckets));
}

/** Aggregates readings, in any order, into buckets of equal duration: an array for each field. */
export class Buckets implements BlockVisitor {
  readonly #from: number;
  readonly #bucketMs: number;
  readonly #lastIndex: number;
  readonly #counts: Float64Array;
  readonly #min: Float64Array;
  readonly #max: Float64Array;
  readonly #totals: Float64Array;
  /** The totals scaled down, so that they cannot overflow. */
  readonly #scaled: Float64Array;
  readonly #first: Float64Array;
  readonly #firstAt: Float64Array;
  readonly #last: Float64Array;
  readonly #lastAt: Float64Array;

  constructor(range: Range, buckets: number) {
    this.#from = range.from;
    this.#bucketMs = bucketMsOf(range, buckets);
    this.#lastIndex = buckets - 1;
    this.#counts = new Float64Array(buckets);
    this.#min = new Float64Array(buckets).fill(Infinity);
    this.#max = new Float64Array(buckets).fill(-Infinity);
    this.#totals = new Float64Array(buckets);
    this.#scaled = new Float64Array(buckets);
    this.#first = new Float64Array(buckets);
    this.#firstAt = new Float64Array(buckets).fill(Infinity);
    this.#last = new Float64Array(buckets);
    this.#lastAt = new Float64Array(buckets).fill(-Infinity);
  }

  #indexOf(at: number): number {
    return Math.min(this.#lastIndex, Math.floor((at - this.#from) / this.#bucketMs));
  }

  /** Whether all of a chunk falls into one bucket, and its sum did not overflow. */
  chunkSummarySuffices(metas: ChunkMetaList, index: number): boolean {
    const firstAt = metas.firstAt[index] as number;
    const lastAt = metas.lastAt[index] as number;
    return this.summaryEnd(firstAt) >= lastAt && Number.isFinite(metas.sumAt(index));
  }

  summaryEnd(at: number): number {
    const index = this.#indexOf(at);
    return index === this.#lastIndex ? Infinity : this.#from + (index + 1) * this.#bucketMs - 1;
  }

  addChunks(metas: ChunkMetaList, indexes: readonly number[]): void {
    for (const index of indexes) {
      const firstAt = metas.firstAt[index] as number;
      const bucket = this.#indexOf(firstAt);
      metas.visitSummary(index, (min, max, sum, first, last) => {
        this.#add(bucket, metas.countAt(index), min, max, sum, sum * SCALE);
        this.#addEnds(bucket, firstAt, first, metas.lastAt[index] as number, last);
      });
    }
  }

  addSummary({ count, startTime, endTime, min, max, sum, first, last }: Summary): void {
    const bucket = this.#indexOf(startTime);
    this.#add(bucket, count, min, max, sum, sum * SCALE);
    this.#addEnds(bucket, startTime, first, endTime, last);
  }

  addReadings(times: Float64Array, values: Float64Array, from: number, to: number): void {
    for (let start = from; start < to; ) {
      const at = times[start] as number;
      const bucket = this.#indexOf(at);
      const end = indexOfTime(times, this.summaryEnd(at) + 1, start, to);
      this.#addValues(bucket, values, start, end);
      const last = end - 1;
      this.#addEnds(
        bucket,
        at,
        values[start] as number,
        times[last] as number,
        values[last] as number,
      );
      start = end;
    }
  }

  #addValues(bucket: number, values: Float64Array, start: number, end: number): void {
    let min = Infinity;
    let max = -Infinity;
    let total = 0;
    for (let at = start; at < end; at += 1) {
      const value = values[at] as number;
      if (value < min) min = value;
      if (value > max) max = value;
      total += value;
    }
    const scaled = Number.isFinite(total) ? total * SCALE : scaledSum(values, start, end);
    this.#add(bucket, end - start, min, max, total, scaled);
  }

  #add(
    bucket: number,
    count: number,
    min: number,
    max: number,
    total: number,
    scaled: number,
  ): void {
    if (min < (this.#min[bucket] as number)) this.#min[bucket] = min;
    if (max > (this.#max[bucket] as number)) this.#max[bucket] = max;
    this.#counts[bucket] = (this.#counts[bucket] as number) + count;
    this.#totals[bucket] = (this.#totals[bucket] as number) + total;
    this.#scaled[bucket] = (this.#scaled[bucket] as number) + scaled;
  }

  #addEnds(bucket: number, firstAt: number, first: number, lastAt: number, last: number): void {
    // NaN represents a value that is not at an end of the bucket.
    if (firstAt < (this.#firstAt[bucket] as number) && !Number.isNaN(first)) {
      this.#firstAt[bucket] = firstAt;
      this.#first[bucket] = first;
    }
    if (lastAt > (this.#lastAt[bucket] as number) && !Number.isNaN(last)) {
      this.#lastAt[bucket] = lastAt;
      this.#last[bucket] = last;
    }
  }

  /** The buckets that have readings. */
  items(): Bucket[] {
    const items: Bucket[] = [];
    for (let index = 0; index <= this.#lastIndex; index += 1) {
      const count = this.#counts[index] as number;
      if (count === 0) continue;
      const min = this.#min[index] as number;
      const max = this.#max[index] as number;
      const total = this.#totals[index] as number;
      const rounded = Number.isFinite(total)
        ? total / count
        : (this.#scaled[index] as number) / count / SCALE;
      const mean = Math.min(max, Math.max(min, rounded));
      items.push({
        timestamp: this.#from + index * this.#bucketMs,
        count,
        min,
        max,
        mean,
        first: this.#first[index] as number,
        last: this.#last[index] as number,
      });
    }
    return items;
  }
}

function scaledSum(values: Float64Array, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; at += 1) sum += (values[at] as number) * SCALE;
  return sum;
}
