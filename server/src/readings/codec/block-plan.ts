import { insertSample, SAMPLES } from './sorted-sample.ts';

/** So many integers are packed with one width. */
export const BLOCK_SIZE = 128;
/** The widest number in a block, for integers within INTEGER_LIMIT. */
export const MAX_WIDTH = 52;

/**
 * How to write a block: every integer as its distance above a base, in `width` bits. The few that
 * lie below or too far above are exceptions, and are written aside.
 */
export interface BlockPlan {
  readonly base: number;
  readonly width: number;
  readonly hasExceptions: boolean;
}

/** What exceptions must save at least: a block with them takes longer to read. */
const ASIDE_BITS = 64;

// Filled before they are read, within one call that never waits: shared, since making them anew
// would take longer than to plan a block.
const samples = new Float64Array(SAMPLES);
const countByWidth = new Uint8Array(MAX_WIDTH + 1);

function bitLength(number: number): number {
  return number < 2 ** 32 ? 32 - Math.clz32(number) : 64 - Math.clz32(number / 2 ** 32);
}

/** Takes the cheaper way: wide enough for all, or for most that lie around the middle. */
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

/** Nearly the median, from a few samples: it does not follow outliers, as a mean would. */
function middleOf(items: Float64Array, count: number): number {
  for (let taken = 0; taken < SAMPLES; taken += 1) {
    const index = Math.floor(((taken + 0.5) * count) / SAMPLES);
    insertSample(samples, taken, items[index] as number);
  }
  return samples[SAMPLES >> 1] as number;
}

/** Counts how many integers need which width when the middle is in the middle. */
function countWide(items: Float64Array, count: number, middle: number): void {
  for (let index = 0; index < count; index += 1) {
    const distance = (items[index] as number) - middle;
    const width = bitLength(distance < 0 ? -2 * distance - 1 : 2 * distance);
    countByWidth[width] = (countByWidth[width] as number) + 1;
  }
}

/** The same in 32-bit arithmetic, which is much faster and nearly always enough. */
function countNarrow(items: Float64Array, count: number, middle: number): void {
  for (let index = 0; index < count; index += 1) {
    const distance = ((items[index] as number) - middle) | 0;
    const width = 32 - Math.clz32((distance << 1) ^ (distance >> 31));
    countByWidth[width] = (countByWidth[width] as number) + 1;
  }
}

/** Weighs narrow numbers with many exceptions against the width that is enough for all. */
function cheapestWidth(count: number, enough: number): number {
  let longest = MAX_WIDTH;
  while (countByWidth[longest] === 0) longest -= 1;
  const bitsAside = 8 * (1 + Math.ceil((longest - 1) / 7));
  let cheapest = enough;
  let fewest = count * enough;
  let exceptions = 0;
  for (let width = longest - 1; width >= 0; width -= 1) {
    exceptions += countByWidth[width + 1] as number;
    const bits = count * width + ASIDE_BITS + exceptions * bitsAside;
    if (bits < fewest) {
      cheapest = width;
      fewest = bits;
    }
  }
  return cheapest;
}

/** The middle was a guess: those around it may do with less room, or be on one side of it. */
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
