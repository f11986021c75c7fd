const POLL_MS = 1_000;

/**
 * For how long the worker may sleep when nothing is due. What other servers make due meanwhile is
 * found by the next poll; a page whose time is known is not kept waiting for it. `delayMs` passes
 * after each sleep.
 */
export function idleMs(nextAt: number | null, now: number, delayMs: number): number {
  if (nextAt === null) return POLL_MS;
  return Math.min(POLL_MS, Math.max(0, nextAt - now - delayMs));
}
