import type { Piece } from './chunk-row.ts';
import type { NumberColumns } from './codec/index.ts';
import type { Range } from './history.ts';

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
  /** The same, made so small that it cannot leave the range of numbers. */
  scaled: number;
  first: number;
  last: number;
}

const SCALE = 2 ** -40;

export function bucketMsOf({ from, to }: Range, buckets: number): number {
  return Math.max(1, Math.ceil((to - from + 1) / buckets));
}

/** Sums up readings that come in the order of time, by equal parts of a range. */
export class Buckets {
  readonly #from: number;
  readonly #bucketMs: number;
  readonly #sums: (Sums | undefined)[] = [];

  constructor(range: Range, buckets: number) {
    this.#from = range.from;
    this.#bucketMs = bucketMsOf(range, buckets);
  }

  #indexOf(at: number): number {
    return Math.floor((at - this.#from) / this.#bucketMs);
  }

  #sumsAt(index: number, first: number): Sums {
    const fresh = { count: 0, min: first, max: first, total: 0, scaled: 0, first, last: first };
    this.#sums[index] ??= fresh;
    return this.#sums[index] as Sums;
  }

  /** Whether all of a chunk falls into one bucket, and its summary tells all that is asked. */
  readonly isEnough = ({ firstAt, lastAt, sum }: Piece): boolean =>
    this.#indexOf(firstAt) === this.#indexOf(lastAt) && Number.isFinite(sum);

  addPiece({ firstAt, count, min, max, sum, first, last }: Piece): void {
    const sums = this.#sumsAt(this.#indexOf(firstAt), first as number);
    sums.count += count;
    sums.min = Math.min(sums.min, min as number);
    sums.max = Math.max(sums.max, max as number);
    sums.total += sum as number;
    sums.scaled += (sum as number) * SCALE;
    sums.last = last as number;
  }

  addColumns({ times, values }: NumberColumns): void {
    for (let start = 0; start < times.length; ) {
      const index = this.#indexOf(times[start] as number);
      const end = this.#from + (index + 1) * this.#bucketMs;
      const sums = this.#sumsAt(index, values[start] as number);
      let { min, max } = sums;
      let total = 0;
      let at = start;
      for (; at < times.length && (times[at] as number) < end; at += 1) {
        const value = values[at] as number;
        if (value < min) min = value;
        if (value > max) max = value;
        total += value;
      }
      sums.min = min;
      sums.max = max;
      sums.total += total;
      sums.scaled += Number.isFinite(total) ? total * SCALE : scaledSum(values, start, at);
      sums.count += at - start;
      sums.last = values[at - 1] as number;
      start = at;
    }
  }

  /** Those that have readings. */
  items(): Bucket[] {
    const items: Bucket[] = [];
    for (const [index, sums] of this.#sums.entries()) {
      if (!sums) continue;
      const { total, scaled, ...shown } = sums;
      const mean = Number.isFinite(total)
        ? total / sums.count
        : Math.min(sums.max, Math.max(sums.min, scaled / sums.count / SCALE));
      items.push({ timestamp: this.#from + index * this.#bucketMs, ...shown, mean });
    }
    return items;
  }
}

function scaledSum(values: Float64Array, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; at += 1) sum += (values[at] as number) * SCALE;
  return sum;
}
