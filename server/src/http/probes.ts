import { operations } from '@fieldwatch/contract';
import type { Metrics } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import type { Serve } from './handler.ts';

/**
 * Is the process up, can it work, and how is it doing. Anyone may ask, as often as they like:
 * requests at the same time share one look at storage and one collection of metrics.
 */
export function serveProbes(
  serve: Serve,
  storage: Pick<Storage, 'check'>,
  metrics: Pick<Metrics, 'text'>,
): void {
  const checkStorage = singleFlight(() => storage.check());
  const readMetrics = singleFlight(() => metrics.text());
  serve(operations.checkHealth, async () => ({ body: { status: 'up' } }));
  serve(operations.checkReadiness, async () => {
    await checkStorage();
    return { body: { status: 'ready', storage: 'ready' } };
  });
  serve(operations.readMetrics, async () => ({ body: await readMetrics() }));
}

/** Calls that come while one is in progress get its outcome. */
function singleFlight<T>(call: () => Promise<T>): () => Promise<T> {
  let inProgress: Promise<T> | undefined;
  return () => {
    inProgress ??= call().finally(() => {
      inProgress = undefined;
    });
    return inProgress;
  };
}
