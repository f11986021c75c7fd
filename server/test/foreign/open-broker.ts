import { listen } from '../../src/ingest/mqtt/listener/index.ts';
import { BROKER_LIMITS, createBroker } from '../../src/ingest/mqtt/server/broker.ts';
import { createAlarmSubscribers } from '../../src/ingest/mqtt/session/alarm-subscribers.ts';
import { createIds, createLog, systemClock } from '../../src/runtime/index.ts';
import { NO_PEERS, SOLE_MEMBER } from '../support/sole-owner.ts';

/**
 * The broker and sessions of the server behind an open door, as suites for MQTT brokers expect it:
 * every client is let in, and every topic and filter is allowed but one. Nothing is stored.
 */
const DEVICE = {
  index: 0,
  deviceId: 'device',
  organizationId: 'organization',
  passwordHash: '',
};
/** The filter that such suites want to see refused. */
const REFUSED_FILTER = 'test/nosubscribe';
const SHARED_FILTER = '$share/';

const nobody = async () => {
  throw new Error('there are no API keys here');
};
const handle = (deviceId: string) => ({ deviceId, peek: () => undefined, get: async () => null });
const device = handle(DEVICE.deviceId);

const broker = createBroker({
  deviceCache: { handle, peek: () => undefined, get: async () => null },
  submit(_message, completion) {
    completion.stored({ accepted: 0, stored: 0, rejected: [] });
    return undefined;
  },
  peers: NO_PEERS,
  membership: SOLE_MEMBER,
  sessionListener: { sessionOpened: () => () => undefined },
  alarmSubscribers: createAlarmSubscribers({ authenticate: nobody, begin: nobody }),
  signIn: async () => ({ device: DEVICE }),
  access: {
    routeOf: (_owner, topic) => ({ topic, device, suffix: topic, isOwn: true, refusal: null }),
    maySubscribe: (_owner, filter) =>
      filter !== REFUSED_FILTER && !filter.startsWith(SHARED_FILTER),
  },
  onRefused: () => undefined,
  onUndelivered: () => undefined,
  newId: createIds(systemClock),
  clock: systemClock,
  log: createLog('warn'),
  limits: { ...BROKER_LIMITS, maxSessionsPerDevice: 1_000, messagesPerSecond: 0 },
});

const { port } = await listen({
  host: '127.0.0.1',
  port: 0,
  certificate: null,
  hasThread: true,
  handshakeTimeoutMs: BROKER_LIMITS.handshakeTimeoutMs,
  maxConnections: BROKER_LIMITS.maxClients,
  onConnection: broker.accept,
  onHandshake: broker.reserve,
});
process.stdout.write(`port ${port}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void broker.stop().then(() => process.exit(0)));
}
