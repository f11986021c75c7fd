import { operations } from '@fieldwatch/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { NOTIFICATION_BATCH_SIZE } from '../../src/notify/fan-out/index.ts';
import { type NotificationBench, notificationBench } from '../support/notification-bench.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let bench: NotificationBench;
let receiver: Receiver;
let alarmGroupId: string;

beforeAll(async () => {
  server = await startServer({ env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  bench = await notificationBench(server);
});

afterAll(async () => {
  await bench.stop();
  await server.stop();
});

beforeEach(async () => {
  receiver = await startReceiver();
  const { body: webhook } = await server.call(operations.createWebhook, {
    body: { name: 'Pager', url: receiver.url },
  });
  const subscriptions = [{ kind: 'WEBHOOK', webhookId: webhook.id }];
  const body = { name: 'Group', subscriptions };
  alarmGroupId = (await server.call(operations.createAlarmGroup, { body })).body.id;
});

afterEach(() => receiver.stop());

const types = () => receiver.received.map(({ body }) => body.type);

/** Once all that was written was taken up. */
const taken = () =>
  expect
    .poll(() => bench.query('select 1 from notification_outbox'), { timeout: 10_000 })
    .toEqual([]);

/** Events of the group whose timeline says that somebody was notified. */
const notified = () =>
  bench.query(
    `select count(*)::int as lines, count(distinct event.id)::int as events
     from alarm_event_log line join alarm_events event on event.id = line.event_id
     where alarm_group_id = $1 and kind = 'NOTIFIED' and detail = 'by webhook: Pager, in a digest'`,
    [alarmGroupId],
  );

it('twenty events within a minute are sent singly, and the next goes into a digest', async () => {
  await bench.notifyMany(19, { alarmGroupId });
  await expect.poll(() => receiver.received.length).toBe(19);
  await bench.notify({ alarmGroupId });
  await expect.poll(() => receiver.received.length).toBe(20);
  await bench.notify({ alarmGroupId, severity: 'LOW', kind: 'cleared' });
  await taken();
  server.clock.advance(5_000);
  await expect.poll(() => receiver.received.length).toBe(21);
  expect(types().filter((type) => type === 'alarm.raised')).toHaveLength(20);
  expect(receiver.received.at(-1)?.body).toMatchObject({
    type: 'alarm.digest',
    data: { count: 1, counts: { cleared: { LOW: 1 } } },
  });
});

it('a storm is sent as one digest a minute, and events after it singly again', async () => {
  await bench.notifyMany(21, { alarmGroupId });
  await taken();
  await bench.notifyMany(4, { alarmGroupId, severity: 'HIGH' });
  await taken();
  expect(receiver.received).toEqual([]);
  server.clock.advance(5_000);
  await expect.poll(types).toEqual(['alarm.digest']);
  const { data } = receiver.received[0]?.body ?? {};
  expect([data.count, data.counts]).toEqual([25, { raised: { CRITICAL: 21, HIGH: 4 } }]);
  expect(data.messages).toHaveLength(20);
  expect(data.messages[0]).toMatchObject({
    type: 'alarm.raised',
    data: { deviceName: 'Generator 2' },
  });
  await expect.poll(notified).toEqual([{ events: 25, lines: 25 }]);

  await bench.notify({ alarmGroupId });
  await taken();
  server.clock.advance(50_000);
  await bench.notify({ alarmGroupId });
  await taken();
  expect(types()).toEqual(['alarm.digest']);
  server.clock.advance(10_000);
  await expect.poll(types).toEqual(['alarm.digest', 'alarm.digest']);
  expect(receiver.received[1]?.body.data.count).toBe(2);

  server.clock.advance(60_000);
  await bench.notify({ alarmGroupId });
  await expect.poll(types).toEqual(['alarm.digest', 'alarm.digest', 'alarm.raised']);
});

it('thousands of events at a time reach each target in one digest, none lost or repeated', async () => {
  const others = [await startReceiver(), await startReceiver()];
  const receivers = [receiver, ...others];
  const subscriptions: object[] = [];
  for (const { url } of receivers) {
    const { body } = await server.call(operations.createWebhook, { body: { name: 'Pager', url } });
    subscriptions.push({ kind: 'WEBHOOK', webhookId: body.id });
  }
  const body = { name: 'Large', subscriptions };
  const { body: group } = await server.call(operations.createAlarmGroup, { body });
  const count = 2 * NOTIFICATION_BATCH_SIZE + 1;
  // From here on PostgreSQL believes that the outbox is empty, and plans for that.
  await bench.query('vacuum (truncate false, analyze) notification_outbox');
  await bench.notifyMany(count, { alarmGroupId: group.id });
  await taken();
  server.clock.advance(5_000);
  await expect
    .poll(
      () => receivers.map(({ received }) => received.map(({ body: sent }) => sent.data.count)),
      {
        timeout: 10_000,
      },
    )
    .toEqual(receivers.map(() => [count]));
  for (const { stop } of others) await stop();
});
