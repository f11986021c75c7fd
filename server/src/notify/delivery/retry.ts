const FIRST_CEILING_MS = 10_000;
const LAST_CEILING_MS = 6 * 3_600_000;
const CEILING_FACTOR = 3;

/** How long after it was first due a delivery is tried again. */
export const PATIENCE_MS = 72 * 3_600_000;

/** From so many failures in a row on, a target rests. */
export const FAILURES_TO_REST = 5;
const FIRST_REST_MS = 30_000;
const LAST_REST_MS = 15 * 60_000;
/** Who asks to be left alone for longer is asked again after this: an alarm may be waiting. */
export const MOST_ASKED_MS = 3_600_000;

/**
 * When to try again after the given attempt failed; null when it is given up. The pause is anything
 * up to a ceiling that grows (full jitter): those that failed together do not come back together. It
 * is not shorter than what the target asked for.
 */
export function nextAttemptAt(
  delivery: {
    readonly attempts: number;
    readonly startedAt: number;
    readonly askedPauseMs?: number;
  },
  now: number,
  random: number,
): number | null {
  const pauseMs = Math.round(random * pauseCeilingMs(delivery.attempts));
  const next = now + Math.max(pauseMs, delivery.askedPauseMs ?? 0);
  return next <= delivery.startedAt + PATIENCE_MS ? next : null;
}

/** The longest pause after so many attempts. */
export function pauseCeilingMs(attempts: number): number {
  return Math.min(LAST_CEILING_MS, FIRST_CEILING_MS * CEILING_FACTOR ** Math.max(0, attempts - 1));
}

/**
 * Until when a target rests after so many failures in a row, and after it asked for a pause; null
 * when it need not.
 */
export function restUntil(failures: number, now: number, askedPauseMs = 0): number | null {
  const restMs =
    failures < FAILURES_TO_REST
      ? 0
      : Math.min(LAST_REST_MS, FIRST_REST_MS * 2 ** (failures - FAILURES_TO_REST));
  const pauseMs = Math.max(restMs, askedPauseMs);
  return pauseMs === 0 ? null : now + pauseMs;
}

/** What a `Retry-After` asks for, in seconds or as a date; nothing that cannot be read. */
export function askedPauseMs(retryAfter: string | null, now: number): number {
  const text = retryAfter?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? 1_000 * Number(text) : Date.parse(httpDateIn(text)) - now;
  return ms > 0 ? Math.min(ms, MOST_ASKED_MS) : 0;
}

function httpDateIn(text: string): string {
  return /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text) ? text : '';
}

/** One that has failed too often is tried with one delivery at a time. */
export function deliveriesAtOnce(failures: number, most: number): number {
  return failures >= FAILURES_TO_REST ? 1 : most;
}
