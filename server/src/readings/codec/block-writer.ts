import { packBits } from './bit-packing.ts';
import { BLOCK_SIZE, type BlockPlan } from './block-plan.ts';
import type { ByteWriter } from './byte-writer.ts';

export const EXCEPTIONS_FLAG = 128;
export const BELOW_FLAG = 128;

// Scratch arrays: written before they are read, within one synchronous call. Allocating them would
// take a good part of the time.
const low = new Uint32Array(BLOCK_SIZE);
const high = new Uint32Array(BLOCK_SIZE);

/** Writes a block as planned. The base is relative to that of the block before. */
export function writeBlock(
  writer: ByteWriter,
  items: Float64Array,
  count: number,
  { base, width, hasExceptions }: BlockPlan,
  lastBase: number,
): void {
  writer.byte(width | (hasExceptions ? EXCEPTIONS_FLAG : 0));
  writer.signed(base - lastBase);
  if (width > 32) {
    splitWide(items, count, base, 2 ** width);
    packBits(writer, low, count, 32);
    packBits(writer, high, count, width - 32);
  } else if (width > 0) {
    splitNarrow(items, count, base, 2 ** width);
    packBits(writer, low, count, width);
  }
  if (hasExceptions) writeExceptions(writer, items, count, base, 2 ** width);
}

/** Fills the distances above the base; an exception is packed as zero. */
function splitNarrow(items: Float64Array, count: number, base: number, room: number): void {
  for (let index = 0; index < count; index += 1) {
    const distance = (items[index] as number) - base;
    low[index] = distance >= 0 && distance < room ? distance : 0;
  }
}

function splitWide(items: Float64Array, count: number, base: number, room: number): void {
  splitNarrow(items, count, base, room);
  for (let index = 0; index < count; index += 1) {
    const distance = (items[index] as number) - base;
    high[index] = distance >= 0 && distance < room ? distance / 2 ** 32 : 0;
  }
}

/** Writes the number of exceptions, then the index and the distance of each from the range. */
function writeExceptions(
  writer: ByteWriter,
  items: Float64Array,
  count: number,
  base: number,
  room: number,
): void {
  const start = writer.length;
  let exceptions = 0;
  writer.byte(exceptions);
  for (let index = 0; index < count; index += 1) {
    const distance = (items[index] as number) - base;
    if (distance >= 0 && distance < room) continue;
    exceptions += 1;
    writer.byte(distance < 0 ? index | BELOW_FLAG : index);
    writer.varint(distance < 0 ? -distance - 1 : distance - room);
  }
  writer.bytes[start] = exceptions;
}
