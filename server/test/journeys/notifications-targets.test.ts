import { operations } from '@fieldwatch/contract';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type NotificationBench, notificationBench } from '../support/notification-bench.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type NewWebhook, webhookCalls } from '../support/webhook-calls.ts';

const HOUR_MS = 3_600_000;

let server: TestServer;
let bench: NotificationBench;
let receiver: Receiver;
let webhook: NewWebhook;
let alarmGroupId: string;

const calls = webhookCalls(() => server);
const { newWebhook, newGroup, deliveries } = calls;
const latest = () => calls.latest(webhook.id);
const seen = (wanted: object) => calls.seen(webhook.id, wanted);

beforeAll(async () => {
  server = await startServer({ env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' } });
  bench = await notificationBench(server);
});

afterAll(async () => {
  await bench.stop();
  await server.stop();
});

beforeEach(async () => {
  receiver = await startReceiver();
  webhook = await newWebhook(receiver.url);
  alarmGroupId = await newGroup([{ kind: 'WEBHOOK', webhookId: webhook.id }]);
});

afterEach(() => receiver.stop());

describe('a target that keeps failing', () => {
  it('has its circuit opened, is tried with one delivery at a time, and gets everything once it recovers', async () => {
    receiver.answer(500);
    await bench.notifyMany(12, { alarmGroupId });
    await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(5);
    const failures = async () =>
      (
        await bench.query<{ failures: number; isOpen: boolean; leased: boolean }>(
          `select failures, rest_until is not null as "isOpen", leased_until is not null as leased
           from notification_targets where webhook_id = $1`,
          [webhook.id],
        )
      )[0];
    await expect.poll(failures).toMatchObject({ isOpen: true, leased: false });
    const whenOpened = receiver.received.length;
    expect(whenOpened).toBe(8);
    receiver.answer(null);
    server.clock.advance(20 * 60_000);
    await expect.poll(() => receiver.received.length).toBe(whenOpened + 1);
    receiver.answer(500);
    await expect.poll(failures).toMatchObject({ failures: 9, leased: false });
    expect(receiver.received).toHaveLength(whenOpened + 1);
    receiver.answer(200);
    server.clock.advance(20 * 60_000);
    await expect
      .poll(async () => (await deliveries(webhook.id, 'states[]=DELIVERED')).count)
      .toBe(12);
    expect(await failures()).toMatchObject({ failures: 0, isOpen: false });
  });

  it('gets at most four requests at a time, and other targets are served meanwhile', async () => {
    receiver.answer(null);
    await bench.notifyMany(10, { alarmGroupId });
    await expect.poll(() => receiver.received.length).toBe(4);
    const other = await startReceiver();
    const otherWebhook = await newWebhook(other.url);
    const otherGroup = await newGroup([{ kind: 'WEBHOOK', webhookId: otherWebhook.id }]);
    await bench.notify({ alarmGroupId: otherGroup });
    await expect.poll(() => other.received.length).toBe(1);
    expect(receiver.received).toHaveLength(4);
    receiver.answer(200);
    await expect.poll(() => receiver.received.length).toBe(10);
    expect(receiver.mostAtOnce()).toBe(4);
    await other.stop();
  });
});

describe('a target that requests a pause', () => {
  it('gets nothing during the pause and everything afterwards', async () => {
    receiver.answer(429, { 'retry-after': '120' });
    await bench.notify({ alarmGroupId });
    await seen({ state: 'PENDING', attempts: 1, lastStatus: 429 });
    const { nextAttemptDateTime, lastAttemptDateTime } = await latest();
    expect(Date.parse(nextAttemptDateTime) - Date.parse(lastAttemptDateTime)).toBe(120_000);
    receiver.answer(200);
    await bench.notify({ alarmGroupId });
    await expect.poll(async () => (await deliveries(webhook.id)).count).toBe(2);
    server.clock.advance(110_000);
    // Another target shows that whoever is due is visited.
    const other = await newWebhook(receiver.url);
    const otherGroup = await newGroup([{ kind: 'WEBHOOK', webhookId: other.id }]);
    await bench.notify({ alarmGroupId: otherGroup });
    await expect.poll(() => receiver.received.length).toBe(2);
    server.clock.advance(11_000);
    await expect
      .poll(async () => (await deliveries(webhook.id, 'states[]=DELIVERED')).count)
      .toBe(2);
    expect(receiver.received).toHaveLength(4);
  });

  it('by another status than 429 and 503 is retried as usual', async () => {
    receiver.answer(500, { 'retry-after': '3600' });
    await bench.notify({ alarmGroupId });
    await seen({ state: 'PENDING', attempts: 1 });
    server.clock.advance(11_000);
    await expect.poll(() => receiver.received.length).toBeGreaterThan(1);
  });
});

describe('the secret of a webhook', () => {
  it('that was replaced still signs for one day', async () => {
    const { secret: old } = webhook;
    const params = { webhookId: webhook.id };
    const { body: fresh } = await server.call(operations.rotateWebhookSecret, { params });
    await bench.notify({ alarmGroupId });
    await seen({ state: 'DELIVERED' });
    server.clock.advance(24 * HOUR_MS);
    await bench.notify({ alarmGroupId });
    await expect.poll(() => receiver.received.length).toBe(2);
    const signaturesOf = (index: number) => {
      const received = receiver.received[index];
      if (!received) throw new Error('nothing was received');
      const { headers, text } = received;
      const id = String(headers['webhook-id']);
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      const given = String(headers['webhook-signature']).split(' ');
      const valid = (secret: string) => given.includes(new Verifier(secret).sign(id, at, text));
      return { count: given.length, old: valid(old), fresh: valid(fresh.secret) };
    };
    expect(signaturesOf(0)).toEqual({ count: 2, old: true, fresh: true });
    expect(signaturesOf(1)).toEqual({ count: 1, old: false, fresh: true });
  });
});

describe('a target with nothing left to deliver', () => {
  const target = async () =>
    (
      await bench.query<{ failures: number; isOpen: boolean; nextAt: number | null }>(
        `select failures, rest_until is not null as "isOpen", next_at as "nextAt"
         from notification_targets where webhook_id = $1 and leased_until is null`,
        [webhook.id],
      )
    )[0];

  it('is not tried when its circuit closes', async () => {
    receiver.answer(410);
    for (let count = 1; count <= 5; count += 1) {
      await bench.notify({ alarmGroupId });
      await expect
        .poll(async () => (await deliveries(webhook.id, 'states[]=FAILED')).count)
        .toBe(count);
    }
    await expect.poll(target).toMatchObject({ failures: 5, isOpen: true, nextAt: null });
  });

  it('gets new messages although its open digest was given up', async () => {
    receiver.answer(500);
    await bench.notifyMany(6, { alarmGroupId });
    await expect.poll(target).toMatchObject({ isOpen: true });
    await bench.notifyMany(30, { alarmGroupId });
    const digests = () => deliveries(webhook.id, 'take=50').then(({ items }) => items[0]);
    await expect.poll(digests).toMatchObject({ type: 'alarm.digest', state: 'PENDING' });
    receiver.answer(200);
    server.clock.advance(73 * HOUR_MS);
    await expect.poll(digests).toMatchObject({ type: 'alarm.digest', state: 'FAILED' });
    const before = receiver.received.length;
    await bench.notify({ alarmGroupId });
    await expect.poll(() => receiver.received.length).toBeGreaterThan(before);
  });
});

it('a target with an open circuit is tried at once at a new address', async () => {
  receiver.answer(500);
  await bench.notifyMany(6, { alarmGroupId });
  const circuitOpen = `select 1 from notification_targets
    where webhook_id = $1 and rest_until is not null and leased_until is null`;
  await expect.poll(() => bench.query(circuitOpen, [webhook.id])).not.toEqual([]);
  const other = await startReceiver();
  try {
    const params = { webhookId: webhook.id };
    await server.call(operations.updateWebhook, { params, body: { url: other.url } });
    await expect.poll(() => other.received.length).toBe(6);
  } finally {
    await other.stop();
  }
});

describe('redelivery', () => {
  it('sends the same message under the same id, also after it failed for good', async () => {
    receiver.answer(410);
    await bench.notify({ alarmGroupId });
    await seen({ state: 'FAILED' });
    receiver.answer(200);
    const { id } = await latest();
    const { status, body } = await calls.redeliver(webhook.id, id);
    expect([status, body.id, body.state, body.attempts]).toEqual([200, id, 'PENDING', 0]);
    await seen({ id, state: 'DELIVERED', attempts: 1 });
    await calls.redeliver(webhook.id, id);
    await expect.poll(() => receiver.received.length).toBe(3);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    const audit = await server.call(operations.listAuditLog, { query: `resourceId=${id}` });
    expect(audit.body.items[0]).toMatchObject({ operation: 'redeliverWebhookDelivery' });
  });

  it('closes the circuit of its target', async () => {
    receiver.answer(500);
    await bench.notifyMany(6, { alarmGroupId });
    await expect
      .poll(() =>
        bench.query(
          `select 1 from notification_targets
           where webhook_id = $1 and rest_until is not null and leased_until is null`,
          [webhook.id],
        ),
      )
      .not.toEqual([]);
    receiver.answer(200);
    await calls.redeliver(webhook.id, (await latest()).id);
    await expect
      .poll(async () => (await deliveries(webhook.id, 'states[]=DELIVERED')).count)
      .toBe(6);
  });

  it('is refused while the webhook is off', async () => {
    await bench.notify({ alarmGroupId });
    await seen({ state: 'DELIVERED' });
    const params = { webhookId: webhook.id };
    await server.call(operations.updateWebhook, { params, body: { isActive: false } });
    const { status, body } = await calls.redeliver(webhook.id, (await latest()).id);
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
  });
});
