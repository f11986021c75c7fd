import { withTimeout } from '../runtime/index.ts';
import { storageUnavailable } from './errors.ts';

/** Rejects with `STORAGE_UNAVAILABLE` when `work` takes longer. The work itself goes on to its own limit. */
export function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return withTimeout(limitMs, work, () =>
    storageUnavailable(new Error(`no response within ${limitMs} ms`)),
  );
}
