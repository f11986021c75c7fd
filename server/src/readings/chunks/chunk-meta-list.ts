import type { Range } from '../reading.ts';
import type { ChunkMeta } from './chunk-row.ts';

/**
 * A packed meta: three integers of 8 bytes, a count of 4, five doubles of 8, a size and a row version
 * of 4 each.
 */
const HEAD_BYTES = 76;
/** The length of the chunk's bytes, which follow it; 0 when they were not prefetched. */
const LENGTH_BYTES = 4;
const HALF = 2 ** 32;

/**
 * The metas of many chunks, ordered by their first times. A year of readings has thousands of
 * chunks, so that an object for each would cost more than the query itself.
 */
export class ChunkMetaList {
  readonly length: number;
  readonly firstAt: Float64Array;
  readonly lastAt: Float64Array;
  readonly #packed: Buffer;
  readonly #view: DataView;
  /** The offset of each meta in the bytes. */
  readonly #starts: Uint32Array;

  /**
   * Takes metas as PostgreSQL packed them, big-endian; NaN represents null. `starts` are the offsets of
   * those that are listed, all of them where it is left out.
   */
  constructor(packed: Buffer, starts?: Uint32Array) {
    const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
    this.#packed = packed;
    this.#view = view;
    this.#starts = starts ?? startsOf(view);
    this.length = this.#starts.length;
    this.firstAt = new Float64Array(this.length);
    this.lastAt = new Float64Array(this.length);
    for (let index = 0; index < this.length; index += 1) {
      const at = this.#startOf(index);
      this.firstAt[index] = integerAt(view, at);
      this.lastAt[index] = integerAt(view, at + 8);
    }
  }

  /** Those of the chunks that overlap a range. */
  within({ from, to }: Range): ChunkMetaList {
    const isWithin = (index: number) =>
      (this.lastAt[index] as number) >= from && (this.firstAt[index] as number) <= to;
    const starts = this.#starts.filter((_, index) => isWithin(index));
    return starts.length === this.length ? this : new ChunkMetaList(this.#packed, starts);
  }

  /** The size of all that was listed. */
  get bytes(): number {
    return this.#packed.length;
  }

  #startOf(index: number): number {
    return this.#starts[index] as number;
  }

  /** The bytes of the chunk, where they were prefetched. */
  #dataAt(index: number): Buffer | undefined {
    const end = this.#startOf(index) + HEAD_BYTES;
    const length = this.#view.getInt32(end);
    const start = end + LENGTH_BYTES;
    return length > 0 ? this.#packed.subarray(start, start + length) : undefined;
  }

  /** The highest writeSeq of all; 0 when there are none. */
  highestWriteSeq(): number {
    return this.#starts.reduce((most, at) => Math.max(most, integerAt(this.#view, at + 16)), 0);
  }

  countAt(index: number): number {
    return this.#view.getInt32(this.#startOf(index) + 24);
  }

  /** The bytes that are stored. */
  sizeAt(index: number): number {
    return this.#view.getInt32(this.#startOf(index) + 68);
  }

  /** NaN for a chunk that is not of numbers. */
  sumAt(index: number): number {
    return this.#view.getFloat64(this.#startOf(index) + 44);
  }

  /** Calls `take` with min, max, sum, first and last of a chunk of numbers. */
  visitSummary(
    index: number,
    take: (min: number, max: number, sum: number, first: number, last: number) => void,
  ): void {
    const view = this.#view;
    const at = this.#startOf(index) + 28;
    take(
      view.getFloat64(at),
      view.getFloat64(at + 8),
      view.getFloat64(at + 16),
      view.getFloat64(at + 24),
      view.getFloat64(at + 32),
    );
  }

  metaAt(index: number): ChunkMeta {
    const view = this.#view;
    const at = this.#startOf(index);
    return {
      firstAt: this.firstAt[index] as number,
      lastAt: this.lastAt[index] as number,
      writeSeq: integerAt(view, at + 16),
      count: view.getInt32(at + 24),
      min: numberAt(view, at + 28),
      max: numberAt(view, at + 36),
      sum: numberAt(view, at + 44),
      first: numberAt(view, at + 52),
      last: numberAt(view, at + 60),
      rowVersion: view.getUint32(at + 72),
      data: this.#dataAt(index),
    };
  }
}

/** The offsets of metas, ordered by first time, then by writeSeq. */
function startsOf(view: DataView): Uint32Array {
  let count = 0;
  for (let at = 0; at < view.byteLength; at = nextAfter(view, at)) count += 1;
  const starts = new Uint32Array(count);
  let isInOrder = true;
  let last = 0;
  for (let at = 0, index = 0; index < count; at = nextAfter(view, at), index += 1) {
    isInOrder &&= index === 0 || compare(view, last, at) <= 0;
    starts[index] = at;
    last = at;
  }
  return isInOrder ? starts : starts.sort((a, b) => compare(view, a, b));
}

function nextAfter(view: DataView, at: number): number {
  const end = at + HEAD_BYTES;
  return end + LENGTH_BYTES + view.getInt32(end);
}

function compare(view: DataView, a: number, b: number): number {
  return (
    integerAt(view, a) - integerAt(view, b) || integerAt(view, a + 16) - integerAt(view, b + 16)
  );
}

function integerAt(view: DataView, at: number): number {
  return view.getInt32(at) * HALF + view.getUint32(at + 4);
}

function numberAt(view: DataView, at: number): number | null {
  const number = view.getFloat64(at);
  return Number.isNaN(number) ? null : number;
}
