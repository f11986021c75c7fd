// The broker of the service with nothing behind it: every message is stored at once.
import { randomUUID } from 'node:crypto';
import { listen } from '../server/dist/ingest/mqtt/listener/index.js';
import { BROKER_LIMITS, createBroker } from '../server/dist/ingest/mqtt/server/broker.js';
import { createAlarmSubscribers } from '../server/dist/ingest/mqtt/session/alarm-subscribers.js';
import { createSignIn } from '../server/dist/ingest/mqtt/session/authenticate.js';
import { createTopicAccess } from '../server/dist/ingest/mqtt/session/topic-access.js';
import { createLog, systemClock } from '../server/dist/runtime/index.js';

const organizationId = process.env.ORGANIZATION_ID;
const passwordHash = process.env.PASSWORD_HASH;
const known = new Map();

/** Every Device is known and may publish for every other. */
function peek(deviceId) {
  const entry = known.get(deviceId) ?? {
    index: known.size,
    deviceId,
    organizationId,
    parentDeviceId: null,
    takesReadings: true,
    passwordHash,
    variables: new Map(),
  };
  known.set(deviceId, entry);
  return entry;
}

const nothing = () => undefined;
const deviceCache = {
  peek,
  get: async (deviceId) => peek(deviceId),
  handle: (deviceId) => ({ deviceId, peek: () => peek(deviceId) }),
};
const alarmSubscribers = createAlarmSubscribers({ authenticate: nothing, begin: nothing });
const log = createLog('error');
const broker = createBroker({
  deviceCache,
  signIn: createSignIn({ deviceCache, alarmSubscribers, clock: systemClock, log }),
  access: createTopicAccess(deviceCache),
  submit(_message, completion) {
    completion.stored({ accepted: 0, stored: 0, rejected: [] });
  },
  sessionListener: { sessionOpened: () => nothing },
  alarmSubscribers,
  peers: { serve: nothing, call: nothing },
  membership: { nodes: [], hasPeers: false, incarnation: { id: randomUUID(), epoch: 1 } },
  onRefused: nothing,
  onUndelivered: nothing,
  newId: randomUUID,
  clock: systemClock,
  log,
  limits: { ...BROKER_LIMITS, messagesPerSecond: 0 },
});
const { port } = await listen({
  host: '127.0.0.1',
  port: 0,
  certificate: null,
  hasThread: true,
  maxConnections: BROKER_LIMITS.maxClients,
  onConnection: broker.accept,
  onHandshake: broker.reserve,
});
console.log(`ready at mqtt://127.0.0.1:${port}`);
process.on('SIGTERM', () => process.exit(0));
