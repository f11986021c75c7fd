const FIRST_BACKOFF_MS = 10_000;
const MAX_BACKOFF_MS = 6 * 3_600_000;
const BACKOFF_FACTOR = 3;

/** For so long after it was first due a delivery is retried. */
export const RETRY_TIMEOUT_MS = 72 * 3_600_000;

/** From so many consecutive failures on, the circuit of a target is open. */
export const FAILURES_TO_OPEN_CIRCUIT = 5;
const FIRST_OPEN_MS = 30_000;
const MAX_OPEN_MS = 15 * 60_000;
/** A target that requests a longer pause is tried after this all the same: an alarm may be waiting. */
export const MAX_REQUESTED_PAUSE_MS = 3_600_000;

/**
 * The time of the next attempt after a failed one; null when the delivery is given up. The pause is
 * random up to an exponential backoff (full jitter), so that deliveries that failed together are not
 * retried together. It is not shorter than the pause that the target requested.
 */
export function nextAttemptAt(
  delivery: {
    readonly attempts: number;
    readonly startedAt: number;
    readonly requestedPauseMs?: number;
  },
  now: number,
  random: number,
): number | null {
  const pauseMs = Math.round(random * maxBackoffMs(delivery.attempts));
  const next = now + Math.max(pauseMs, delivery.requestedPauseMs ?? 0);
  return next <= delivery.startedAt + RETRY_TIMEOUT_MS ? next : null;
}

/** The longest pause after so many attempts. */
export function maxBackoffMs(attempts: number): number {
  return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * BACKOFF_FACTOR ** Math.max(0, attempts - 1));
}

/**
 * Until when the circuit of a target is open after so many consecutive failures, or because it
 * requested a pause; null when it stays closed.
 */
export function circuitOpenUntil(
  failures: number,
  now: number,
  requestedPauseMs = 0,
): number | null {
  const openMs =
    failures < FAILURES_TO_OPEN_CIRCUIT
      ? 0
      : Math.min(MAX_OPEN_MS, FIRST_OPEN_MS * 2 ** (failures - FAILURES_TO_OPEN_CIRCUIT));
  const pauseMs = Math.max(openMs, requestedPauseMs);
  return pauseMs === 0 ? null : now + pauseMs;
}

/** The pause of a `Retry-After` in seconds or as a date; 0 when it is neither. */
export function requestedPauseMs(retryAfter: string | null, now: number): number {
  const text = retryAfter?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? 1_000 * Number(text) : Date.parse(httpDateIn(text)) - now;
  return ms > 0 ? Math.min(ms, MAX_REQUESTED_PAUSE_MS) : 0;
}

function httpDateIn(text: string): string {
  return /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text) ? text : '';
}

/** A target whose circuit was open is tried with one delivery at a time. */
export function maxConcurrentDeliveries(failures: number, max: number): number {
  return failures >= FAILURES_TO_OPEN_CIRCUIT ? 1 : max;
}
