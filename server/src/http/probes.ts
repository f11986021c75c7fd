import { operations } from '@fieldwatch/contract';
import type { Metrics } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import type { Serve } from './handler.ts';

/** Is the process up, can it work, and how is it doing. */
export function serveProbes(serve: Serve, storage: Storage, metrics: Metrics): void {
  serve(operations.checkHealth, async () => ({ body: { status: 'up' } }));
  serve(operations.checkReadiness, async () => {
    await storage.check();
    return { body: { status: 'ready', storage: 'ready' } };
  });
  serve(operations.readMetrics, async () => ({ body: await metrics.text() }));
}
