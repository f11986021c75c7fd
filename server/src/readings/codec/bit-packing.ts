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

/** Numbers of at most so many bits lie in four bytes, wherever they start. */
export const NARROW_WIDTH = 25;

/**
 * Reads what packBits wrote; numbers of no bits are zeros. It looks up to four bytes past the last
 * number: the checksum at the end of every chunk makes that safe.
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

/** Wider numbers can lie in five bytes. */
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
    // Two shifts: by 32 at once JavaScript would not shift at all.
    const high = (view.getUint8(byte + 4) << 1) << (31 - shift);
    numbers[index] = ((view.getUint32(byte, true) >>> shift) | high) & mask;
    bit += width;
  }
}
