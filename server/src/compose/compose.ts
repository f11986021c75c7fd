import { fileURLToPath } from 'node:url';
import { operations } from '@fieldwatch/contract';
import { type BootstrapResult, createAccess, type PasswordCost } from '../access/index.ts';
import { alarmRoutes, createAlarms } from '../alarms/index.ts';
import { assetRoutes, createAssets } from '../assets/index.ts';
import type { Config } from '../config.ts';
import { createDashboards, dashboardRoutes } from '../dashboards/index.ts';
import { createDevices, deviceRoutes, reencryptAppKeys } from '../devices/index.ts';
import {
  type AnswerCache,
  createAnswerCache,
  createHttp,
  HTTP_LIMITS,
  type Http,
  type HttpLimits,
  type Serve,
  serveProbes,
} from '../http/index.ts';
import {
  createFindDeviceCaller,
  ingestRoutes,
  type Mqtt,
  publishingRoutes,
  startMqtt,
} from '../ingest/index.ts';
import { liveRoutes } from '../live/index.ts';
import { createLocations, locationRoutes } from '../locations/index.ts';
import { createNotify, notifyRoutes, reencryptSecrets } from '../notify/index.ts';
import { createOverview, overviewRoutes } from '../overview/index.ts';
import { createPlaces } from '../presence/index.ts';
import { createReadingHandlers, readingRoutes } from '../readings/index.ts';
import {
  type Clock,
  createIds,
  createKeyring,
  createLifecycle,
  createMetrics,
  createRateLimit,
  type Lifecycle,
  type Log,
  type RateLimit,
  readSecret,
} from '../runtime/index.ts';
import { claimSecret, type OpenStorage, openStorage } from '../storage/index.ts';
import {
  createDeviceEntries,
  createVariables,
  type DeviceEntries,
  variableRoutes,
} from '../variables/index.ts';
import { type Ground, type Intake, startIntake } from './compose-ingest.ts';

/** The same place from `src` and from `dist`. */
const CONSOLE_DIR = fileURLToPath(new URL('../../../console/dist', import.meta.url));

/** What the surroundings give: everything that a test replaces. */
export interface Surroundings {
  readonly clock: Clock;
  readonly log: Log;
  /** Told of what takes long, in words for a person. */
  readonly onProgress: (text: string) => void;
  readonly limits?: Partial<HttpLimits>;
  /** What a password hash costs; tests take a cheap one. */
  readonly passwordCost?: PasswordCost;
  /** Told between the steps of what must be whole, so that a test can end the process there. */
  readonly failpoint?: (name: string) => void;
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
  { clock, log, onProgress, failpoint = () => undefined, ...chosen }: Surroundings,
  lifecycle: Lifecycle,
): Promise<Omit<Service, 'stop'>> {
  const { onStop } = lifecycle;
  const newId = createIds(clock);
  const metrics = createMetrics();
  const { storage, keyring } = await openInstallation(config, { clock, log, onProgress });
  onStop('storage', storage.stop);
  const answers = createAnswerCache(clock);
  const places = createPlaces();
  const ground = { clock, log, newId, metrics, keyring, storage, places, answers };

  const entries = createDeviceEntries({ ...ground, storage: storage.ingest });
  const access = createAccess({
    ...ground,
    oidc: config.oidc,
    isDemo: config.isDemo,
    passwordCost: chosen.passwordCost,
    findDeviceCaller: createFindDeviceCaller({ entries, clock }),
  });
  const bootstrap = await access.bootstrap(config.bootstrap);
  access.start();
  onStop('access', access.stop);

  const notify = createNotify({ ...ground, settings: config.notify, failpoint });
  const intake = await startIntake(ground, {
    entries,
    config,
    lifecycle,
    failpoint,
    authenticate: access.authenticate,
    onTold: notify.wake,
  });
  const http = createHttp({
    ...ground,
    trustedProxies: config.trustedProxies,
    tls: config.http.tls,
    limits: { ...HTTP_LIMITS, ...chosen.limits },
    ...access,
    requestLimit: requestLimitOf(config, clock),
    operations: Object.values(operations),
    consoleDir: CONSOLE_DIR,
    onAnswer: metrics.observeRequest,
  });
  onStop('http', http.stop);
  onStop('live', intake.live.stop);
  serveProbes(http.serve, storage, metrics);
  access.routes(http.serve);
  const mqtt = await openMqtt(ground, { config, lifecycle, entries, intake, http });
  access.onCredentialChange(intake.live.reauthorize);
  const deviceNotices = noticesOf(entries, answers, revisiting(intake, mqtt));
  onStop('notices', storage.listen([deviceNotices, access.credentialNotices]).stop);
  notify.start();
  onStop('notify', notify.stop);
  notifyRoutes(http.serve, notify);
  publishingRoutes(http.serve, { port: mqtt.port, isEncrypted: config.mqtt.tls !== null });
  serveFeatures(http.serve, ground, { ...revisiting(intake, mqtt), onTold: notify.wake });
  return { port: await http.listen(config.http), mqttPort: mqtt.port, bootstrap };
}

/** The database and the key that belong together. */
async function openInstallation(
  config: Config,
  surroundings: Pick<Surroundings, 'clock' | 'log' | 'onProgress'>,
) {
  const { secretKey, dataDir, isNew } = config;
  const mayCreateCluster = isNew || secretKey !== null || readSecret(null, dataDir) === null;
  const storage = await openStorage({ ...config, ...surroundings, mayCreateCluster });
  try {
    const keyring = createKeyring(await claimSecret(storage, config));
    const unreadable =
      (await reencryptAppKeys(storage.background, keyring)) +
      (await reencryptSecrets(storage.background, keyring));
    if (unreadable > 0) {
      surroundings.log.warn({ unreadable }, 'encrypted values cannot be read with this secret key');
    }
    return { storage, keyring };
  } catch (error) {
    await storage.stop();
    throw error;
  }
}

async function openMqtt(
  ground: Ground,
  parts: {
    config: Config;
    lifecycle: Lifecycle;
    entries: DeviceEntries;
    intake: Intake;
    http: Http;
  },
): Promise<Mqtt> {
  const { config, lifecycle, entries, intake, http } = parts;
  const mqtt = await startMqtt({
    ...ground,
    settings: { ...config.mqtt, host: config.http.host },
    entries,
    take: intake.ingest.take,
    online: intake.presence,
    alarmSubscribers: intake.alarmSubscribers,
    takeUpgrades: http.takeUpgrades,
    clientId: ground.keyring.derive('mqtt-client').toString('hex').slice(0, 16),
  });
  ground.metrics.addCounter({
    name: 'fieldwatch_mqtt_refused_total',
    help: 'What MQTT clients were refused',
    label: 'what',
    totals: mqtt.refusals,
  });
  ground.metrics.addCounter({
    name: 'fieldwatch_mqtt_undelivered_total',
    help: 'Messages that did not reach an MQTT subscriber, by the reason',
    label: 'reason',
    totals: mqtt.undelivered,
  });
  lifecycle.onStop('mqtt', mqtt.stop);
  // The clock decides about alarms only once Devices can deliver what they kept.
  intake.watching.start();
  // Last to begin, first to end: a server that stops says of nobody that they went.
  await intake.online.start();
  lifecycle.onStop('online', intake.online.stop);
  return mqtt;
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
  { changes, watching }: Intake,
): Parameters<OpenStorage['listen']>[0][number] {
  return {
    channel: 'fieldwatch_devices',
    onNotice(text) {
      const [organizationId = '', deviceId = ''] = text.split('/');
      changes.onChanged(deviceId);
      answers.forget(organizationId);
    },
    onGap() {
      entries.forgetAll();
      watching.forgetAll();
    },
  };
}

function requestLimitOf({ requestsPerMinute: limit }: Config, clock: Clock): RateLimit | null {
  if (limit === 0) return null;
  return createRateLimit(clock, { limit, windowMs: 60_000, maxKeys: 100_000 });
}

function serveFeatures(
  serve: Serve,
  { storage, newId, keyring }: Ground,
  parts: Intake & { readonly onTold: () => void },
): void {
  const { presence, readings, warnings, ingest, live, watching, feed, changes } = parts;
  locationRoutes(serve, createLocations({ storage, newId }));
  deviceRoutes(serve, createDevices({ storage, newId, keyring, presence, ...changes }));
  variableRoutes(serve, createVariables({ storage, newId, ...changes }));
  ingestRoutes(serve, ingest);
  overviewRoutes(serve, createOverview({ storage, warnings }));
  readingRoutes(serve, createReadingHandlers({ storage, readings }));
  liveRoutes(serve, live);
  assetRoutes(serve, createAssets({ storage, newId, onBound: live.bindingsChanged }));
  dashboardRoutes(serve, createDashboards({ storage, newId }));
  const { consume: consumeHistory } = readings;
  const onEventsChanged = (organizationId: string) => {
    feed.note(organizationId);
    parts.onTold();
  };
  alarmRoutes(serve, createAlarms({ storage, newId, watching, consumeHistory, onEventsChanged }));
}
