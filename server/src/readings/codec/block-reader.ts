import { NARROW_WIDTH, unpackBits } from './bit-packing.ts';
import { BLOCK_SIZE, MAX_WIDTH } from './block-plan.ts';
import { BELOW_FLAG, EXCEPTIONS_FLAG } from './block-writer.ts';
import type { ByteReader } from './byte-reader.ts';
import { DamagedChunk } from './damaged-chunk.ts';

// Scratch arrays: written before they are read, within one synchronous call. Allocating them would
// take a good part of the time.
const low = new Uint32Array(BLOCK_SIZE);
const high = new Uint32Array(BLOCK_SIZE);

/** Reads the items of a block, whose head and base were read before, into `into` from `at` on. */
export function readItems(
  reader: ByteReader,
  head: number,
  base: number,
  into: Float64Array,
  at: number,
  count: number,
): void {
  const width = head & ~EXCEPTIONS_FLAG;
  if (width > MAX_WIDTH) throw new DamagedChunk('a block in it has an impossible width');
  if (width <= NARROW_WIDTH) {
    const start = reader.take(Math.ceil((count * width) / 8));
    unpackPlain(reader.view, start, width, into, at, count, base, 1);
  } else {
    readWide(reader, width, base, into, at, count);
  }
  if (head & EXCEPTIONS_FLAG) readExceptions(reader, width, base, into, at, count);
}

/** Skips the items of a block, whose head and base were read before. */
export function skipItems(reader: ByteReader, head: number, count: number): void {
  const width = head & ~EXCEPTIONS_FLAG;
  if (width > MAX_WIDTH) throw new DamagedChunk('a block in it has an impossible width');
  reader.take(Math.ceil((count * Math.min(width, 32)) / 8));
  reader.take(Math.ceil((count * Math.max(width - 32, 0)) / 8));
  if ((head & EXCEPTIONS_FLAG) === 0) return;
  for (let left = reader.byte(); left > 0; left -= 1) {
    reader.take(1);
    reader.varint();
  }
}

function readWide(
  reader: ByteReader,
  width: number,
  base: number,
  into: Float64Array,
  at: number,
  count: number,
): void {
  unpackBits(reader, low, count, Math.min(width, 32));
  unpackBits(reader, high, count, Math.max(width - 32, 0));
  for (let index = 0; index < count; index += 1) {
    into[at + index] = base + (high[index] as number) * 2 ** 32 + (low[index] as number);
  }
}

function readExceptions(
  reader: ByteReader,
  width: number,
  base: number,
  into: Float64Array,
  at: number,
  count: number,
): void {
  for (let left = reader.byte(); left > 0; left -= 1) {
    const position = reader.byte();
    const index = position & ~BELOW_FLAG;
    if (index >= count) throw new DamagedChunk('an exception in it is in no block');
    const far = reader.varint();
    into[at + index] = position & BELOW_FLAG ? base - 1 - far : base + 2 ** width + far;
  }
}

/** Unpacks narrow numbers as `base + step * number`. */
export function unpackPlain(
  view: DataView,
  start: number,
  width: number,
  into: Float64Array,
  at: number,
  count: number,
  base: number,
  step: number,
): void {
  const mask = (1 << width) - 1;
  let bit = start * 8;
  for (let index = at; index < at + count; index += 1) {
    const number = (view.getUint32(bit >>> 3, true) >>> (bit & 7)) & mask;
    into[index] = base + step * number;
    bit += width;
  }
}

/** The same for differences: each result is the sum of all differences before it. */
export function unpackSums(
  view: DataView,
  start: number,
  width: number,
  into: Float64Array,
  at: number,
  count: number,
  base: number,
  step: number,
  state: Float64Array,
): void {
  const mask = (1 << width) - 1;
  let bit = start * 8;
  let sum = state[0] as number;
  for (let index = at; index < at + count; index += 1) {
    const number = (view.getUint32(bit >>> 3, true) >>> (bit & 7)) & mask;
    into[index] = sum;
    sum += base + step * number;
    bit += width;
  }
  state[0] = sum;
}
