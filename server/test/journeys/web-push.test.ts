import type { IncomingHttpHeaders } from 'node:http';
import { operations, type Severity } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type NotificationBench, notificationBench } from '../support/notification-bench.ts';
import { type PushService, startPushService, vapidClaims } from '../support/push-service.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let bench: NotificationBench;
let service: PushService;

beforeAll(async () => {
  server = await startServer({
    env: {
      FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1',
      FIELDWATCH_PUBLIC_URL: 'https://watch.example.com',
    },
  });
  bench = await notificationBench(server);
  service = await startPushService();
});

afterAll(async () => {
  await service.stop();
  await bench.stop();
  await server.stop();
});

const asUser = () => ({ auth: server.administrator });
const list = async () =>
  (await server.call(operations.listWebPushSubscriptions, asUser())).body.items;
const subscribe = (name: string, severities: readonly Severity[] = [], change: object = {}) =>
  server.call(operations.createWebPushSubscription, {
    ...asUser(),
    body: { name, severities, ...service.subscription(name), ...change },
  });
const remove = (subscriptionId: string) =>
  server.call(operations.deleteWebPushSubscription, { ...asUser(), params: { subscriptionId } });
const pushed = (name: string) =>
  service.received.filter(({ path }) => path === `/push/${name}`).map(({ text }) => text);

beforeEach(async () => {
  for (const { id } of await list()) await remove(id);
  service.received.length = 0;
  service.answer(201);
});

describe('a web push subscription', () => {
  it('receives alarms of its severities, encrypted and signed, also of Alarms without a group', async () => {
    expect((await subscribe('phone', ['HIGH', 'CRITICAL'])).status).toBe(201);
    await bench.notify({ severity: 'LOW', alarmName: 'Door open' });
    const eventId = await bench.notify({ severity: 'CRITICAL' });
    await expect.poll(() => pushed('phone')).toHaveLength(1);
    expect(pushed('phone')[0]).toEqual({
      type: 'alarm.raised',
      title: '[CRITICAL] Oil pressure low: Generator 2',
      body: 'Oil pressure 1.5 bar',
      path: `/alarms/events/${eventId}`,
      tag: eventId,
    });
    const headers: IncomingHttpHeaders = service.received[0]?.headers ?? {};
    expect(headers).toMatchObject({ urgency: 'high', 'content-encoding': 'aes128gcm' });
    expect(headers.topic).toBe(eventId.replaceAll('-', ''));
    const key = await server.call(operations.retrieveWebPushKey, asUser());
    expect(headers.authorization).toContain(`k=${key.body.publicKey}`);
    const { aud, sub, exp } = vapidClaims(headers.authorization ?? '');
    expect({ aud, sub }).toEqual({ aud: service.origin, sub: 'https://watch.example.com' });
    expect(Number(exp) * 1000).toBeGreaterThan(server.clock.now());
  });

  it('is listed among the deliveries with its user, and in the log of the event', async () => {
    await subscribe('desk');
    const eventId = await bench.notify({});
    const find = async () => {
      const { body } = await server.call(operations.listDeliveries, {
        query: 'channels[]=WEB_PUSH',
      });
      return body.items.find((each: { eventId: string }) => each.eventId === eventId);
    };
    await expect.poll(find).toMatchObject({
      channel: 'WEB_PUSH',
      email: server.adminEmail,
      webhookId: null,
      state: 'DELIVERED',
    });
  });

  it.each([404, 410])('ends when its push service answers %i', async (status) => {
    await subscribe('gone');
    service.answer(status);
    await bench.notify({});
    await expect.poll(list).toEqual([]);
    expect(pushed('gone')).toHaveLength(1);
  });

  it('stays and is tried again when its push service fails', async () => {
    await subscribe('retried');
    service.answer(500);
    await bench.notify({});
    await expect.poll(() => pushed('retried')).toHaveLength(1);
    service.answer(201);
    server.clock.advance(20_000);
    await expect.poll(() => pushed('retried')).toHaveLength(2);
    expect(await list()).toHaveLength(1);
  });

  it('of the same browser is replaced, and not doubled', async () => {
    const first = await subscribe('tablet', ['LOW']);
    const second = await subscribe('tablet', ['CRITICAL']);
    expect(second.body).toMatchObject({ id: first.body.id, severities: ['CRITICAL'] });
    expect(await list()).toHaveLength(1);
  });

  it('is one of at most ten of a user', async () => {
    for (let number = 1; number <= 10; number += 1) {
      expect((await subscribe(`browser-${number}`)).status).toBe(201);
    }
    expect(await subscribe('browser-11')).toMatchObject({
      status: 409,
      body: { detail: 'A user has at most 10 browsers: remove one first.' },
    });
    expect((await subscribe('browser-10', ['HIGH'])).status).toBe(201);
  });

  it.each([
    ['endpoint', { endpoint: 'ftp://push.example/1' }],
    ['endpoint', { endpoint: `https://push.example/${'x'.repeat(980)}` }],
    ['keys.p256dh', { keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) } }],
    ['keys.auth', { keys: { p256dh: 'B'.repeat(87), auth: 'short' } }],
    ['severities[0]', { severities: ['NONE'] }],
  ])('with a bad %s is refused by that name', async (path, change) => {
    const { status, body } = await subscribe('bad', [], change);
    expect(status).toBe(400);
    expect(body.errors.map((each: { path: string }) => each.path)).toContain(path);
  });

  it('in a private network is not called without an allowance', async () => {
    await subscribe('inside', [], { endpoint: 'http://10.1.2.3/push' });
    const eventId = await bench.notify({});
    const find = async () => {
      const { body } = await server.call(operations.listDeliveries, {
        query: 'channels[]=WEB_PUSH',
      });
      return body.items.find((each: { eventId: string }) => each.eventId === eventId)?.lastError;
    };
    await expect.poll(find).toBe('the address is not a public one, and not allowed');
  });

  it('belongs to its user: another gets 404, and a removed member loses it', async () => {
    const { body: own } = await subscribe('own');
    const email = 'second@example.com';
    const password = 'a password of a second user';
    const { body: user } = await server.call(operations.createUser, {
      body: { email, role: 'VIEWER', password },
    });
    const auth = await server.signIn(email, password);
    const params = { subscriptionId: own.id };
    const foreign = await server.call(operations.deleteWebPushSubscription, { auth, params });
    expect(foreign.status).toBe(404);
    await server.call(operations.createWebPushSubscription, {
      auth,
      body: { name: 'theirs', ...service.subscription('theirs') },
    });
    await server.call(operations.deleteUser, { params: { userId: user.id } });
    await bench.notify({});
    await expect.poll(() => pushed('own')).toHaveLength(1);
    expect(pushed('theirs')).toEqual([]);
  });

  it('keeps the private key of the installation encrypted', async () => {
    await server.call(operations.retrieveWebPushKey, asUser());
    const [row] = await bench.query<{ length: number }>(
      'select octet_length(encrypted_private_key) as length from web_push_keys',
    );
    // A version, the id of the key, a nonce, a tag and the 32 bytes of the private key.
    expect(row?.length).toBe(1 + 4 + 12 + 16 + 32);
  });
});
