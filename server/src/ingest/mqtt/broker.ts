import { setMaxListeners } from 'node:events';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Aedes, type AedesOptions, type Client } from 'aedes';
import type { Clock, Log } from '../../runtime/index.ts';
import type { DeviceEntries } from '../../variables/index.ts';
import type { Pipeline } from '../pipeline.ts';
import { createForgetfulPersistence } from './forgetful.ts';
import { createHooks, type Refused } from './hooks.ts';
import { createPublishing } from './publishing.ts';
import { REASONS } from './reasons.ts';
import { createSessions, type SessionListener, type Sessions } from './sessions.ts';
import { createSignIn } from './sign-in.ts';

export interface BrokerLimits {
  readonly maxPacketBytes: number;
  readonly maxClients: number;
  /** Of one Device; 0 means no limit. */
  readonly messagesPerSecond: number;
  /** How long a connection may take to say who it is. */
  readonly connectTimeoutMs: number;
  /** How long a stop waits for messages under way. */
  readonly stopTimeoutMs: number;
}

export const BROKER_LIMITS: BrokerLimits = {
  maxPacketBytes: 256 * 1024,
  maxClients: 10_000,
  messagesPerSecond: 5_000,
  connectTimeoutMs: 10_000,
  stopTimeoutMs: 10_000,
};

/** Connections beyond the clients: those that have not said yet who they are. */
const SIGNING_IN = 1_000;

export interface BrokerDeps {
  readonly entries: Pick<DeviceEntries, 'get' | 'peek'>;
  readonly take: Pipeline['take'];
  readonly online: SessionListener;
  readonly onRefused: (what: Refused) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: BrokerLimits;
}

/** Speaks MQTT with Devices, over whatever carries bytes. */
export interface Broker {
  accept(stream: Duplex, address: string): void;
  /** The Device has changed: sessions that it could not open again are closed. */
  revisit(deviceId: string): Promise<void>;
  /** Takes no more, answers what is under way, and closes every connection. */
  stop(): Promise<void>;
}

export async function createBroker(deps: BrokerDeps): Promise<Broker> {
  const { log, limits } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Each message that waits for its turn listens.
  setMaxListeners(0, signal);
  const sessions = createSessions(deps.online);
  const streams = new Set<Duplex>();
  const addresses = new WeakMap<Client, string>();
  const persistence = createForgetfulPersistence();
  const aedes = await Aedes.createBroker({
    ...optionsOf(limits),
    ...createHooks({
      sessions,
      onRefused: deps.onRefused,
      signIn: createSignIn(deps),
      publish: createPublishing({ ...deps, ...limits, stopping: signal }),
      isRepeated: persistence.hasReceived,
      addressOf: (client) => addresses.get(client) ?? '',
      isFull: () => signal.aborted || sessions.count >= limits.maxClients,
    }),
    persistence,
  });
  watch(aedes, log);
  return {
    accept(stream, address) {
      if (signal.aborted || streams.size >= limits.maxClients + SIGNING_IN) {
        stream.destroy();
        return;
      }
      streams.add(stream);
      const client = aedes.handle(stream);
      addresses.set(client, address);
      stream.once('close', () => {
        streams.delete(stream);
        sessions.close(client);
      });
    },
    revisit: (deviceId) => revisit(deps.entries, sessions, deviceId),
    async stop() {
      stopping.abort();
      const all = Promise.all(
        sessions.all().map(({ acknowledgements }) => acknowledgements.answered()),
      );
      await within(limits.stopTimeoutMs, all);
      await within(limits.stopTimeoutMs, new Promise<void>((done) => aedes.close(done)));
      for (const stream of streams) stream.destroy();
    },
  };
}

function optionsOf({ maxPacketBytes, maxClients, connectTimeoutMs }: BrokerLimits): AedesOptions {
  return {
    // One slow reader must not hold up the messages of the others.
    concurrency: 0,
    maximumPacketSize: maxPacketBytes,
    connectTimeout: connectTimeoutMs,
    topicAliasMaximum: 16,
    // Of MQTT 3.1; ours is longer, since the Device id is part of it.
    maxClientsIdLength: 65_535,
    // Nothing outlives a connection; a client that asks for more is told that it gets a second.
    sessionExpiryIntervalLimit: 1,
    pendingSessionsLimit: maxClients,
  };
}

async function revisit(
  entries: BrokerDeps['entries'],
  sessions: Sessions,
  deviceId: string,
): Promise<void> {
  if (sessions.ofDevice(deviceId).length === 0) return;
  // A Device that cannot be looked up signs in again when it can be.
  const entry = await entries.get(deviceId).catch(() => null);
  for (const session of sessions.ofDevice(deviceId)) {
    const hasPassword = entry?.passwordHash === session.passwordHash;
    if (entry?.takesReadings && hasPassword) continue;
    session.isRevoked = true;
    session.client.disconnect({
      reasonCode: hasPassword ? REASONS.administrativeAction : REASONS.notAuthorized,
    });
  }
}

/** Errors of one client concern that client alone. */
function watch(aedes: Aedes, log: Log): void {
  const note = (client: Client, error: Error) =>
    log.debug({ clientId: client.id, reason: error.message }, 'an MQTT client was refused');
  aedes.on('clientError', note);
  aedes.on('connectionError', note);
  aedes.addListener('error', (error: unknown) =>
    log.error({ err: error }, 'the MQTT broker failed at something'),
  );
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([work, late]);
  timer.abort();
}
