import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { operations } from '@fieldwatch/contract';
import { type BootstrapResult, createAccess, type PasswordCost } from '../access/index.ts';
import { alarmRoutes, createAlarms } from '../alarms/index.ts';
import { assetRoutes, createAssets } from '../assets/index.ts';
import type { Config } from '../config.ts';
import { createDashboards, createFindShareCaller, dashboardRoutes } from '../dashboards/index.ts';
import { createDevices, type DevicesDeps, deviceRoutes } from '../devices/index.ts';
import {
  createHttp,
  HTTP_LIMITS,
  type HttpLimits,
  type Serve,
  serveProbes,
} from '../http/index.ts';
import {
  createFindDeviceCaller,
  ingestRoutes,
  type Mqtt,
  publishingRoutes,
} from '../ingest/index.ts';
import { liveRoutes } from '../live/index.ts';
import { createLocations, locationRoutes } from '../locations/index.ts';
import { createManagedResources, managedRoutes } from '../managed/index.ts';
import { nodeRoutes } from '../nodes/index.ts';
import { createOverview, overviewRoutes } from '../overview/index.ts';
import { createRecordedPresence } from '../presence/index.ts';
import { createReadingHandlers, readingRoutes } from '../readings/index.ts';
import {
  type Clock,
  createLifecycle,
  createRateLimit,
  type Lifecycle,
  type Log,
  type Metrics,
  type RateLimit,
} from '../runtime/index.ts';
import {
  createDeviceCache,
  createVariables,
  type DeviceCache,
  variableRoutes,
} from '../variables/index.ts';
import { composeIngest, type IngestServices } from './compose-ingest.ts';
import { composeNotify, startNotify } from './compose-notify.ts';
import type { CoreServices } from './core-services.ts';
import { listenForChanges } from './device-changes.ts';
import { openCore, type ProcessEnvironment } from './open-core.ts';
import { openMqtt } from './open-mqtt.ts';
import { serveMcp } from './serve-mcp.ts';
import { startHeartbeats } from './start-heartbeats.ts';
import { startHomeAssistant } from './start-home-assistant.ts';
import { startLorawan } from './start-lorawan.ts';

/** What the build made of the console and the documentation: the same from `src` and `dist`. */
const PAGES = {
  consoleDir: fileURLToPath(new URL('../../../console/dist', import.meta.url)),
  guideDir: fileURLToPath(new URL('../../../site/dist', import.meta.url)),
};

/** Everything outside the server that a test replaces. */
export interface Environment {
  readonly clock: Clock;
  readonly log: Log;
  /** Called with a text for the operator when a step takes long. */
  readonly onProgress: (text: string) => void;
  readonly limits?: Partial<HttpLimits>;
  /** The cost of a password hash; tests use a cheap one. */
  readonly passwordCost?: PasswordCost;
  /** Called when another node has taken over from this one, which can then commit nothing more. */
  readonly onFenced?: () => void;
  /** Called between the steps of atomic work, so that a test can end the process there. */
  readonly failpoint?: (name: string) => void;
  /** Where this is one of several processes on a machine. */
  readonly process?: ProcessEnvironment;
  /** Whether the MQTT port has a thread of its own; where a processor is left for it, unless given. */
  readonly hasMqttThread?: boolean;
}

/** A running server. */
export interface Service {
  readonly port: number;
  /** Null when Devices connect to an external broker. */
  readonly mqttPort: number | null;
  /** What the start created; secrets only at the first start. */
  readonly bootstrap: BootstrapResult;
  stop(): Promise<void>;
}

/** Wires and starts all parts. When one fails, those that were started are stopped. */
export async function compose(config: Config, environment: Environment): Promise<Service> {
  const lifecycle = createLifecycle(environment.log);
  try {
    return { ...(await start(config, environment, lifecycle)), stop: () => lifecycle.stop() };
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
}

async function start(
  config: Config,
  { clock, log, onProgress, failpoint = () => undefined, ...chosen }: Environment,
  lifecycle: Lifecycle,
): Promise<Omit<Service, 'stop'>> {
  const { onStop } = lifecycle;
  const core = await openCore(config, { clock, log, onProgress, process: chosen.process });
  const { metrics, storage } = core;
  onStop('storage', storage.stop);

  const deviceCache = createDeviceCache({ ...core, storage: storage.ingest });
  const { access, bootstrap } = await openAccess(core, { config, lifecycle, chosen, deviceCache });
  const onEventsChanged = (organizationId: string) => services.feed.note([organizationId]);
  const notifying = composeNotify(core, { config, failpoint, onEventsChanged });
  const { notify } = notifying;
  const services = await composeIngest(core, {
    deviceCache,
    config,
    lifecycle,
    failpoint,
    onFenced: chosen.onFenced ?? (() => undefined),
    authenticate: access.authenticate,
    wakeNotify: notify.wake,
  });
  const http = createHttp({
    ...core,
    trustedProxies: config.trustedProxies,
    tls: config.http.tls,
    tileOrigin: config.mapTiles && new URL(config.mapTiles.url).origin,
    limits: { ...HTTP_LIMITS, ...chosen.limits },
    ...access,
    requestLimit: requestLimitOf(config, clock),
    operations: Object.values(operations),
    ...PAGES,
    onResponse: metrics.observeRequest,
  });
  onStop('http', http.stop);
  onStop('live', services.live.stop);
  serveProbes(http.serve, services.readings, gatheredMetrics(metrics, chosen.process));
  serveMcp(http, core);
  access.routes(http.serve);
  const mqtt = await openMqtt(core, {
    ...{ config, lifecycle, deviceCache, services, http },
    hasThread: chosen.hasMqttThread ?? (!chosen.process && availableParallelism() > 1),
  });
  access.onCredentialChange(services.live.reauthorize);
  const homeAssistant = startHomeAssistant(core, services, { config, lifecycle, http });
  const lorawan = startLorawan(core, services, { config, lifecycle, http, deviceCache });
  const changing = { ...withSessions(services, mqtt), deviceCache, mqtt, homeAssistant, lorawan };
  onStop('change notifications', listenForChanges(core, changing, access.credentialChanges).stop);
  startNotify(http, core, notifying, lifecycle);
  startHeartbeats(http.serve, core, { config, lifecycle, services, notify });
  publishingRoutes(http.serve, { port: mqtt.port, isEncrypted: config.mqtt.tls !== null });
  const hooks = { wakeNotify: notify.wake, onSaving: lorawan.deviceSaved };
  serveFeatures(http.serve, core, { ...withSessions(services, mqtt), ...hooks });
  return { port: await http.listen(config.http), mqttPort: mqtt.port, bootstrap };
}

async function openAccess(
  core: CoreServices,
  options: {
    readonly config: Config;
    readonly lifecycle: Lifecycle;
    readonly chosen: Pick<Environment, 'passwordCost'>;
    readonly deviceCache: DeviceCache;
  },
) {
  const { config, lifecycle, chosen, deviceCache } = options;
  const access = createAccess({
    ...core,
    ...{ oidc: config.oidc, isDemo: config.isDemo, mapTiles: config.mapTiles },
    passwordCost: chosen.passwordCost,
    findDeviceCaller: createFindDeviceCaller({ ...core, deviceCache }),
    findShareCaller: createFindShareCaller(core),
  });
  const bootstrap = await access.bootstrap(config.bootstrap);
  access.start();
  lifecycle.onStop('access', access.stop);
  return { access, bootstrap };
}

/** The metrics of all processes: a scraper reaches any of them. */
function gatheredMetrics(
  metrics: Metrics,
  process: ProcessEnvironment | undefined,
): Pick<Metrics, 'text'> {
  if (!process) return metrics;
  process.onMetrics(() => metrics.text());
  return { text: process.gatherMetrics };
}

/** A change of a Device also applies to its open sessions. */
function withSessions(services: IngestServices, mqtt: Mqtt) {
  const onChanged = (deviceId: string) => {
    services.changes.onChanged(deviceId);
    mqtt.reauthorize(deviceId);
  };
  const onCreated: DevicesDeps['onCreated'] = async (device) => mqtt.bridge?.subscribe(device);
  return { ...services, changes: { ...services.changes, onChanged, onCreated } };
}

function requestLimitOf({ requestsPerMinute: limit }: Config, clock: Clock): RateLimit | null {
  if (limit === 0) return null;
  return createRateLimit(clock, { limit, windowMs: 60_000, maxKeys: 100_000 });
}

function serveFeatures(
  serve: Serve,
  { storage, newId, keyring, responseCache, clock, onlineMinutes }: CoreServices,
  services: ReturnType<typeof withSessions> &
    Pick<DevicesDeps, 'onSaving'> & { readonly wakeNotify: () => void },
): void {
  const { presence, onlineVariable, search, readings, warnings, ingest, live } = services;
  const { alarmEngine, feed, changes, nodes, onSaving } = services;
  const onDeleted = (organizationId: string, id: string) =>
    search.referenceDeleted(organizationId, id);
  locationRoutes(serve, createLocations({ storage, newId, onDeleted }));
  const recordedPresence = createRecordedPresence({ clock, presence, onlineVariable });
  const ofDevices = { presence, recordedPresence, search, onSaving, ...changes };
  deviceRoutes(serve, createDevices({ storage, newId, keyring, ...ofDevices }));
  variableRoutes(serve, createVariables({ storage, newId, ...changes }));
  ingestRoutes(serve, ingest);
  managedRoutes(serve, createManagedResources({ storage }));
  const nodeWarnings = nodes.warnings;
  overviewRoutes(serve, createOverview({ storage, recordedPresence, warnings, nodeWarnings }));
  nodeRoutes(serve, nodes);
  const history = { storage, readings, responseCache, onlineMinutes };
  const readingHandlers = createReadingHandlers(history);
  readingRoutes(serve, readingHandlers);
  liveRoutes(serve, live);
  assetRoutes(serve, createAssets({ storage, newId, onBound: live.bindingsChanged }));
  dashboardRoutes(serve, createDashboards({ storage, newId, readings: readingHandlers }));
  const { consume: consumeHistory } = readings;
  const onEventsChanged = (organizationId: string) => {
    feed.note([organizationId]);
    services.wakeNotify();
  };
  alarmRoutes(
    serve,
    createAlarms({ storage, newId, engine: alarmEngine, consumeHistory, onEventsChanged }),
  );
}
