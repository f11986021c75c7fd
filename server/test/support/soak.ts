import { randomInt } from 'node:crypto';

/** The share of its cases that a test runs in `npm test`, where it has hundreds of them. */
const SHORT = 0.1;
/** The share where it has thousands; each run has other ones, so that many runs find what one does not. */
const SHORT_OF_MANY = 0.03;
const MIN_OF_MANY = 40;

/**
 * Which cases a run has, where it has not all of them: `npm test` prints it, and the same one chooses
 * the same cases.
 */
export const SEED = Number(process.env.TEST_SEED ?? randomInt(2 ** 31));

/** How many of `full` cases to run now: all of them in `npm run test:soak`, a part otherwise. */
export function cases(full: number, part?: number): number {
  if (process.env.FIELDWATCH_TEST_SOAK === 'true') return full;
  if (part !== undefined) return Math.ceil(full * part);
  const ofMany = Math.max(MIN_OF_MANY, Math.ceil(full * SHORT_OF_MANY));
  return Math.min(ofMany, Math.ceil(full * SHORT));
}

/**
 * A part of the variants of a test, evenly spread; another seed has other ones, and `npm run test:soak`
 * has all of them.
 */
export function someOf<T>(variants: readonly T[], part: number): readonly T[] {
  const count = cases(variants.length, part);
  const offset = SEED % variants.length;
  const rank = (index: number) => Math.floor(((index + offset) * count) / variants.length);
  return variants.filter((_, index) => rank(index) !== rank(index - 1));
}
