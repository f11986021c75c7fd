import { BLOCK_SIZE } from './block-plan.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { IntegerReader } from './integer-reader.ts';
import { writeIntegers } from './integer-writer.ts';
import type { BlockSource } from './span.ts';

// Written before they are read, within one call that never waits.
const uppers = new Float64Array(BLOCK_SIZE);
const lowers = new Float64Array(BLOCK_SIZE);

/**
 * Writes numbers of up to 64 bits as two sequences: the upper halves, which change little, and
 * the lower ones.
 */
export function writePairs(
  writer: ByteWriter,
  count: number,
  upperAt: (index: number) => number,
  lowerAt: (index: number) => number,
): void {
  const halves = new Float64Array(count);
  for (let index = 0; index < count; index += 1) halves[index] = upperAt(index);
  writer.section(() => writeIntegers(writer, halves, count));
  for (let index = 0; index < count; index += 1) halves[index] = lowerAt(index);
  writeIntegers(writer, halves, count);
}

/** Reads what writePairs wrote. */
export class PairReader implements BlockSource {
  readonly #uppers: IntegerReader;
  readonly #lowers: IntegerReader;
  readonly #join: (upper: number, lower: number) => number;

  constructor(reader: ByteReader, count: number, join: (upper: number, lower: number) => number) {
    this.#uppers = new IntegerReader(reader.section(), count);
    this.#lowers = new IntegerReader(reader, count);
    this.#join = join;
  }

  get pending(): number {
    return this.#uppers.pending;
  }

  next(into: Float64Array, at: number): void {
    const count = this.pending;
    this.#uppers.next(uppers, 0);
    this.#lowers.next(lowers, 0);
    const join = this.#join;
    for (let index = 0; index < count; index += 1) {
      into[at + index] = join(uppers[index] as number, lowers[index] as number);
    }
  }
}
