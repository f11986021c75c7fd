import type { Http } from '../../http/index.ts';
import type { Membership, Peers } from '../../nodes/index.ts';
import {
  type CertificateFiles,
  type Clock,
  type Log,
  type NewId,
  readCertificate,
  watchCertificate,
} from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import type { DeviceCache } from '../../variables/index.ts';
import type { Submit } from '../message.ts';
import type { DeadLetters } from '../rejections/index.ts';
import { type Bridge, createBridge } from './bridge/index.ts';
import { listen } from './listener/index.ts';
import {
  BROKER_LIMITS,
  type Broker,
  type BrokerLimits,
  createBroker,
  createWebSocketListener,
} from './server/index.ts';
import type { AlarmSubscribers, SessionListener, Undelivered } from './session/index.ts';
import { createSignIn, createTopicAccess } from './session/index.ts';
import type { Refused } from './wire/index.ts';

export interface MqttSettings {
  readonly host: string;
  readonly port: number;
  /** The files of a certificate and its key; with them the port uses TLS. */
  readonly tls: CertificateFiles | null;
  /** The address of an external broker, which replaces the embedded one. */
  readonly url: string | null;
  readonly maxClients: number;
  readonly messagesPerSecond: number;
}

export interface MqttDeps {
  readonly settings: MqttSettings;
  /** Whether the sockets of the port have a thread of their own, unless it uses TLS. */
  readonly hasThread: boolean;
  readonly deviceCache: Pick<DeviceCache, 'get' | 'peek' | 'handle'>;
  readonly submit: Submit;
  readonly deadLetters: Pick<DeadLetters, 'add'>;
  /** Rejects while storage takes no writes. */
  readonly checkWrites: () => Promise<void>;
  readonly storage: { readonly background: Queries };
  readonly membership: Pick<
    Membership,
    'ownership' | 'ready' | 'nodes' | 'hasPeers' | 'incarnation'
  >;
  readonly peers: Pick<Peers, 'serve' | 'call'>;
  readonly sessionListener: SessionListener;
  readonly alarmSubscribers: AlarmSubscribers;
  readonly takeUpgrades: Http['takeUpgrades'];
  /** Identifies the installation at an external broker. */
  readonly clientId: string;
  readonly newId: NewId;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<BrokerLimits>;
}

export interface Mqtt {
  /** Refused requests of clients, by kind. */
  refusals(): Readonly<Record<Refused, number>>;
  /** Messages that were not delivered to their subscribers, by reason. */
  undelivered(): Readonly<Record<Undelivered, number>>;
  /** Clients that are signed in; with an external broker it has them. */
  sessionCount(): number;
  /** Null with an external broker. */
  readonly port: number | null;
  /** Null without an external broker. */
  readonly bridge: Bridge | null;
  /** Called when the Device has changed: closes sessions that it could not open again. */
  reauthorize(deviceId: string): void;
  /** Accepts no more messages. The pipeline completes those that were submitted. */
  stop(): Promise<void>;
}

const NO_REFUSALS: Readonly<Record<Refused, number>> = { signIn: 0, subscription: 0, message: 0 };
const NONE_UNDELIVERED: Readonly<Record<Undelivered, number>> = {
  queueFull: 0,
  packetTooLarge: 0,
  expired: 0,
};
const WEB_SOCKET_PATH = '/mqtt';

export async function startMqtt(deps: MqttDeps): Promise<Mqtt> {
  const { url } = deps.settings;
  return url === null ? startEmbedded(deps) : startExternal(deps, url);
}

async function startEmbedded(deps: MqttDeps): Promise<Mqtt> {
  const { settings, takeUpgrades, log } = deps;
  const { host, port, maxClients, messagesPerSecond } = settings;
  const limits = { ...BROKER_LIMITS, maxClients, messagesPerSecond, ...deps.limits };
  const certificate = settings.tls && readCertificate(settings.tls, 'FIELDWATCH_MQTT_TLS');
  const refusals = { ...NO_REFUSALS };
  const onRefused = (what: Refused) => {
    refusals[what] += 1;
  };
  const undelivered = { ...NONE_UNDELIVERED };
  const onUndelivered = (reason: Undelivered) => {
    undelivered[reason] += 1;
  };
  const signIn = createSignIn(deps);
  const access = createTopicAccess(deps.deviceCache);
  const broker = createBroker({ ...deps, limits, signIn, access, onRefused, onUndelivered });
  const webSocket = createWebSocketListener(limits, broker.accept);
  try {
    await broker.start();
    const listener = await listen({
      host,
      port,
      certificate,
      hasThread: deps.hasThread,
      handshakeTimeoutMs: limits.handshakeTimeoutMs,
      // The broker decides which connections it closes, unless it is busy with something else.
      maxConnections: limits.maxClients + 2 * limits.maxPending,
      onConnection: broker.accept,
      onHandshake: broker.reserve,
    });
    takeUpgrades(WEB_SOCKET_PATH, webSocket.take);
    const watch =
      settings.tls &&
      certificate &&
      watchCertificate(
        { files: settings.tls, current: certificate, log },
        listener.renewCertificate,
      );
    return {
      port: listener.port,
      sessionCount: broker.sessionCount,
      bridge: null,
      refusals: () => refusals,
      undelivered: () => undelivered,
      reauthorize: (deviceId) => void reauthorize(broker, deviceId, log),
      async stop() {
        watch?.stop();
        listener.stop();
        webSocket.stop();
        await broker.stop();
        await listener.end();
      },
    };
  } catch (error) {
    await broker.stop();
    throw error;
  }
}

async function reauthorize(broker: Broker, deviceId: string, log: Log): Promise<void> {
  try {
    await broker.reauthorize(deviceId);
  } catch (error) {
    log.error({ err: error }, 'could not close sessions of a changed Device');
  }
}

function startExternal(deps: MqttDeps, url: string): Mqtt {
  const { maxPacketBytes } = BROKER_LIMITS;
  const refusals = { ...NO_REFUSALS };
  const onRefused = (what: Refused) => {
    refusals[what] += 1;
  };
  const { membership } = deps;
  const bridge = createBridge({
    ...deps,
    url,
    ownership: membership.ownership,
    ready: () => membership.ready(),
    storage: deps.storage.background,
    onRefused,
    maxPayloadBytes: maxPacketBytes,
  });
  return {
    port: null,
    sessionCount: () => 0,
    bridge,
    refusals: () => refusals,
    undelivered: () => NONE_UNDELIVERED,
    reauthorize: () => undefined,
    stop: () => bridge.stop(),
  };
}
