/** The only source of time. Tests pass one that they move by hand. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export function isoDateTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
