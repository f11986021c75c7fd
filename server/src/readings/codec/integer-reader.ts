import { NARROW_WIDTH } from './bit-packing.ts';
import { BLOCK_SIZE } from './block-plan.ts';
import { readItems, skipItems, unpackPlain, unpackSums } from './block-reader.ts';
import type { ByteReader } from './byte-reader.ts';
import { DIFFERENCES_FLAG, STEP_FLAG, UNIFORM_FLAG } from './integer-writer.ts';
import { pooledDoubles } from './pooled-arrays.ts';
import type { SkippableSource } from './span.ts';

/** Reads the output of writeIntegers, a block at a time. */
export class IntegerReader implements SkippableSource {
  readonly #reader: ByteReader;
  readonly #usesDifferences: boolean;
  readonly first: number;
  readonly step: number;
  /** The difference between neighbours in steps, if it is constant. */
  readonly uniform: number | undefined;
  #left: number;
  #base = 0;
  /** The next integer. It is in an array, because V8 would box a field at every iteration. */
  readonly #sum: Float64Array;

  /** The origin is added to all integers. The state is one double, which this reader alone uses. */
  constructor(reader: ByteReader, count: number, origin = 0, state = new Float64Array(1)) {
    const head = reader.byte();
    this.#reader = reader;
    this.#usesDifferences = (head & DIFFERENCES_FLAG) !== 0;
    this.first = origin + reader.signed();
    this.step = head & STEP_FLAG ? reader.varint() : 1;
    this.uniform = head & UNIFORM_FLAG ? reader.signed() : undefined;
    this.#left = count;
    this.#sum = state;
    state[0] = this.first;
  }

  get pending(): number {
    return Math.min(this.#left, BLOCK_SIZE);
  }

  /** The integer that a number of steps represents. */
  at(steps: number): number {
    return this.first + this.step * steps;
  }

  skip(): void {
    const count = this.pending;
    this.#left -= count;
    if (this.uniform !== undefined) return;
    const head = this.#reader.byte();
    this.#base += this.#reader.signed();
    skipItems(this.#reader, head, count);
  }

  resume(next: number): void {
    this.#sum[0] = next;
  }

  next(into: Float64Array, at: number): void {
    const count = this.pending;
    this.#left -= count;
    if (this.uniform !== undefined) {
      into.fill(this.uniform, at, at + count);
      this.#finish(into, at, count);
      return;
    }
    const reader = this.#reader;
    const head = reader.byte();
    this.#base += reader.signed();
    if (head <= NARROW_WIDTH) {
      this.#unpack(into, at, count, head);
    } else {
      readItems(reader, head, this.#base, into, at, count);
      this.#finish(into, at, count);
    }
  }

  /** The fast path of nearly all blocks: narrow and without exceptions. */
  #unpack(into: Float64Array, at: number, count: number, width: number): void {
    const { view } = this.#reader;
    const start = this.#reader.take(Math.ceil((count * width) / 8));
    const base = this.step * this.#base;
    if (this.#usesDifferences) {
      unpackSums(view, start, width, into, at, count, base, this.step, this.#sum);
    } else {
      unpackPlain(view, start, width, into, at, count, this.first + base, this.step);
    }
  }

  /** Converts items to integers. */
  #finish(into: Float64Array, at: number, count: number): void {
    const step = this.step;
    if (this.#usesDifferences) {
      let sum = this.#sum[0] as number;
      for (let index = at; index < at + count; index += 1) {
        const difference = into[index] as number;
        into[index] = sum;
        sum += step * difference;
      }
      this.#sum[0] = sum;
    } else {
      const first = this.first;
      for (let index = at; index < at + count; index += 1) {
        into[index] = first + step * (into[index] as number);
      }
    }
  }
}

/** All of the integers that writeIntegers wrote. */
export function readIntegers(reader: ByteReader, count: number): Float64Array {
  const integers = pooledDoubles(count);
  readIntegersInto(reader, count, integers);
  return integers;
}

/** Scratch space: written before it is read, within one synchronous call. */
const state = new Float64Array(1);

/** The same into an array that has room for them. */
export function readIntegersInto(reader: ByteReader, count: number, into: Float64Array): void {
  const source = new IntegerReader(reader, count, 0, state);
  const { first, step, uniform } = source;
  if (uniform === undefined) {
    for (let at = 0; at < count; at += BLOCK_SIZE) source.next(into, at);
    return;
  }
  for (let index = 0; index < count; index += 1) into[index] = first + step * uniform * index;
}
