/** The share of its cases that a test with very many of them runs in `npm test`. */
const SHORT = 0.1;

/** How many of `full` cases to run now: all of them in `npm run test:soak`, a part otherwise. */
export function cases(full: number, part = SHORT): number {
  return process.env.FIELDWATCH_TEST_SOAK === 'true' ? full : Math.ceil(full * part);
}
