import { operations } from '@fieldwatch/contract';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { onlineVariableIdOf } from '../../src/presence/index.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { cases } from '../support/soak.ts';

const MINUTE = 60_000;
const ONLINE_MINUTES = 10;
/** Within it all Devices of a test report once, however slow the machine is. */
const ROUND_MS = 4 * MINUTE;
const WAIT_MS = 90_000;

let server: TestServer;
let database: pg.Client;
let receiver: Receiver;
let alarmGroupId: string;

beforeAll(async () => {
  server = await startServer({
    env: {
      FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.0/8',
      FIELDWATCH_ONLINE_MINUTES: String(ONLINE_MINUTES),
    },
  });
  database = new pg.Client({ connectionString: server.databaseUrl });
  await database.connect();
});

afterAll(async () => {
  await database.end();
  await server.stop();
});

beforeEach(async () => {
  receiver = await startReceiver();
  const { body: webhook } = await server.call(operations.createWebhook, {
    body: { name: 'Pager', url: receiver.url },
  });
  const subscriptions = [{ kind: 'WEBHOOK', webhookId: webhook.id }];
  const { body } = await server.call(operations.createAlarmGroup, {
    body: { name: 'Group', subscriptions },
  });
  alarmGroupId = body.id;
});

afterEach(() => receiver.stop());

const types = () => receiver.received.map(({ body }) => body.type);
const received = (expected: readonly string[]) => expect.poll(types).toEqual(expected);

async function newDevice(fields: Readonly<Record<string, unknown>>): Promise<string> {
  const body = { type: 'CUSTOM_DEVICE', name: 'Device', ...fields };
  const { status, text, body: device } = await server.call(operations.createDevice, { body });
  expect(status, text).toBe(201);
  return device.id;
}

async function newOfflineAlarm(deviceId: string, severity = 'HIGH'): Promise<void> {
  const deviceVariableId = onlineVariableIdOf(deviceId);
  const terms = { operator: 'EQUAL', thresholdValueBoolean: false, severity, isActive: true };
  const { status, text } = await server.call(operations.createAlarm, {
    body: { name: 'Offline', deviceId, deviceVariableId, alarmGroupId, ...terms },
  });
  expect(status, text).toBe(201);
}

/** The Device sends something: it is online for its window. */
async function report(deviceId: string): Promise<void> {
  const { status, text } = await server.call(operations.writeReadings, {
    params: { deviceId },
    body: { data: { any: 1 } },
  });
  expect(status, text).toBe(200);
}

const inBatches = async (ids: readonly string[], work: (id: string) => Promise<void>) => {
  for (let index = 0; index < ids.length; index += 50) {
    await Promise.all(ids.slice(index, index + 50).map(work));
  }
};

const count = async (sql: string) => {
  const { rows } = await database.query(
    `select count(*)::int as count from ${sql.replaceAll('$group', `'${alarmGroupId}'`)}`,
  );
  return rows[0].count as number;
};

const OPEN = `alarm_events where alarm_group_id = $group and cleared_at is null`;

const offline = (events: number) => expect.poll(() => count(OPEN)).toBe(events);

const suppressed = (events: number) =>
  expect.poll(() => count(`${OPEN} and suppression_kind = 'TOPOLOGY'`)).toBe(events);

const waitOut = async (waiting: number) => {
  const held = () =>
    count(`held_notifications join alarm_events event on event.id = event_id
      where alarm_group_id = $group and reason = 'WAIT'`);
  await expect.poll(held).toBe(waiting);
  server.clock.advance(WAIT_MS);
};

/** Resolves when all of the Devices are recorded as seen, and as online or offline. */
async function recorded(isOnline: boolean, ids: readonly string[]): Promise<void> {
  const recordedCount = async () => {
    const { rows } = await database.query(
      `select count(*)::int as count from devices
       where is_online = $1 and last_seen_at is not null and id = any($2)`,
      [isOnline, ids],
    );
    return rows[0].count as number;
  };
  await expect.poll(recordedCount).toBe(ids.length);
}

async function comeOnline(ids: readonly string[]): Promise<void> {
  await inBatches(ids, report);
  await recorded(true, ids);
}

/** A gateway with Devices behind it, all of them online. */
async function newSite(deviceCount: number, severityOf = (_: number) => 'HIGH') {
  const gateway = await newDevice({ name: 'Gateway' });
  const indexes = Array.from({ length: deviceCount }, (_, index) => index);
  const children: string[] = [];
  for (let from = 0; from < deviceCount; from += 50) {
    const made = indexes.slice(from, from + 50).map(async (index) => {
      const id = await newDevice({ name: `Sensor ${index}`, parentDeviceId: gateway });
      await newOfflineAlarm(id, severityOf(index));
      return id;
    });
    children.push(...(await Promise.all(made)));
  }
  await comeOnline([gateway, ...children]);
  return { gateway, children };
}

/** Has the group paged to a webhook of its own. */
async function addPolicy() {
  const pager = await startReceiver();
  const { body: webhook } = await server.call(operations.createWebhook, {
    body: { name: 'Pages', url: pager.url },
  });
  const targets = [{ kind: 'WEBHOOK', webhookId: webhook.id }];
  const { body: policy } = await server.call(operations.createEscalationPolicy, {
    body: { name: 'Policy', steps: [{ afterSeconds: 0, targets }] },
  });
  await server.call(operations.updateAlarmGroup, {
    params: { alarmGroupId },
    body: { escalationPolicyId: policy.id },
  });
  /** The states of its pages with the number of their events, newest first. */
  const pages = async (): Promise<string[]> => {
    const query = `policyId=${policy.id}`;
    const { items } = (await server.call(operations.listPages, { query })).body;
    return items.map((each: { state: string; eventCount: number }) => {
      return `${each.state} ${each.eventCount}`;
    });
  };
  return { pager, pages };
}

/** In soak 1 000. */
const BEHIND = cases(1_000, 0.05);

it('a gateway that fails with many Devices behind it is one message, and its return another', async () => {
  const { pager, pages } = await addPolicy();
  const { gateway, children } = await newSite(BEHIND);
  await newOfflineAlarm(gateway, 'CRITICAL');
  const resolvedPage = async () => {
    await expect.poll(() => pager.received.length).toBe(2);
    expect(pager.received[1]?.body.page.title).toBe('Resolved');
    expect(await pages()).toEqual(['RESOLVED 1']);
  };
  server.clock.advance(ONLINE_MINUTES * MINUTE + 1);
  await offline(BEHIND + 1);
  await received(['alarm.raised']);
  expect(receiver.received[0]?.body).toMatchObject({
    data: { deviceName: 'Gateway' },
    context: { devicesBehind: BEHIND },
  });
  server.clock.advance(WAIT_MS);
  await suppressed(BEHIND);
  expect(await pages()).toEqual(['ACTIVE 1']);
  expect(pager.received.map(({ body }) => body.data.deviceName)).toEqual(['Gateway']);

  const silent = children.slice(0, 3);
  await inBatches([gateway, ...children.slice(3)], report);
  await offline(3);
  await received(['alarm.raised', 'alarm.cleared']);
  const scheduled = () =>
    count("held_notifications where reason = 'TOPOLOGY' and due_at is not null");
  await expect.poll(scheduled).toBe(3);
  await resolvedPage();
  // The others stay online while the time of the silent ones passes.
  for (let round = 0; round < 3; round += 1) {
    server.clock.advance(ONLINE_MINUTES * MINUTE - ROUND_MS);
    await inBatches([gateway, ...children.slice(3)], report);
  }
  expect(types()).toEqual(['alarm.raised', 'alarm.cleared']);
  server.clock.advance(2 * ONLINE_MINUTES * MINUTE - 3 * (ONLINE_MINUTES * MINUTE - ROUND_MS));
  await received(['alarm.raised', 'alarm.cleared', 'alarm.digest']);
  const { data } = receiver.received[2]?.body ?? {};
  expect(data).toMatchObject({ cause: { kind: 'STILL_OFFLINE', name: 'Gateway' }, count: 3 });
  expect(
    data.messages.map((each: { data: { deviceId: string } }) => each.data.deviceId).sort(),
  ).toEqual([...silent].sort());
  await expect.poll(pages).toEqual(['ACTIVE 3', 'RESOLVED 1']);
  await expect.poll(() => pager.received.length).toBe(3);
  expect(pager.received[2]?.body).toMatchObject({ type: 'alarm.digest', page: { title: 'Page' } });
  await pager.stop();
}, 600_000);

it('a gateway without an Alarm is named by one digest, with the worst severity behind it', async () => {
  const { gateway, children } = await newSite(5, (index) => (index === 3 ? 'CRITICAL' : 'LOW'));
  server.clock.advance(ONLINE_MINUTES * MINUTE + 1);
  await offline(5);
  await recorded(false, [gateway]);
  await waitOut(5);
  await received(['alarm.digest']);
  expect(receiver.received[0]?.body.data).toMatchObject({
    cause: { kind: 'DEVICE_OFFLINE', name: 'Gateway' },
    count: 5,
    counts: { raised: { CRITICAL: 1, LOW: 4 } },
  });
  const late = await newDevice({ name: 'Late sensor', parentDeviceId: gateway });
  await newOfflineAlarm(late);
  await comeOnline([late]);
  server.clock.advance(ONLINE_MINUTES * MINUTE + 1);
  await offline(6);
  await suppressed(1);
  await inBatches([gateway, ...children, late], report);
  await offline(0);
  expect(types().filter((type) => type !== 'alarm.cleared')).toEqual(['alarm.digest']);
});

it('a Device that fails alone is reported once those above it proved to be online', async () => {
  const { gateway, children } = await newSite(2);
  const [failed = '', ...others] = children;
  server.clock.advance(ONLINE_MINUTES * MINUTE - 5_000);
  await inBatches([gateway, ...others], report);
  server.clock.advance(10_000);
  await offline(1);
  await waitOut(1);
  await received(['alarm.raised']);
  expect(receiver.received[0]?.body.data.deviceId).toBe(failed);
  expect(receiver.received[0]?.body.data).not.toHaveProperty('suppression');
});
