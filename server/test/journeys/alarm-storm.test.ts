import { randomUUID } from 'node:crypto';
import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventBench } from '../support/alarm-events.ts';
import { type NotificationBench, notificationBench } from '../support/notification-bench.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { webhookCalls } from '../support/webhook-calls.ts';

const DEVICES = 100;
const POINTS = Array.from({ length: 10 }, (_, index) => `point.${index}`);
const ALARMS = DEVICES * POINTS.length;

let server: TestServer;
let sql: NotificationBench;
let receiver: Receiver;
let deviceIds: string[];

const { history, newWatched, report, eventsOf, timeline } = eventBench(() => server);
const { newWebhook, newGroup } = webhookCalls(() => server);

beforeAll(async () => {
  server = await startServer({ env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' } });
  sql = await notificationBench(server);
  receiver = await startReceiver();
});

afterAll(async () => {
  await receiver.stop();
  await sql.stop();
  await server.stop();
});

/** As many alarms in one group, with statements instead of thousands of requests. */
async function populate(alarmGroupId: string): Promise<void> {
  deviceIds = Array.from({ length: DEVICES }, () => randomUUID());
  const { organizationId } = server;
  await sql.query(
    `insert into devices (organization_id, id, type, name, name_folded, description,
       password_hash, created_at, updated_at)
     select $1, id, 'CUSTOM_DEVICE', 'Meter', 'meter', '', '', now(), now()
     from unnest($2::uuid[]) as made (id)`,
    [organizationId, deviceIds],
  );
  await sql.query(
    `insert into variables (organization_id, id, device_id, topic_property_path,
       topic_property_path_folded, type, name, name_folded, is_logging_enabled, created_at,
       updated_at)
     select $1, gen_random_uuid(), device, path, path, 'NUMBER', 'Point', 'point', true, now(),
       now()
     from unnest($2::uuid[]) device, unnest($3::text[]) path`,
    [organizationId, deviceIds, POINTS],
  );
  await sql.query(
    `insert into alarms (organization_id, id, name, name_folded, is_active, device_id,
       variable_id, operator, threshold_number, severity, is_acknowledgeable, alarm_group_id,
       created_at, updated_at)
     select organization_id, gen_random_uuid(), 'Too hot', 'too hot', true, device_id, id,
       'GREATER_THAN', 50, 'HIGH', false, $2, now(), now()
     from variables where device_id = any($1)`,
    [deviceIds, alarmGroupId],
  );
}

const reportAll = (value: number) =>
  Promise.all(
    deviceIds.map(async (deviceId) => {
      const data = Object.fromEntries(POINTS.map((path) => [path, value]));
      const { status } = await server.call(operations.writeReadings, {
        params: { deviceId },
        body: { data },
      });
      expect(status).toBe(200);
    }),
  );

/** How many events have how many lines of which kind. */
const lines = () =>
  sql.query<{ kind: string; lines: number; events: number }>(
    `select kind, count(*)::int as lines, count(distinct event_id)::int as events
     from alarm_event_log group by kind order by kind`,
  );

const once = (kind: string) => ({ kind, lines: ALARMS, events: ALARMS });

/** Once all that was written was taken up. */
const taken = () => expect.poll(() => sql.query('select 1 from notification_outbox')).toEqual([]);

const notificationsOf = (kind: string) =>
  receiver.received.reduce((sum, { body: { type, data } }) => {
    if (type === `alarm.${kind}`) return sum + 1;
    return sum + (data.counts?.[kind]?.HIGH ?? 0);
  }, 0);

it('a thousand Alarms that trigger together record a thousand events, notified once and in few messages', async () => {
  const webhook = await newWebhook(receiver.url);
  await populate(await newGroup([{ kind: 'WEBHOOK', webhookId: webhook.id }]));
  await reportAll(40);
  await reportAll(60);
  expect((await history({ take: 1 })).body.count).toBe(ALARMS);
  await taken();
  server.clock.advance(5_000);
  await expect.poll(() => notificationsOf('raised')).toBe(ALARMS);
  await expect.poll(lines).toEqual([once('NOTIFIED'), once('RAISED')]);

  await reportAll(40);
  expect((await history({ take: 1, search: 'TOO' })).body.count).toBe(ALARMS);
  await taken();
  server.clock.advance(60_000);
  await expect.poll(() => notificationsOf('cleared')).toBe(ALARMS);
  await expect
    .poll(lines)
    .toEqual([
      once('CLEARED'),
      { kind: 'NOTIFIED', lines: 2 * ALARMS, events: ALARMS },
      once('RAISED'),
    ]);
  expect(receiver.received.length).toBeLessThanOrEqual(22);
  const [digest] = receiver.received.filter(({ body }) => body.type === 'alarm.digest');
  const eventId = digest?.body.data.messages[0].data.id;
  const { body } = await timeline(eventId);
  expect(body.items.map(({ detail }: { detail: string }) => detail)).toContain(
    'by webhook: Pager, in a digest',
  );
});

it('deleting a Variable deletes everything that its Alarms recorded', async () => {
  const { point, alarm } = await newWatched({ name: 'Gone soon' });
  await report(point, 60);
  const [event] = await eventsOf(alarm.id);
  const left = () =>
    sql.query(
      `select (select count(*) from alarm_watches where alarm_id = $1)::int as watches,
         (select count(*) from alarm_events where alarm_id = $1)::int as events,
         (select count(*) from alarm_event_log where event_id = $2)::int as log,
         (select count(*) from alarm_event_names where alarm_id = $1)::int as names`,
      [alarm.id, event?.id],
    );
  expect(await left()).toEqual([{ watches: 1, events: 1, log: 1, names: 1 }]);
  const { deviceId } = point;
  await server.call(operations.deleteDevice, { params: { deviceId } });
  expect(await left()).toEqual([{ watches: 0, events: 0, log: 0, names: 0 }]);
});
