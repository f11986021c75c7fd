import { storageUnavailable } from './errors.ts';

/** Rejects with `STORAGE_UNAVAILABLE` when `work` takes longer. The work itself goes on to its own limit. */
export function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(storageUnavailable(new Error(`no answer within ${limitMs} ms`))),
      limitMs,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
