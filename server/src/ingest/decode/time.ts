/** 2000-01-01T00:00:00Z. A clock that was never set shows an earlier time. */
export const EARLIEST_TIME_MS = 946_684_800_000;

/** How far the clock of a Device may be ahead of the server's. */
export const MAX_AHEAD_MS = 10 * 60_000;

/** The time of readings without a timestamp: they get one when their Variable is known. */
export const NO_TIMESTAMP = 0;

/** The stated time, or the fallback without one; undefined when the stated time is invalid. */
export function timeOf(
  stated: unknown,
  fallback: number | undefined,
  receivedAt: number,
): number | undefined {
  if (stated === undefined) return fallback;
  const isGood =
    Number.isInteger(stated) &&
    typeof stated === 'number' &&
    stated >= EARLIEST_TIME_MS &&
    stated <= receivedAt + MAX_AHEAD_MS;
  return isGood ? stated : undefined;
}
