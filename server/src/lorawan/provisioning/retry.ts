const FIRST_RETRY_MS = 10_000;
const MAX_RETRY_MS = 3_600_000;
const RETRY_FACTOR = 3;

/**
 * The time of the next attempt after so many. Half of the pause is random, so that sensors that failed
 * together are not tried together. What only a person can help is tried once an hour: they may have done
 * so at the network server.
 */
export function nextAttemptAt(
  { attempts, isFinal }: { readonly attempts: number; readonly isFinal: boolean },
  now: number,
  random: number,
): number {
  if (isFinal) return now + MAX_RETRY_MS;
  const pauseMs = FIRST_RETRY_MS * RETRY_FACTOR ** Math.max(0, attempts - 1);
  return now + Math.round(Math.min(MAX_RETRY_MS, pauseMs) * (0.5 + random / 2));
}
