const FIRST_CEILING_MS = 10_000;
const LAST_CEILING_MS = 6 * 3_600_000;
const CEILING_FACTOR = 3;

/** How long after it was first due a delivery is tried again. */
export const PATIENCE_MS = 72 * 3_600_000;

/** From so many failures in a row on, a target rests. */
export const FAILURES_TO_REST = 5;
const FIRST_REST_MS = 30_000;
const LAST_REST_MS = 15 * 60_000;

/**
 * When to try again after the given attempt failed; null when it is given up. The pause is anything
 * up to a ceiling that grows (full jitter): those that failed together do not come back together.
 */
export function nextAttemptAt(
  delivery: { readonly attempts: number; readonly startedAt: number },
  now: number,
  random: number,
): number | null {
  const next = now + Math.round(random * pauseCeilingMs(delivery.attempts));
  return next <= delivery.startedAt + PATIENCE_MS ? next : null;
}

/** The longest pause after so many attempts. */
export function pauseCeilingMs(attempts: number): number {
  return Math.min(LAST_CEILING_MS, FIRST_CEILING_MS * CEILING_FACTOR ** Math.max(0, attempts - 1));
}

/** Until when a target rests after so many failures in a row; null when it need not. */
export function restUntil(failures: number, now: number): number | null {
  if (failures < FAILURES_TO_REST) return null;
  return now + Math.min(LAST_REST_MS, FIRST_REST_MS * 2 ** (failures - FAILURES_TO_REST));
}

/** One that has failed too often is tried with one delivery at a time. */
export function deliveriesAtOnce(failures: number, most: number): number {
  return failures >= FAILURES_TO_REST ? 1 : most;
}
