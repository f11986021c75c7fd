import { operations } from '@fieldwatch/contract';
import { type BootstrapResult, createAccess } from './access/index.ts';
import { alarmRoutes, createAlarms } from './alarms/index.ts';
import { assetRoutes, createAssets } from './assets/index.ts';
import type { Config } from './config.ts';
import { createDashboards, dashboardRoutes } from './dashboards/index.ts';
import { createDevices, createPresence, deviceRoutes } from './devices/index.ts';
import {
  type AnswerCache,
  createAnswerCache,
  createHttp,
  HTTP_LIMITS,
  type HttpLimits,
  type Serve,
  serveProbes,
} from './http/index.ts';
import {
  createFindDeviceCaller,
  createIngest,
  ingestRoutes,
  type Mqtt,
  startMqtt,
} from './ingest/index.ts';
import { createLive, liveRoutes, NO_ALARMS } from './live/index.ts';
import { createLocations, locationRoutes } from './locations/index.ts';
import { createNotify, notifyRoutes } from './notify/index.ts';
import { createReadingHandlers, createReadings, readingRoutes } from './readings/index.ts';
import {
  type Clock,
  createIds,
  createKeyring,
  createLifecycle,
  createMetrics,
  createRateLimit,
  type Keyring,
  type Lifecycle,
  type Log,
  loadSecret,
  type Metrics,
  type NewId,
  type RateLimit,
} from './runtime/index.ts';
import { type OpenStorage, openStorage, type Storage } from './storage/index.ts';
import {
  createDeviceEntries,
  createVariables,
  type DeviceEntries,
  variableRoutes,
} from './variables/index.ts';

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
  /** Null when Devices speak with a broker of the operator's. */
  readonly mqttPort: number | null;
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
  lifecycle: Lifecycle,
): Promise<Omit<Service, 'stop'>> {
  const { onStop } = lifecycle;
  const newId = createIds(clock);
  const metrics = createMetrics();
  const keyring = createKeyring(loadSecret(config.secretKey, config.dataDir));
  const storage = await openStorage({ ...config, log, clock, onProgress });
  onStop('storage', storage.stop);
  const answers = createAnswerCache(clock);
  const ground = { clock, log, newId, metrics, keyring, storage, answers };

  const entries = createDeviceEntries({ storage, clock });
  const access = createAccess({
    ...ground,
    oidc: config.oidc,
    findDeviceCaller: createFindDeviceCaller({ entries, clock }),
  });
  const bootstrap = await access.bootstrap(config.bootstrap);
  access.start();
  onStop('access', access.stop);

  const intake = await startIntake(ground, { entries, config, lifecycle });
  const http = createHttp({
    ...ground,
    trustProxy: config.trustProxy,
    limits: { ...HTTP_LIMITS, ...limits },
    authenticate: access.authenticate,
    recordChanges: access.recordChanges,
    requestLimit: requestLimitOf(config, clock),
    operations: Object.values(operations),
    onAnswer: metrics.observeRequest,
  });
  onStop('http', http.stop);
  onStop('live', intake.live.stop);
  serveProbes(http.serve, storage, metrics);
  access.routes(http.serve);
  const mqtt = await startMqtt({
    ...ground,
    settings: { ...config.mqtt, host: config.http.host },
    entries,
    take: intake.ingest.take,
    online: intake.presence,
    takeUpgrades: http.takeUpgrades,
    clientId: keyring.derive('mqtt-client').toString('hex').slice(0, 16),
  });
  onStop('mqtt', mqtt.stop);
  metrics.addCounter({
    name: 'fieldwatch_mqtt_refused_total',
    help: 'What MQTT clients were refused',
    label: 'what',
    totals: mqtt.refusals,
  });
  const notices = storage.listen(noticesOf(entries, answers, mqtt));
  onStop('notices', notices.stop);
  serveFeatures(http.serve, ground, revisiting(intake, mqtt));
  return { port: await http.listen(config.http), mqttPort: mqtt.port, bootstrap };
}

/** What nearly every part stands on. */
interface Ground {
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly metrics: Metrics;
  readonly keyring: Keyring;
  readonly storage: Storage;
  readonly answers: AnswerCache;
}

type Intake = Awaited<ReturnType<typeof startIntake>>;

/** Where readings come in and are kept. */
async function startIntake(
  { clock, log, metrics, storage, answers }: Ground,
  parts: { entries: DeviceEntries; config: Config; lifecycle: Lifecycle },
) {
  const { entries, config, lifecycle } = parts;
  const onlineMs = config.onlineMinutes * 60_000;
  const live = createLive({
    storage,
    clock,
    log,
    alarms: NO_ALARMS,
    presenceOf: (device) => presence.of(device),
    saveSeen: () => presence.flush(),
    onlineMs,
  });
  live.start();
  metrics.addCounter({
    name: 'fieldwatch_live_streams_total',
    help: 'Live streams, by what became of them',
    label: 'outcome',
    totals: live.totals,
  });
  const presence = createPresence({
    storage,
    clock,
    log,
    onlineMs,
    onMoved(deviceId, at) {
      const entry = entries.peek(deviceId);
      if (!entry) return;
      answers.forget(entry.organizationId);
      live.announceDevice(entry.organizationId, deviceId, at);
    },
  });
  const readings = createReadings({ storage, clock, log });
  await readings.start();
  lifecycle.onStop('readings', readings.stop);
  const ingest = createIngest({
    storage,
    clock,
    log,
    entries,
    presence,
    commit: readings.commit,
    announce: live.announceReadings,
  });
  metrics.addCounter({
    name: 'fieldwatch_readings_total',
    help: 'Readings that came in, by what became of them',
    label: 'outcome',
    totals: ingest.exits.totals,
  });
  ingest.start();
  lifecycle.onStop('ingest', ingest.stop);
  const changes = {
    onChanged: (deviceId: string) => entries.forget(deviceId),
    onVariablesDeleted: (numbers: readonly number[]) => numbers.forEach(readings.forget),
  };
  return { presence, readings, ingest, live, changes };
}

/** A change of a Device also concerns its open sessions. */
function revisiting(intake: Intake, mqtt: Mqtt): Intake {
  const onChanged = (deviceId: string) => {
    intake.changes.onChanged(deviceId);
    mqtt.revisit(deviceId);
  };
  return { ...intake, changes: { ...intake.changes, onChanged } };
}

/** What other servers on the same database change. Our own changes come round too, and do no harm. */
function noticesOf(
  entries: DeviceEntries,
  answers: AnswerCache,
  mqtt: Mqtt,
): Parameters<OpenStorage['listen']>[0] {
  return {
    channel: 'fieldwatch_devices',
    onNotice(text) {
      const [organizationId = '', deviceId = ''] = text.split('/');
      entries.forget(deviceId);
      answers.forget(organizationId);
      mqtt.revisit(deviceId);
    },
    onGap: entries.forgetAll,
  };
}

function requestLimitOf({ requestsPerMinute: limit }: Config, clock: Clock): RateLimit | null {
  if (limit === 0) return null;
  return createRateLimit(clock, { limit, windowMs: 60_000, maxKeys: 100_000 });
}

function serveFeatures(
  serve: Serve,
  { storage, newId, keyring }: Ground,
  { presence, readings, ingest, live, changes }: Intake,
): void {
  locationRoutes(serve, createLocations({ storage, newId }));
  deviceRoutes(serve, createDevices({ storage, newId, keyring, presence, ...changes }));
  variableRoutes(serve, createVariables({ storage, newId, ...changes }));
  ingestRoutes(serve, ingest);
  readingRoutes(serve, createReadingHandlers({ storage, readings }));
  liveRoutes(serve, live);
  assetRoutes(serve, createAssets({ storage, newId, onBound: live.bindingsChanged }));
  dashboardRoutes(serve, createDashboards({ storage, newId }));
  notifyRoutes(serve, createNotify({ storage, newId, keyring }));
  alarmRoutes(serve, createAlarms({ storage, newId }));
}
