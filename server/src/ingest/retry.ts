import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, Failure } from '../runtime/index.ts';

const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 1_000;

export interface Patience {
  readonly clock: Clock;
  /** When the wait began. */
  readonly since: number;
  readonly limitMs: number;
}

/** Tries again while storage is unavailable, until the limit has passed. */
export async function patiently<T>(
  work: () => Promise<T>,
  { clock, since, limitMs }: Patience,
): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || clock.now() - since + pauseMs > limitMs) throw error;
      await pause(pauseMs);
    }
  }
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof Failure && error.code === 'STORAGE_UNAVAILABLE';
}
