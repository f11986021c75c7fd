import { ConnectionError } from './errors.ts';

export const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Runs work that ends in time or is given up. Rejects with a `ConnectionError` when the time is over,
 * and with the signal's reason when the caller gives up, even if the work does not heed its signal.
 */
export function within<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const giveUp = (reason: unknown) => {
      reject(reason);
      controller.abort(reason);
    };
    const onAbort = () => giveUp(signal?.reason);
    if (signal?.aborted) {
      onAbort();
      return;
    }
    const timer = setTimeout(
      () => giveUp(new ConnectionError('TIMEOUT', `No answer within ${timeoutMs} ms.`)),
      timeoutMs,
    );
    signal?.addEventListener('abort', onAbort, { once: true });
    work(controller.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      });
  });
}

/** Waits, or rejects with the signal's reason when the caller gives up. */
export function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
