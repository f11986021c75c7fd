import { DamagedChunk } from './damaged-chunk.ts';
import { codesOf, ENTRY_SHIFT, LENGTH_MASK, MAX_CODE_BITS } from './huffman.ts';
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
const paddedView = new DataView(padded.buffer);

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
 * Unpacks residuals, less the low end of their range, into `into`. The bytes are copied to where a
 * damaged stream reads nothing beyond the buffer.
 */
export function unpackStreams(
  bytes: Uint8Array,
  count: number,
  table: Uint32Array,
  shift: number,
  into: Int32Array,
): void {
  if (bytes.length > MAX_STREAM_BYTES) throw new DamagedChunk('a zone in it is too long');
  padded.set(bytes, MARGIN);
  const end = MARGIN + bytes.length - 4;
  const half = Math.ceil(count / 2);
  const codeMask = table.length - 1;
  const restMask = (1 << shift) - 1;
  const view = paddedView;
  let a = MARGIN * 8;
  let b = 0;
  const pairs = isNarrow(table, shift) ? (count - half) >> 1 : 0;
  for (let index = 0; index < 2 * pairs; index += 2) {
    let window = view.getUint32(a >>> 3, true) >>> (a & 7);
    let entry = table[window & codeMask] as number;
    let length = entry & LENGTH_MASK;
    into[index] = (entry >>> ENTRY_SHIFT) + ((window >>> length) & restMask);
    a += length + shift;
    window >>>= length + shift;
    entry = table[window & codeMask] as number;
    length = entry & LENGTH_MASK;
    into[index + 1] = (entry >>> ENTRY_SHIFT) + ((window >>> length) & restMask);
    a += length + shift;
    window = view.getUint32(end - (b >>> 3), false) >>> (b & 7);
    entry = table[window & codeMask] as number;
    length = entry & LENGTH_MASK;
    into[half + index] = (entry >>> ENTRY_SHIFT) + ((window >>> length) & restMask);
    b += length + shift;
    window >>>= length + shift;
    entry = table[window & codeMask] as number;
    length = entry & LENGTH_MASK;
    into[half + index + 1] = (entry >>> ENTRY_SHIFT) + ((window >>> length) & restMask);
    b += length + shift;
  }
  for (let index = 2 * pairs; index < half; index += 1) {
    const window = view.getUint32(a >>> 3, true) >>> (a & 7);
    const entry = table[window & codeMask] as number;
    const length = entry & LENGTH_MASK;
    into[index] = (entry >>> ENTRY_SHIFT) + ((window >>> length) & restMask);
    a += length + shift;
  }
  for (let index = half + 2 * pairs; index < count; index += 1) {
    const window = view.getUint32(end - (b >>> 3), false) >>> (b & 7);
    const entry = table[window & codeMask] as number;
    const length = entry & LENGTH_MASK;
    into[index] = (entry >>> ENTRY_SHIFT) + ((window >>> length) & restMask);
    b += length + shift;
  }
  const used = Math.ceil((a - MARGIN * 8) / 8) + Math.ceil(b / 8);
  if (used !== bytes.length) throw new DamagedChunk('a zone in it has another length');
}

/** Whether two residuals lie within four bytes at any bit offset. */
function isNarrow(table: Uint32Array, shift: number): boolean {
  return 2 * (31 - Math.clz32(table.length) + shift) <= 25;
}
