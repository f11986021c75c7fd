/** The only source of time. Tests pass one that they move by hand. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /**
   * Milliseconds since some moment before the start. Setting the clock does not change it, so that
   * durations are measured by it; it stands still while the machine is suspended.
   */
  elapsed(): number;
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };

export function isoDateTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
