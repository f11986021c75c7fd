import { BLOCK_SIZE } from './block-plan.ts';

/*
 * An index: its form, where parts begin in time (unless times are uniform), and of each part what
 * the form says. A part is one block or a few.
 */

/** Far times, or values of which some are not on their lattice: read as a whole. */
export const NO_INDEX = 0;
/** Ends, extremes and sums in steps of the sequence of values; nothing when they are uniform. */
export const IN_STEPS = 1;
/** The same, with each sum as a double: of steps it would not be exact. */
export const IN_STEPS_WITH_SUMS = 2;
/** Min, max, sum, first and last as doubles. */
export const IN_DOUBLES = 3;

export const LARGEST_PART = 4 * BLOCK_SIZE;

/** How many readings a part has, but for the last one. Doubles are long, so that few are told. */
export function partSizeOf(form: number): number {
  return form === IN_DOUBLES ? LARGEST_PART : BLOCK_SIZE;
}
