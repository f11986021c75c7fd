import { operations } from '@fieldwatch/contract';
import type { Metrics } from '../runtime/index.ts';
import type { Serve } from './handler.ts';

/**
 * Health, readiness and metrics. They need no credentials and have no rate limit: parallel requests
 * share one check of writes and one collection of metrics.
 */
export function serveProbes(
  serve: Serve,
  readings: { check(): Promise<void> },
  metrics: Pick<Metrics, 'text'>,
): void {
  const checkWrites = singleFlight(() => readings.check());
  const readMetrics = singleFlight(() => metrics.text());
  serve(operations.checkHealth, async () => ({ body: { status: 'up' } }));
  serve(operations.checkReadiness, async () => {
    await checkWrites();
    return { body: { status: 'ready', storage: 'ready' } };
  });
  serve(operations.readMetrics, async () => ({ body: await readMetrics() }));
}

/** Parallel calls share one execution. */
function singleFlight<T>(call: () => Promise<T>): () => Promise<T> {
  let inProgress: Promise<T> | undefined;
  return () => {
    inProgress ??= call().finally(() => {
      inProgress = undefined;
    });
    return inProgress;
  };
}
