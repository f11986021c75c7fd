import { MAX_SYMBOLS } from './huffman.ts';

/**
 * How residuals are divided into symbols: `low + (symbol << shift) + rest`, with `shift` bits of
 * rest. One symbol is left for residuals outside that range, which are exceptions.
 */
export interface ResidualPlan {
  readonly low: number;
  readonly shift: number;
  /** The estimated bits per residual. */
  readonly bits: number;
}

/** A code and the rest of a residual together have at most 25 bits. */
export const MAX_SHIFT = 14;
export const RANGE_SYMBOLS = MAX_SYMBOLS - 1;

/** Exceptions, less the low end of the range, are integers of 32 bits. */
const MAX_RANGE = 2 ** 30;
const SAMPLES = 512;
/** The estimated bits of an exception: a code, and two or three bytes. */
const EXCEPTION_BITS = 26;

// Scratch space: written before it is read, within one synchronous call.
const samples = new Float64Array(SAMPLES);
const counts = new Uint32Array(MAX_SYMBOLS);

/** The plan with the smallest estimated size by a sample; undefined when the range is too wide. */
export function planResiduals(
  residuals: Float64Array,
  count: number,
  least: number,
  greatest: number,
): ResidualPlan | undefined {
  if (greatest - least > MAX_RANGE) return undefined;
  const taken = Math.min(SAMPLES, count);
  for (let index = 0; index < taken; index += 1) {
    samples[index] = residuals[Math.floor(((index + 0.5) * count) / taken)] as number;
  }
  const sorted = samples.subarray(0, taken).sort();
  const middle = sorted[taken >> 1] as number;
  let best: ResidualPlan | undefined;
  const range = (greatest - least + 1) / RANGE_SYMBOLS;
  const widest = Math.min(MAX_SHIFT, Math.ceil(Math.log2(Math.max(1, range))));
  for (let shift = widest; shift >= 0; shift -= 1) {
    const room = RANGE_SYMBOLS * 2 ** shift;
    const centred = middle - Math.floor(room / 2);
    const low = Math.max(least, Math.min(centred, greatest + 1 - room));
    const bits = shift + sampledBits(taken, low, shift);
    if (best === undefined || bits < best.bits) best = { low, shift, bits };
    else if (bits > best.bits + 1) break;
  }
  return best && best.bits < MAX_SHIFT ? best : undefined;
}

function sampledBits(taken: number, low: number, shift: number): number {
  counts.fill(0);
  const unit = 2 ** shift;
  let exceptions = 0;
  for (let index = 0; index < taken; index += 1) {
    const symbol = Math.floor(((samples[index] as number) - low) / unit);
    if (symbol < 0 || symbol >= RANGE_SYMBOLS) exceptions += 1;
    else counts[symbol] = (counts[symbol] as number) + 1;
  }
  let bits = exceptions * EXCEPTION_BITS;
  for (const count of counts) if (count > 0) bits -= count * Math.log2(count / taken);
  return bits / taken;
}
