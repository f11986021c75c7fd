import { createOutbound, type Log, type Metrics, parseAllowed } from '../runtime/index.ts';
import { createHandlers, type HandlersDeps, type HeartbeatHandlers } from './handlers.ts';
import { createVitals, type VitalsDeps } from './vitals.ts';
import { createHeartbeatWorker } from './worker.ts';

export interface HeartbeatsDeps extends HandlersDeps, VitalsDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly owns: (id: string) => boolean;
  readonly settings: { readonly outboundAllow: string };
}

/** Calls services outside while the server is well, so that its silence is noticed. */
export interface Heartbeats {
  readonly handlers: HeartbeatHandlers;
  start(): void;
  stop(): Promise<void>;
}

export function createHeartbeats(deps: HeartbeatsDeps): Heartbeats {
  const { metrics, settings } = deps;
  const outbound = createOutbound({ allowed: parseAllowed(settings.outboundAllow) });
  const worker = createHeartbeatWorker({ ...deps, outbound, vitals: createVitals(deps) });
  metrics.addCounter({
    name: 'fieldwatch_heartbeats_total',
    help: 'Checks for heartbeats, by what came of them',
    label: 'outcome',
    totals: worker.totals,
  });
  return { handlers: createHandlers(deps), start: worker.start, stop: worker.stop };
}
