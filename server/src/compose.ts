import { operations } from '@fieldwatch/contract';
import { type BootstrapResult, createAccess } from './access/index.ts';
import { alarmRoutes, createAlarms } from './alarms/index.ts';
import { assetRoutes, createAssets } from './assets/index.ts';
import type { Config } from './config.ts';
import { createDashboards, dashboardRoutes } from './dashboards/index.ts';
import { createDevices, deviceRoutes } from './devices/index.ts';
import { createHttp, HTTP_LIMITS, type HttpLimits, serveProbes } from './http/index.ts';
import { createLocations, locationRoutes } from './locations/index.ts';
import { createNotify, notifyRoutes } from './notify/index.ts';
import {
  type Clock,
  createIds,
  createKeyring,
  createLifecycle,
  createMetrics,
  createRateLimit,
  type Log,
  loadSecret,
} from './runtime/index.ts';
import { openStorage } from './storage/index.ts';
import { createVariables, variableRoutes } from './variables/index.ts';

/** What the surroundings give: everything that a test replaces. */
export interface Surroundings {
  readonly clock: Clock;
  readonly log: Log;
  /** Told of what takes long, in words for a person. */
  readonly onProgress: (text: string) => void;
  readonly limits?: Partial<HttpLimits>;
}

/** A running server. */
export interface Service {
  readonly port: number;
  /** What the start made; secrets only when it was the first. */
  readonly bootstrap: BootstrapResult;
  stop(): Promise<void>;
}

/** Wires every part to every other and starts them; what was started is stopped when one fails. */
export async function compose(config: Config, surroundings: Surroundings): Promise<Service> {
  const lifecycle = createLifecycle(surroundings.log);
  try {
    return { ...(await start(config, surroundings, lifecycle)), stop: () => lifecycle.stop() };
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
}

async function start(
  config: Config,
  { clock, log, onProgress, limits }: Surroundings,
  { onStop }: ReturnType<typeof createLifecycle>,
): Promise<Omit<Service, 'stop'>> {
  const newId = createIds(clock);
  const metrics = createMetrics();
  const keyring = createKeyring(loadSecret(config.secretKey, config.dataDir));
  const storage = await openStorage({ ...config, log, clock, onProgress });
  onStop('storage', storage.stop);

  const access = createAccess({ storage, clock, newId, log, keyring, oidc: config.oidc });
  const bootstrap = await access.bootstrap(config.bootstrap);
  access.start();
  onStop('access', access.stop);

  const http = createHttp({
    log,
    newId,
    clock,
    keyring,
    storage,
    trustProxy: config.trustProxy,
    limits: { ...HTTP_LIMITS, ...limits },
    authenticate: access.authenticate,
    recordChanges: access.recordChanges,
    requestLimit:
      config.requestsPerMinute === 0
        ? null
        : createRateLimit(clock, {
            limit: config.requestsPerMinute,
            windowMs: 60_000,
            maxKeys: 100_000,
          }),
    operations: Object.values(operations),
    onAnswer: metrics.observeRequest,
  });
  onStop('http', http.stop);
  serveProbes(http.serve, storage, metrics);
  access.routes(http.serve);
  locationRoutes(http.serve, createLocations({ storage, newId }));
  deviceRoutes(http.serve, createDevices({ storage, newId, keyring }));
  variableRoutes(http.serve, createVariables({ storage, newId }));
  assetRoutes(http.serve, createAssets({ storage, newId }));
  dashboardRoutes(http.serve, createDashboards({ storage, newId }));
  notifyRoutes(http.serve, createNotify({ storage, newId, keyring }));
  alarmRoutes(http.serve, createAlarms({ storage, newId }));
  return { port: await http.listen(config.http), bootstrap };
}
