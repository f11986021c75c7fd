import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { conventionErrors } from '../support/metric-conventions.ts';
import { type NotificationBench, notificationBench } from '../support/notification-bench.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { webhookCalls } from '../support/webhook-calls.ts';

const DAY_MS = 24 * 3_600_000;
const env = { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' };

let server: TestServer;
let bench: NotificationBench;
let receiver: Receiver;

const { newWebhook, newGroup, deliveries } = webhookCalls(() => server);

beforeAll(async () => {
  server = await startServer({ env });
  bench = await notificationBench(server);
  receiver = await startReceiver();
});

afterAll(async () => {
  await receiver.stop();
  await bench.stop();
  await server.stop();
});

/** Another server of the same installation. */
const startSecond = () =>
  startServer({
    databaseUrl: server.databaseUrl,
    env: {
      ...env,
      FIELDWATCH_ORGANIZATION_ID: '018f0000-0000-7000-8000-00000000beef',
      FIELDWATCH_ADMIN_EMAIL: 'second@example.com',
    },
  });

it('two servers share deliveries, each sent once, also when one of them stops', async () => {
  const second = await startSecond();
  const webhooks = await Promise.all(Array.from({ length: 8 }, () => newWebhook(receiver.url)));
  const alarmGroupId = await newGroup(
    webhooks.map(({ id }) => ({ kind: 'WEBHOOK', webhookId: id })),
  );
  for (let round = 0; round < 3; round += 1) await bench.notifyMany(5, { alarmGroupId });
  await expect.poll(() => receiver.received.length).toBe(8 * 15);
  const sent = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size;
  expect(sent()).toBe(8 * 15);

  receiver.answer(null);
  await bench.notify({ alarmGroupId });
  await expect.poll(() => receiver.received.length).toBe(8 * 15 + 8);
  await second.stop();
  receiver.answer(200);
  const states = async () =>
    bench.query(`select state, count(*)::integer from deliveries group by state`);
  await expect.poll(states).toEqual([{ state: 'DELIVERED', count: 8 * 16 }]);
  expect(sent()).toBe(8 * 16);
});

it('a delivery is given up after three days of failures and deleted after a month', async () => {
  receiver.answer(500);
  const webhook = await newWebhook(receiver.url);
  const alarmGroupId = await newGroup([{ kind: 'WEBHOOK', webhookId: webhook.id }]);
  const other = await newWebhook(receiver.url);
  const otherGroupId = await newGroup([{ kind: 'WEBHOOK', webhookId: other.id }]);
  await bench.notifyMany(12, { alarmGroupId });
  /** Until no attempt is in progress: one that ends after a step of the clock opens the circuit after it. */
  const circuitOpen = () =>
    expect
      .poll(() =>
        bench.query(
          `select 1 from notification_targets
           where webhook_id = $1 and rest_until > $2 and leased_until is null`,
          [webhook.id, new Date(server.clock.now())],
        ),
      )
      .toHaveLength(1);
  await circuitOpen();
  server.clock.advance(3 * DAY_MS - 60_000);
  // A fan-out that was under way would give its deliveries the time before the step.
  await bench.notify({ alarmGroupId: otherGroupId });
  await expect.poll(async () => (await deliveries(other.id)).count).toBe(1);
  await bench.notify({ alarmGroupId });
  await expect.poll(async () => (await deliveries(webhook.id)).count).toBe(13);
  await circuitOpen();
  server.clock.advance(60_000 + 20 * 60_000);
  await expect.poll(async () => (await deliveries(webhook.id, 'states[]=FAILED')).count).toBe(12);
  expect((await deliveries(webhook.id, 'states[]=PENDING')).count).toBe(1);

  const { text } = await call(server.url, operations.readMetrics);
  expect(text).toMatch(/^fieldwatch_notifications_total\{outcome="delivered"\} \d+$/m);
  expect(text).toMatch(/^fieldwatch_notifications_total\{outcome="retried"\} [1-9]\d*$/m);
  expect(text).toMatch(/^fieldwatch_notification_lag_seconds_count [1-9]/m);
  expect(conventionErrors(text)).toEqual([]);

  server.clock.advance(31 * DAY_MS);
  await expect
    .poll(async () => (await deliveries(webhook.id, 'states[]=FAILED')).count)
    .toBeLessThan(2);
});
