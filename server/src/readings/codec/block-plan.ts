import { insertSample, SAMPLES } from './sorted-sample.ts';

/** The number of integers that share one width. */
export const BLOCK_SIZE = 128;
/** The widest number in a block, for integers within INTEGER_LIMIT. */
export const MAX_WIDTH = 52;

/**
 * How to write a block (patched frame of reference): each integer as its distance above a base, in
 * `width` bits. Integers outside that range are exceptions, which follow the packed ones.
 */
export interface BlockPlan {
  readonly base: number;
  readonly width: number;
  readonly hasExceptions: boolean;
}

/** The minimum saving by exceptions, because a block with exceptions takes longer to read. */
const EXCEPTION_OVERHEAD_BITS = 64;

// Scratch arrays: filled before they are read, within one synchronous call. Allocating them would
// take longer than planning a block.
const samples = new Float64Array(SAMPLES);
const countByWidth = new Uint8Array(MAX_WIDTH + 1);

function bitLength(number: number): number {
  return number < 2 ** 32 ? 32 - Math.clz32(number) : 64 - Math.clz32(number / 2 ** 32);
}

/** Chooses the smaller plan: a width for all integers, or a width for those near the median. */
export function planBlock(
  items: Float64Array,
  count: number,
  least: number,
  greatest: number,
): BlockPlan {
  const range = greatest - least;
  const width = bitLength(range);
  const forAll = { base: least, width, hasExceptions: false };
  if (width < 2) return forAll;
  const middle = middleOf(items, count);
  countByWidth.fill(0);
  if (range < 2 ** 30) countNarrow(items, count, middle);
  else countWide(items, count, middle);
  const widthForMost = cheapestWidth(count, width);
  return widthForMost < width ? tighten(items, count, middle, widthForMost) : forAll;
}

/** An estimate of the median from a few samples; unlike a mean, it ignores outliers. */
function middleOf(items: Float64Array, count: number): number {
  for (let taken = 0; taken < SAMPLES; taken += 1) {
    const index = Math.floor(((taken + 0.5) * count) / SAMPLES);
    insertSample(samples, taken, items[index] as number);
  }
  return samples[SAMPLES >> 1] as number;
}

/** Counts the integers by the width that they need around the median. */
function countWide(items: Float64Array, count: number, middle: number): void {
  for (let index = 0; index < count; index += 1) {
    const distance = (items[index] as number) - middle;
    const width = bitLength(distance < 0 ? -2 * distance - 1 : 2 * distance);
    countByWidth[width] = (countByWidth[width] as number) + 1;
  }
}

/** The same in 32-bit arithmetic, which is much faster and nearly always sufficient. */
function countNarrow(items: Float64Array, count: number, middle: number): void {
  for (let index = 0; index < count; index += 1) {
    const distance = ((items[index] as number) - middle) | 0;
    const width = 32 - Math.clz32((distance << 1) ^ (distance >> 31));
    countByWidth[width] = (countByWidth[width] as number) + 1;
  }
}

/** The width with the smallest size, counting its exceptions. */
function cheapestWidth(count: number, enough: number): number {
  let longest = MAX_WIDTH;
  while (countByWidth[longest] === 0) longest -= 1;
  const exceptionBits = 8 * (1 + Math.ceil((longest - 1) / 7));
  let cheapest = enough;
  let fewest = count * enough;
  let exceptions = 0;
  for (let width = longest - 1; width >= 0; width -= 1) {
    exceptions += countByWidth[width + 1] as number;
    const bits = count * width + EXCEPTION_OVERHEAD_BITS + exceptions * exceptionBits;
    if (bits < fewest) {
      cheapest = width;
      fewest = bits;
    }
  }
  return cheapest;
}

/** Shrinks the range to the integers that lie in it, since the median was an estimate. */
function tighten(items: Float64Array, count: number, middle: number, width: number): BlockPlan {
  const below = width === 0 ? 0 : 2 ** (width - 1);
  const start = middle - below;
  const end = start + 2 ** width;
  let least = middle;
  let greatest = middle;
  for (let index = 0; index < count; index += 1) {
    const item = items[index] as number;
    if (item < start || item >= end) continue;
    least = Math.min(least, item);
    greatest = Math.max(greatest, item);
  }
  return { base: least, width: bitLength(greatest - least), hasExceptions: true };
}
