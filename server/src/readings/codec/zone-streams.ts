import { DamagedChunk } from './damaged-chunk.ts';
import { codesOf, type DecodingTable, ENTRY_SHIFT, LENGTH_MASK, MAX_CODE_BITS } from './huffman.ts';
import { MAX_SHIFT, RANGE_SYMBOLS, type ResidualPlan } from './residual-plan.ts';
import { ZONE_SIZE } from './zone-size.ts';

/*
 * The residuals of a zone are two streams of bits, so that a processor decodes both at once: the
 * first half from the beginning of the bytes on, the second half backwards from their end.
 */

/** What a damaged stream may read beyond its bytes. */
const MARGIN = Math.ceil((ZONE_SIZE * (MAX_CODE_BITS + MAX_SHIFT)) / 8) + 8;
/** The bytes of a zone: its streams, and exceptions of up to eight bytes each. */
const MAX_STREAM_BYTES = 2 * MARGIN;

export interface ResidualCode {
  readonly plan: ResidualPlan;
  readonly lengths: Uint8Array;
  readonly codes: Uint16Array;
}

export function residualCode(plan: ResidualPlan, lengths: Uint8Array): ResidualCode {
  return { plan, lengths, codes: codesOf(lengths) };
}

/** The symbol of a residual; RANGE_SYMBOLS for one that is outside of the range. */
export function symbolOf(residual: number, { low, shift }: ResidualPlan): number {
  const distance = residual - low;
  if (distance < 0 || distance >= RANGE_SYMBOLS * 2 ** shift) return RANGE_SYMBOLS;
  return distance >>> shift;
}

// Scratch space: written before it is read, within one synchronous call.
const forward = new Uint8Array(MARGIN);
const backward = new Uint8Array(MARGIN);
const padded = new Uint8Array(MARGIN + MAX_STREAM_BYTES + MARGIN);
const paddedMemory = new DataView(padded.buffer);

/** Packs the residuals from `start` to `end`, exclusive. The bytes are reused by the next call. */
export function packStreams(
  residuals: Float64Array,
  start: number,
  end: number,
  code: ResidualCode,
): Uint8Array {
  const half = start + Math.ceil((end - start) / 2);
  const first = packStream(residuals, start, half, code, forward);
  const second = packStream(residuals, half, end, code, backward);
  const bytes = new Uint8Array(first + second);
  bytes.set(forward.subarray(0, first));
  for (let index = 0; index < second; index += 1) {
    bytes[bytes.length - 1 - index] = backward[index] as number;
  }
  return bytes;
}

/** Returns the number of bytes. */
function packStream(
  residuals: Float64Array,
  start: number,
  end: number,
  { plan, lengths, codes }: ResidualCode,
  into: Uint8Array,
): number {
  const { low, shift } = plan;
  const mask = (1 << shift) - 1;
  let at = 0;
  let word = 0;
  let used = 0;
  for (let index = start; index < end; index += 1) {
    const residual = residuals[index] as number;
    const symbol = symbolOf(residual, plan);
    const length = lengths[symbol] as number;
    const rest = symbol === RANGE_SYMBOLS ? 0 : (residual - low) & mask;
    // At most seven bits are left over, so that 32 hold them and the next residual.
    word |= ((codes[symbol] as number) | (rest << length)) << used;
    used += length + shift;
    for (; used >= 8; used -= 8) {
      into[at++] = word;
      word >>>= 8;
    }
  }
  if (used > 0) into[at++] = word;
  return at;
}

/**
 * Unpacks residuals, less the low end of their range, into `into`. Their bytes, between two offsets
 * of the memory, are read where they are, or copied where a damaged stream would be read beyond it.
 */
export function unpackStreams(
  memory: DataView,
  start: number,
  end: number,
  count: number,
  table: DecodingTable,
  shift: number,
  into: Int32Array,
): void {
  const length = end - start;
  if (length < 0 || length > MAX_STREAM_BYTES) throw new DamagedChunk('a zone in it is too long');
  const isInside = start >= MARGIN && end + MARGIN <= memory.byteLength;
  if (!isInside) padded.set(new Uint8Array(memory.buffer, start, length), MARGIN);
  const used = isInside
    ? unpack(memory, start, end, count, table, shift, into)
    : unpack(paddedMemory, MARGIN, MARGIN + length, count, table, shift, into);
  if (used !== length) throw new DamagedChunk('a zone in it has another length');
}

/** Returns the bytes of both streams. */
function unpack(
  memory: DataView,
  start: number,
  stop: number,
  count: number,
  table: DecodingTable,
  shift: number,
  into: Int32Array,
): number {
  const { entries, bits } = table;
  const end = stop - 4;
  const half = (count + 1) >>> 1;
  const codeMask = (1 << bits) - 1;
  const restMask = (1 << shift) - 1;
  let [a, b] = [0, 0];
  // Two residuals lie within four bytes at any bit offset if they are narrow.
  const paired = 2 * (bits + shift) <= 25 ? (count - half) & ~1 : 0;
  for (let index = 0; index < paired; index += 2) {
    let window = memory.getUint32(start + (a >>> 3), true) >>> (a & 7);
    let entry = entries[window & codeMask] as number;
    let length = entry & LENGTH_MASK;
    into[index] = (entry >>> ENTRY_SHIFT) + ((window >>> length) & restMask);
    a += length + shift;
    window >>>= length + shift;
    entry = entries[window & codeMask] as number;
    length = entry & LENGTH_MASK;
    into[index + 1] = (entry >>> ENTRY_SHIFT) + ((window >>> length) & restMask);
    a += length + shift;
    window = memory.getUint32(end - (b >>> 3), false) >>> (b & 7);
    entry = entries[window & codeMask] as number;
    length = entry & LENGTH_MASK;
    into[half + index] = (entry >>> ENTRY_SHIFT) + ((window >>> length) & restMask);
    b += length + shift;
    window >>>= length + shift;
    entry = entries[window & codeMask] as number;
    length = entry & LENGTH_MASK;
    into[half + index + 1] = (entry >>> ENTRY_SHIFT) + ((window >>> length) & restMask);
    b += length + shift;
  }
  for (let index = paired; index < half; index += 1) {
    const window = memory.getUint32(start + (a >>> 3), true) >>> (a & 7);
    const entry = entries[window & codeMask] as number;
    const length = entry & LENGTH_MASK;
    into[index] = (entry >>> ENTRY_SHIFT) + ((window >>> length) & restMask);
    a += length + shift;
  }
  for (let index = half + paired; index < count; index += 1) {
    const window = memory.getUint32(end - (b >>> 3), false) >>> (b & 7);
    const entry = entries[window & codeMask] as number;
    const length = entry & LENGTH_MASK;
    into[index] = (entry >>> ENTRY_SHIFT) + ((window >>> length) & restMask);
    b += length + shift;
  }
  return ((a + 7) >>> 3) + ((b + 7) >>> 3);
}
