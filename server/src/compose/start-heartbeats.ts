import type { Config } from '../config.ts';
import { createHeartbeats, heartbeatRoutes } from '../heartbeats/index.ts';
import type { Serve } from '../http/index.ts';
import type { Notify } from '../notify/index.ts';
import type { Lifecycle } from '../runtime/index.ts';
import type { IngestServices } from './compose-ingest.ts';
import type { CoreServices } from './core-services.ts';

/** Calls services outside as long as readings, alarms and notifications are processed. */
export function startHeartbeats(
  serve: Serve,
  core: CoreServices,
  options: {
    readonly config: Config;
    readonly lifecycle: Lifecycle;
    readonly services: IngestServices;
    readonly notify: Notify;
  },
): void {
  const { config, lifecycle, services, notify } = options;
  const { ingest, readings, alarmEngine, membership } = services;
  const heartbeats = createHeartbeats({
    ...core,
    settings: config.notify,
    owns: (id) => membership.ownership.owns(id),
    probe: ingest.probe,
    latest: readings.ingestLatest,
    lastTickAt: alarmEngine.lastTickAt,
    lastTurnAt: notify.lastTurnAt,
  });
  heartbeats.start();
  lifecycle.onStop('heartbeats', heartbeats.stop);
  heartbeatRoutes(serve, heartbeats);
}
