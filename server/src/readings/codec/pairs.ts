import { BLOCK_SIZE } from './block-plan.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { IntegerReader } from './integer-reader.ts';
import { writeIntegers } from './integer-writer.ts';
import type { SkippableSource } from './span.ts';

// Scratch space: written before they are read, within one synchronous call.
const uppers = new Float64Array(BLOCK_SIZE);
const lowers = new Float64Array(BLOCK_SIZE);

/**
 * Writes numbers of up to 64 bits as two sequences: the upper halves, which change little, and
 * the lower ones.
 */
export function writePairs(
  writer: ByteWriter,
  numbers: ArrayLike<number>,
  count: number,
  { upperOf, lowerOf }: Halves,
): void {
  const halves = new Float64Array(count);
  for (let index = 0; index < count; index += 1) halves[index] = upperOf(numbers[index] as number);
  writer.section(() => writeIntegers(writer, halves, count));
  for (let index = 0; index < count; index += 1) halves[index] = lowerOf(numbers[index] as number);
  writeIntegers(writer, halves, count);
}

/** How a number is divided into halves. */
export interface Halves {
  join(upper: number, lower: number): number;
  upperOf(number: number): number;
  lowerOf(number: number): number;
}

/** Reads the output of writePairs. */
export class PairReader implements SkippableSource {
  readonly #uppers: IntegerReader;
  readonly #lowers: IntegerReader;
  readonly #halves: Halves;

  constructor(reader: ByteReader, count: number, halves: Halves) {
    this.#uppers = new IntegerReader(reader.section(), count);
    this.#lowers = new IntegerReader(reader, count);
    this.#halves = halves;
  }

  get pending(): number {
    return this.#uppers.pending;
  }

  skip(): void {
    this.#uppers.skip();
    this.#lowers.skip();
  }

  resume(next: number): void {
    this.#uppers.resume(this.#halves.upperOf(next));
    this.#lowers.resume(this.#halves.lowerOf(next));
  }

  next(into: Float64Array, at: number): void {
    const count = this.pending;
    this.#uppers.next(uppers, 0);
    this.#lowers.next(lowers, 0);
    const { join } = this.#halves;
    for (let index = 0; index < count; index += 1) {
      into[at + index] = join(uppers[index] as number, lowers[index] as number);
    }
  }
}
