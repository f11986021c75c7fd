import { setTimeout as sleep } from 'node:timers/promises';
import { EpochEnded } from '../nodes/index.ts';
import { type Clock, isServiceUnavailable } from '../runtime/index.ts';

const MIN_DELAY_MS = 50;
const MAX_DELAY_MS = 1_000;

export interface RetryTimeout {
  readonly clock: Clock;
  /** When the timeout began, by the monotonic clock. */
  readonly since: number;
  readonly timeoutMs: number;
}

/** Retries with exponential backoff while storage is unavailable or overloaded, until the timeout. */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  { clock, since, timeoutMs }: RetryTimeout,
): Promise<T> {
  for (let delayMs = MIN_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
    try {
      return await work();
    } catch (error) {
      const mayPass = isServiceUnavailable(error) && !(error instanceof EpochEnded);
      if (!mayPass || clock.elapsed() - since + delayMs > timeoutMs) throw error;
      await sleep(delayMs);
    }
  }
}
