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

describe('a raised event', () => {
  it('is sent to the webhooks of its group, signed, with the event as it is', async () => {
    const eventId = await bench.notify({ alarmGroupId });
    await seen({ state: 'DELIVERED' });
    const [{ headers, text, body } = { headers: {}, text: '', body: {} }] = receiver.received;
    expect(body).toEqual({
      type: 'alarm.raised',
      timestamp: body.timestamp,
      data: {
        id: eventId,
        alarmId: body.data.alarmId,
        alarmName: 'Oil pressure low',
        severity: 'CRITICAL',
        operator: 'LESS_THAN',
        thresholdValue: 2,
        deviceId: body.data.deviceId,
        deviceName: 'Generator 2',
        deviceVariableId: body.data.deviceVariableId,
        deviceVariableName: 'Oil pressure',
        assetIds: [],
        locationId: null,
        alarmGroupId,
        raisedDateTime: body.timestamp,
        raisedValue: 1.5,
        clearedDateTime: null,
        clearedValue: null,
        clearedReason: null,
        isAcknowledgeable: true,
        acknowledgedDateTime: null,
        acknowledgedBy: null,
        notes: [],
      },
      context: { unit: 'bar', locationPath: [], timeZone: null },
    });
    const delivery = await latest();
    expect(delivery).toEqual({
      id: headers['webhook-id'],
      channel: 'WEBHOOK',
      webhookId: webhook.id,
      email: null,
      type: 'alarm.raised',
      eventId,
      eventCount: 1,
      state: 'DELIVERED',
      attempts: 1,
      nextAttemptDateTime: null,
      lastAttemptDateTime: delivery.lastAttemptDateTime,
      lastStatus: 200,
      lastError: null,
      lastDurationMs: delivery.lastDurationMs,
      createdDateTime: delivery.createdDateTime,
    });
    new Verifier(webhook.secret).verify(text, headers as Record<string, string>);
    const log = await bench.query('select kind, detail from alarm_event_log where event_id = $1', [
      eventId,
    ]);
    expect(log).toEqual([{ kind: 'NOTIFIED', detail: 'by webhook: Pager' }]);
  });

  it('that was cleared or acknowledged is sent with that type', async () => {
    await bench.notify({ alarmGroupId, kind: 'cleared' });
    await seen({ type: 'alarm.cleared', state: 'DELIVERED' });
    await bench.notify({ alarmGroupId, kind: 'acknowledged' });
    await seen({ type: 'alarm.acknowledged', state: 'DELIVERED' });
    expect(receiver.received.map(({ body }) => body.type)).toEqual([
      'alarm.cleared',
      'alarm.acknowledged',
    ]);
    expect(receiver.received[0]?.body.data.clearedReason).toBe('RECOVERED');
    expect(receiver.received[1]?.body.data.acknowledgedBy).toBe('ann@example.com');
  });

  it('is not sent without a group, for another severity, or to a webhook that is off', async () => {
    const off = await newWebhook(receiver.url);
    const params = { webhookId: off.id };
    await server.call(operations.updateWebhook, { params, body: { isActive: false } });
    const offGroup = await newGroup([{ kind: 'WEBHOOK', webhookId: off.id }]);
    const highOnly = await newGroup([
      { kind: 'WEBHOOK', webhookId: webhook.id, severities: ['HIGH'] },
    ]);
    await bench.notify({ alarmGroupId: null });
    await bench.notify({ alarmGroupId: offGroup });
    await bench.notify({ alarmGroupId: highOnly, severity: 'CRITICAL' });
    await bench.notify({ alarmGroupId: highOnly, severity: 'HIGH' });
    await seen({ state: 'DELIVERED' });
    expect(receiver.received.map(({ body }) => body.data.severity)).toEqual(['HIGH']);
    expect(await bench.query('select 1 from notification_outbox')).toEqual([]);
    expect((await deliveries(off.id)).count).toBe(0);
  });
});

describe('a delivery that fails', () => {
  it('is tried again with the same id and the same bytes until it arrives', async () => {
    receiver.answer(500);
    await bench.notify({ alarmGroupId });
    await seen({ state: 'PENDING', attempts: 1, lastStatus: 500, lastError: 'the answer was 500' });
    const { nextAttemptDateTime, lastAttemptDateTime } = await latest();
    const pauseMs = Date.parse(nextAttemptDateTime) - Date.parse(lastAttemptDateTime);
    expect(pauseMs).toBeGreaterThanOrEqual(0);
    expect(pauseMs).toBeLessThanOrEqual(10_000);
    server.clock.advance(11_000);
    await seen({ attempts: 2 });
    receiver.answer(204);
    server.clock.advance(31_000);
    await seen({ state: 'DELIVERED', attempts: 3, lastStatus: 204, lastError: null });
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    const stamps = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(stamps).toEqual([...stamps].sort((one, other) => one - other));
    expect(stamps[2]).toBeGreaterThan(stamps[0] ?? 0);
  });

  it('is given up after three days', async () => {
    receiver.answer(503);
    await bench.notify({ alarmGroupId });
    await seen({ attempts: 1 });
    server.clock.advance(73 * HOUR_MS);
    await seen({ state: 'FAILED', attempts: 2, nextAttemptDateTime: null, lastStatus: 503 });
  });

  it('with 410 Gone is given up at once, and the webhook stays on', async () => {
    receiver.answer(410);
    await bench.notify({ alarmGroupId });
    await seen({ state: 'FAILED', attempts: 1, lastStatus: 410 });
    const params = { webhookId: webhook.id };
    expect((await server.call(operations.retrieveWebhook, { params })).body.isActive).toBe(true);
  });

  it('at a refused address says so, and nothing is sent there', async () => {
    const url = receiver.url.replace('127.0.0.1', '127.0.0.2');
    await server.call(operations.updateWebhook, {
      params: { webhookId: webhook.id },
      body: { url },
    });
    await bench.notify({ alarmGroupId });
    await seen({
      state: 'PENDING',
      lastStatus: null,
      lastError: 'the address is not a public one, and not allowed',
    });
    expect(receiver.received).toEqual([]);
  });

  it('to a webhook that was switched off meanwhile ends there', async () => {
    receiver.answer(500);
    await bench.notify({ alarmGroupId });
    await seen({ attempts: 1 });
    const params = { webhookId: webhook.id };
    await server.call(operations.updateWebhook, { params, body: { isActive: false } });
    server.clock.advance(11_000);
    await seen({ state: 'FAILED', lastError: 'the webhook is switched off' });
    expect(receiver.received).toHaveLength(1);
  });
});
