import type { Piece } from './chunk-row.ts';

/** Of one piece: three times or orders of 8 bytes, a count of 4, and five numbers of 8. */
const PIECE_BYTES = 68;
const HALF = 2 ** 32;

/**
 * What is known of many chunks, in the order of their beginnings. A year of readings has thousands
 * of them, so that an object each would cost more than the work itself.
 */
export class PieceList {
  readonly length: number;
  readonly firstAt: Float64Array;
  readonly lastAt: Float64Array;
  readonly #view: DataView;
  /** Where each begins in the bytes; undefined when they are in order as they came. */
  readonly #order: Uint32Array | undefined;

  /** What PostgreSQL packed, in its own order of bytes; NaN stands for what is not there. */
  constructor(packed: Uint8Array) {
    this.#view = new DataView(packed.buffer, packed.byteOffset, packed.length);
    this.length = packed.length / PIECE_BYTES;
    this.#order = orderOf(this.#view, this.length);
    this.firstAt = new Float64Array(this.length);
    this.lastAt = new Float64Array(this.length);
    for (let index = 0; index < this.length; index += 1) {
      const at = this.#startOf(index);
      this.firstAt[index] = integerAt(this.#view, at);
      this.lastAt[index] = integerAt(this.#view, at + 8);
    }
  }

  #startOf(index: number): number {
    return PIECE_BYTES * (this.#order ? (this.#order[index] as number) : index);
  }

  countAt(index: number): number {
    return this.#view.getInt32(this.#startOf(index) + 24);
  }

  /** NaN when the chunk has no numbers. */
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

  pieceAt(index: number): Piece {
    const view = this.#view;
    const at = this.#startOf(index);
    return {
      firstAt: this.firstAt[index] as number,
      lastAt: this.lastAt[index] as number,
      written: integerAt(view, at + 16),
      count: view.getInt32(at + 24),
      min: numberAt(view, at + 28),
      max: numberAt(view, at + 36),
      sum: numberAt(view, at + 44),
      first: numberAt(view, at + 52),
      last: numberAt(view, at + 60),
    };
  }
}

function orderOf(view: DataView, length: number): Uint32Array | undefined {
  const compare = (a: number, b: number) =>
    integerAt(view, PIECE_BYTES * a) - integerAt(view, PIECE_BYTES * b) ||
    integerAt(view, PIECE_BYTES * a + 16) - integerAt(view, PIECE_BYTES * b + 16);
  for (let index = 1; index < length; index += 1) {
    if (compare(index - 1, index) > 0)
      return Uint32Array.from({ length }, (_, i) => i).sort(compare);
  }
  return undefined;
}

function integerAt(view: DataView, at: number): number {
  return view.getInt32(at) * HALF + view.getUint32(at + 4);
}

function numberAt(view: DataView, at: number): number | null {
  const number = view.getFloat64(at);
  return Number.isNaN(number) ? null : number;
}
