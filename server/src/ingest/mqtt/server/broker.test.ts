import { connectAsync } from 'mqtt';
import { afterEach, describe, expect, it } from 'vitest';
import {
  CERTIFICATE,
  CERTIFICATE_KEY,
  HALF_CLIENT_HELLO,
} from '../../../../test/support/certificate.ts';
import { openRaw, type RawClient } from '../../../../test/support/mqtt.ts';
import { NO_PEERS, SOLE_MEMBER } from '../../../../test/support/sole-owner.ts';
import { type Certificate, createLog, systemClock } from '../../../runtime/index.ts';
import { listen } from '../listener/index.ts';
import { createAlarmSubscribers } from '../session/alarm-subscribers.ts';
import type { SignedIn } from '../session/sessions.ts';
import { createTopicAccess } from '../session/topic-access.ts';
import { BROKER_LIMITS, type BrokerLimits, createBroker } from './broker.ts';

const stops: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A broker that lets every client in as a Device of the organization that is its user name. */
async function start(limits: Partial<BrokerLimits>, certificate: Certificate | null = null) {
  const handle = (deviceId: string) => ({ deviceId, peek: () => undefined, get: async () => null });
  const unused = () => {
    throw new Error('not used');
  };
  let devices = 0;
  const broker = createBroker({
    deviceCache: { get: unused, peek: unused, handle },
    submit: unused,
    peers: NO_PEERS,
    membership: SOLE_MEMBER,
    sessionListener: { sessionOpened: () => () => undefined },
    alarmSubscribers: createAlarmSubscribers({ authenticate: unused, begin: unused }),
    async signIn({ username = '' }) {
      devices += 1;
      const device: SignedIn = {
        index: devices,
        deviceId: `device-${devices}`,
        organizationId: username,
        passwordHash: '',
      };
      return { device };
    },
    access: createTopicAccess({ handle }),
    onRefused: () => undefined,
    onUndelivered: () => undefined,
    newId: () => 'id',
    clock: systemClock,
    log: createLog('silent'),
    limits: { ...BROKER_LIMITS, ...limits },
  });
  const { port, stop, end } = await listen({
    host: '127.0.0.1',
    port: 0,
    certificate,
    hasThread: true,
    handshakeTimeoutMs: limits.handshakeTimeoutMs ?? BROKER_LIMITS.handshakeTimeoutMs,
    maxConnections: BROKER_LIMITS.maxClients,
    onConnection: broker.accept,
    onHandshake: broker.reserve,
  });
  stops.push(stop, broker.stop, end);
  const protocol = certificate ? 'mqtts' : 'mqtt';
  const signIn = async (username: string) => {
    const options = { username, reconnectPeriod: 0, ca: CERTIFICATE, connectTimeout: 10_000 };
    const client = await connectAsync(`${protocol}://localhost:${port}`, options);
    stops.unshift(() => client.endAsync(true));
    return client;
  };
  return { port, signIn };
}

async function openSilent(port: number, count: number): Promise<RawClient[]> {
  const sockets: RawClient[] = [];
  for (let at = 0; at < count; at += 1) sockets.push(await openRaw(port));
  stops.unshift(() => {
    for (const { socket } of sockets) socket.destroy();
  });
  return sockets;
}

/** Long enough for a client that signs in on a busy machine. */
const ONE_SECOND = { handshakeTimeoutMs: 1_000, connectTimeoutMs: 1_000 };

const TLS = { cert: Buffer.from(CERTIFICATE), key: Buffer.from(CERTIFICATE_KEY) };

describe.each([
  ['TCP', null],
  ['TLS', TLS],
])('silent connections over %s', (_, certificate) => {
  it('lock out no client: the oldest of them is closed', async () => {
    const limits = { maxPending: 20, maxPendingPerAddress: 5 };
    const { port, signIn } = await start(limits, certificate);
    const [oldest] = await openSilent(port, 5);
    const closed = oldest?.closed();
    const client = await signIn('organization');
    expect(client.connected).toBe(true);
    await closed;
  });

  it('are closed at their timeout, beside clients that are signed in', async () => {
    const { port, signIn } = await start(ONE_SECOND, certificate);
    const client = await signIn('organization');
    const silent = await openSilent(port, 3);
    await Promise.all(silent.map((each) => each.closed()));
    expect(client.connected).toBe(true);
  });
});

describe('a connection over TLS', () => {
  it('that sends half a ClientHello is closed at its timeout', async () => {
    const { port } = await start({ handshakeTimeoutMs: 200 }, TLS);
    const [half] = await openSilent(port, 1);
    half?.send(HALF_CLIENT_HELLO);
    await half?.closed();
  });
});

describe('clients of one organization', () => {
  it('that use every session leave the reserve to another organization', async () => {
    const { signIn } = await start({ maxClients: 3 });
    for (let count = 0; count < 3; count += 1) await signIn('large');
    await expect(signIn('large')).rejects.toMatchObject({ code: 3 });
    await signIn('small');
    await expect(signIn('small')).rejects.toMatchObject({ code: 3 });
  });
});

describe('a connection that has not signed in', () => {
  it.each([
    ['less than the limit', 999, 'answered'],
    ['the limit', 1_000, 'answered'],
    ['more than the limit', 1_001, 'closed'],
  ])('and sends a CONNECT of %s is %s', async (_, size, expected) => {
    const { port } = await start({ maxConnectBytes: 1_000 });
    const password = Buffer.alloc(size - 3 - 10 - 3 - 3 - 2, 0x78);
    const raw = await openRaw(port);
    raw.send(
      Buffer.from([0x10, ((size - 3) & 127) | 128, (size - 3) >> 7]),
      Buffer.from('00044d51545404c20000 000178 000178'.replace(/ /g, ''), 'hex'),
      Buffer.from([password.length >> 8, password.length & 0xff]),
      password,
    );
    const answer = raw.answer().then(() => 'answered');
    expect(await Promise.race([answer, raw.closed().then(() => 'closed')])).toBe(expected);
    raw.socket.destroy();
  });
});
