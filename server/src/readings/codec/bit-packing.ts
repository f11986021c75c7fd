import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

/** Writes `count` numbers of `width` bits each, 1 to 32. Higher bits of a number must be zero. */
export function packBits(
  writer: ByteWriter,
  numbers: Uint32Array,
  count: number,
  width: number,
): void {
  writer.reserve(Math.ceil((count * width) / 8) + 4);
  const { view } = writer;
  let at = writer.length;
  let word = 0;
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const number = numbers[index] as number;
    word |= number << used;
    used += width;
    if (used >= 32) {
      view.setUint32(at, word, true);
      at += 4;
      used -= 32;
      word = used === 0 ? 0 : number >>> (width - used);
    }
  }
  view.setUint32(at, word, true);
  writer.length = at + Math.ceil(used / 8);
}

/** A number of at most this width lies within four bytes at any bit offset. */
export const NARROW_WIDTH = 25;

/**
 * Reads the output of packBits; numbers of width 0 are zeros. It reads up to four bytes past the last
 * number, which the checksum at the end of every chunk makes safe.
 */
export function unpackBits(
  reader: ByteReader,
  numbers: Uint32Array,
  count: number,
  width: number,
): void {
  const start = reader.take(Math.ceil((count * width) / 8));
  if (width <= NARROW_WIDTH) unpackNarrow(reader.view, start, numbers, count, width);
  else unpackWide(reader.view, start, numbers, count, width);
}

function unpackNarrow(
  view: DataView,
  start: number,
  numbers: Uint32Array,
  count: number,
  width: number,
): void {
  const mask = (1 << width) - 1;
  let bit = start * 8;
  for (let index = 0; index < count; index += 1) {
    numbers[index] = (view.getUint32(bit >>> 3, true) >>> (bit & 7)) & mask;
    bit += width;
  }
}

/** A wider number can extend over five bytes. */
function unpackWide(
  view: DataView,
  start: number,
  numbers: Uint32Array,
  count: number,
  width: number,
): void {
  const mask = 0xffff_ffff >>> (32 - width);
  let bit = start * 8;
  for (let index = 0; index < count; index += 1) {
    const byte = bit >>> 3;
    const shift = bit & 7;
    // Two shifts, because JavaScript treats a shift by 32 as one by 0.
    const high = (view.getUint8(byte + 4) << 1) << (31 - shift);
    numbers[index] = ((view.getUint32(byte, true) >>> shift) | high) & mask;
    bit += width;
  }
}
