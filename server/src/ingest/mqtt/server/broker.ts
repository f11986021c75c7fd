import { setMaxListeners } from 'node:events';
import type { Duplex } from 'node:stream';
import {
  type Clock,
  endsWithin,
  type Log,
  type NewId,
  rateLimitKey,
} from '../../../runtime/index.ts';
import type { DeviceCache } from '../../../variables/index.ts';
import type { Submit } from '../../message.ts';
import { Relay, type RelayDeps } from '../relay/index.ts';
import type { AlarmSubscribers, SignIn, TopicAccess, Undelivered } from '../session/index.ts';
import {
  Connection,
  createPublishing,
  createSessionQuota,
  createSessions,
  forward,
  logFailure,
  NOT_STORED,
  outcomeOf,
  type SessionListener,
  type SessionQuotaLimits,
  type Sessions,
} from '../session/index.ts';
import { REASONS, type Refused } from '../wire/index.ts';
import { createPendingConnections, type PendingLimits } from './pending-connections.ts';

export interface BrokerLimits extends SessionQuotaLimits, PendingLimits {
  readonly maxPacketBytes: number;
  /** The limit for packets before the client has signed in. */
  readonly maxConnectBytes: number;
  /** The rate limit of one Device; 0 means no limit. */
  readonly messagesPerSecond: number;
  /** How long a connection with TLS may take to become secure. */
  readonly handshakeTimeoutMs: number;
  /** How long a connection may take to send its CONNECT. */
  readonly connectTimeoutMs: number;
  /** How long a stop waits for messages in flight. */
  readonly stopTimeoutMs: number;
}

export const BROKER_LIMITS: BrokerLimits = {
  maxPacketBytes: 256 * 1024,
  maxConnectBytes: 16 * 1024,
  maxClients: 10_000,
  maxSessionsPerDevice: 10,
  maxSessionsPerKey: 100,
  maxPending: 2_000,
  maxPendingPerAddress: 1_000,
  messagesPerSecond: 5_000,
  handshakeTimeoutMs: 10_000,
  connectTimeoutMs: 10_000,
  stopTimeoutMs: 10_000,
};

export interface BrokerDeps extends Pick<RelayDeps, 'peers' | 'membership'> {
  readonly deviceCache: Pick<DeviceCache, 'get' | 'peek' | 'handle'>;
  readonly submit: Submit;
  readonly sessionListener: SessionListener;
  readonly alarmSubscribers: AlarmSubscribers;
  readonly signIn: SignIn;
  readonly access: TopicAccess;
  readonly onRefused: (what: Refused) => void;
  readonly onUndelivered: (reason: Undelivered) => void;
  readonly newId: NewId;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: BrokerLimits;
}

/** An MQTT broker for Devices, over any stream of bytes. */
export interface Broker {
  /** Resolves when messages for subscribers at other nodes reach them, or these do not answer. */
  start(): Promise<void>;
  accept(stream: Duplex, address: string): Accepted;
  /** Counts a connection that is not ready for MQTT yet among those that have not signed in. */
  reserve(stream: Duplex, address: string): () => void;
  /** Clients that are signed in. */
  sessionCount(): number;
  /** Called when the Device has changed: closes sessions that it could not open again. */
  reauthorize(deviceId: string): Promise<void>;
  /** Accepts no more messages, acknowledges those in flight, and closes every connection. */
  stop(): Promise<void>;
}

export interface Accepted {
  /** True once the CONNECT has arrived. */
  isIdentified(): boolean;
}

export function createBroker(deps: BrokerDeps): Broker {
  const { log, limits, newId } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Each message that waits for its rate adds a listener.
  setMaxListeners(0, signal);
  const sessions = createSessions(deps.sessionListener, (id) => relay.subscribersChanged(id));
  const relay = createRelay(deps, sessions);
  const connections = new Map<Duplex, Connection>();
  const pending = createPendingConnections(limits);
  const connectionDeps = {
    ...deps,
    ...limits,
    sessions,
    relay,
    quota: createSessionQuota(limits),
    publish: createPublishing({ ...deps, ...limits, stopping: signal }),
    newClientId: newId,
    outcomeOf(session: { readonly deviceId: string }, error: unknown) {
      if (signal.aborted) return NOT_STORED;
      logFailure(log, session.deviceId, error);
      return outcomeOf(error);
    },
  };
  function enter(stream: Duplex, address: string): boolean {
    const isEntered = !signal.aborted && pending.enter(stream, rateLimitKey(address));
    if (isEntered) stream.once('close', () => pending.leave(stream));
    else stream.destroy();
    return isEntered;
  }

  return {
    start: () => relay.start(),
    accept(stream, address) {
      let isIdentified = false;
      if (enter(stream, address)) {
        const onIdentified = () => {
          isIdentified = true;
          pending.identify(stream);
        };
        const onSignedIn = () => pending.leave(stream);
        connections.set(
          stream,
          new Connection(connectionDeps, { stream, address, onIdentified, onSignedIn }),
        );
        stream.once('close', () => connections.delete(stream));
      }
      return { isIdentified: () => isIdentified };
    },
    reserve(stream, address) {
      enter(stream, address);
      return () => pending.leave(stream);
    },
    sessionCount: () => sessions.count,
    reauthorize: (deviceId) => reauthorize(deps.deviceCache, sessions, deviceId),
    async stop() {
      stopping.abort();
      await complete(connections, limits.stopTimeoutMs);
      await relay.stop(limits.stopTimeoutMs);
      await closeAll(connections, limits.stopTimeoutMs);
    },
  };
}

type Connections = ReadonlyMap<Duplex, Connection>;

/** Acknowledges the messages in flight. */
async function complete(connections: Connections, limitMs: number): Promise<void> {
  const answered = [...connections.values()].map((connection) => connection.answered());
  await endsWithin(limitMs, Promise.all(answered));
}

async function closeAll(connections: Connections, limitMs: number): Promise<void> {
  const streams = [...connections.keys()];
  for (const connection of [...connections.values()]) connection.close(REASONS.serverShuttingDown);
  await endsWithin(limitMs, Promise.all(streams.map(closed)));
  for (const stream of [...connections.keys()]) stream.destroy();
}

/** Passes messages between the sessions of this node and those of the others. */
function createRelay(deps: BrokerDeps, sessions: Sessions): Relay {
  return new Relay({
    ...deps,
    local: {
      devices: sessions.subscribedDevices,
      has: (deviceId) => sessions.subscribersOf(deviceId).length > 0,
    },
    deliver: (message) => forward(sessions, message, null),
    onDropped: () => deps.onUndelivered('queueFull'),
  });
}

async function reauthorize(
  deviceCache: BrokerDeps['deviceCache'],
  sessions: Sessions,
  deviceId: string,
): Promise<void> {
  if (sessions.ofDevice(deviceId).length === 0) return;
  // A Device that cannot be loaded now has to sign in again.
  const device = await deviceCache.get(deviceId).catch(() => null);
  for (const session of sessions.ofDevice(deviceId)) {
    const hasPassword = device?.passwordHash === session.passwordHash;
    if (device?.takesReadings && hasPassword) continue;
    session.isRevoked = true;
    session.link.close(hasPassword ? REASONS.administrativeAction : REASONS.notAuthorized);
  }
}

function closed(stream: Duplex): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) resolve();
    else stream.once('close', () => resolve());
  });
}
