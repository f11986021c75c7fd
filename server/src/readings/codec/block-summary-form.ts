import { BLOCK_SIZE } from './block-plan.ts';

/*
 * Block summaries, a zone map: the form, the start times of zones (unless times are uniform), and a
 * summary per zone. A zone is one block or four.
 */

/** Times far apart, or values with exceptions: the chunk is decoded as a whole. */
export const NO_SUMMARIES = 0;
/** First, last, minimum, maximum and sum in steps of the values; nothing when these are uniform. */
export const IN_STEPS = 1;
/** The same with each sum as a double, where a sum of steps would not be exact. */
export const IN_STEPS_WITH_SUMS = 2;
/** Minimum, maximum, sum, first and last as doubles. */
export const IN_DOUBLES = 3;

export const MAX_ZONE_READINGS = 4 * BLOCK_SIZE;

/** Readings per zone, except in the last one. Summaries of doubles are long, hence fewer zones. */
export function zoneSizeOf(form: number): number {
  return form === IN_DOUBLES ? MAX_ZONE_READINGS : BLOCK_SIZE;
}
