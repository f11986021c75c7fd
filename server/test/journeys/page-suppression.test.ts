import { operations } from '@fieldwatch/contract';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { onlineVariableIdOf } from '../../src/presence/index.ts';
import { eventBench } from '../support/alarm-events.ts';
import { pagingCalls } from '../support/paging.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startServer, type TestServer } from '../support/server.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ONLINE_MINUTES = 2;

let server: TestServer;
let receiver: Receiver;
let database: pg.Client;
let alarmGroupId: string;
let policyId: string;
const bench = eventBench(() => server);
const { newPagedGroup, page, pagesOf, seen } = pagingCalls(() => server);

beforeAll(async () => {
  server = await startServer({
    env: {
      FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.0/8',
      FIELDWATCH_ONLINE_MINUTES: String(ONLINE_MINUTES),
    },
  });
  receiver = await startReceiver();
  database = new pg.Client({ connectionString: server.databaseUrl });
  await database.connect();
});

afterAll(async () => {
  await database.end();
  await server.stop();
  await receiver.stop();
});

beforeEach(async () => {
  const { body: webhook } = await server.call(operations.createWebhook, {
    body: { name: 'Pager', url: receiver.url },
  });
  const targets = [{ kind: 'WEBHOOK', webhookId: webhook.id }];
  const steps = [0, 600].map((afterSeconds) => ({ afterSeconds, targets }));
  ({ alarmGroupId, policyId } = await newPagedGroup({ steps }));
});

const newWindow = async (scope: object): Promise<string> => {
  const to = new Date(server.clock.now() + HOUR).toISOString();
  const body = { scope, reason: 'Oil change', to };
  return (await server.call(operations.createMaintenanceWindow, { body })).body.id;
};
const end = (maintenanceWindowId: string) =>
  server.call(operations.endMaintenanceWindow, { params: { maintenanceWindowId } });
const kindsOf = async (pageId: string) =>
  (await page(pageId)).timeline.map(({ kind, detail }) =>
    kind === 'SUPPRESSED' ? `${kind} ${detail}` : kind,
  );
/** A page of which the first step was run. */
const newPage = async () => {
  const { point, alarm } = await bench.newWatched({ alarmGroupId });
  await bench.report(point, 60);
  const { id } = await seen(policyId, { state: 'ACTIVE', step: 0 });
  return { id, point, alarmId: alarm.id };
};

describe('a page whose events a maintenance window covers', () => {
  it('is suppressed while the window lasts, and goes on with the step that was due', async () => {
    const { id, alarmId } = await newPage();
    const windowId = await newWindow({ alarmIds: [alarmId] });
    await seen(policyId, { state: 'SUPPRESSED', nextStepDateTime: null });
    const { items } = (await server.call(operations.listPages, { query: 'states[]=SUPPRESSED' }))
      .body;
    expect(items.map((each: { id: string }) => each.id)).toEqual([id]);
    server.clock.advance(11 * MINUTE);
    await end(windowId);
    await seen(policyId, { state: 'ACTIVE', step: 1 });
    expect(await kindsOf(id)).toEqual([
      ...['STARTED', 'PAGED', 'SUPPRESSED Oil change', 'RESUMED', 'PAGED'],
    ]);
  });

  it('is resolved when they clear, as always', async () => {
    const { id, point } = await newPage();
    await newWindow({ deviceIds: [point.deviceId] });
    await seen(policyId, { state: 'SUPPRESSED' });
    await bench.report(point, 10);
    await seen(policyId, { state: 'RESOLVED' });
    expect(await kindsOf(id)).toEqual(['STARTED', 'PAGED', 'SUPPRESSED Oil change', 'RESOLVED']);
  });

  it('runs on if one of them is not covered, and an event beside it begins another page', async () => {
    const { alarmId } = await newPage();
    const other = await bench.newWatched({ alarmGroupId });
    await bench.report(other.point, 60);
    await seen(policyId, { state: 'ACTIVE', eventCount: 2 });
    const maintenanceWindowId = await newWindow({ alarmIds: [alarmId] });
    const cover = async (alarmIds: readonly string[]) => {
      const params = { maintenanceWindowId };
      const body = { scope: { alarmIds } };
      const { status, text } = await server.call(operations.updateMaintenanceWindow, {
        params,
        body,
      });
      expect(status, text).toBe(200);
    };
    await cover([alarmId, other.alarm.id]);
    await seen(policyId, { state: 'SUPPRESSED' });
    await cover([alarmId]);
    await seen(policyId, { state: 'ACTIVE' });
    await newWindow({ alarmIds: [other.alarm.id] });
    await seen(policyId, { state: 'SUPPRESSED' });
    const { point } = await bench.newWatched({ alarmGroupId });
    await bench.report(point, 60);
    await seen(policyId, { state: 'ACTIVE', eventCount: 1 });
    expect((await pagesOf(policyId)).map(({ state }) => state)).toEqual(['ACTIVE', 'SUPPRESSED']);
  });

  it('can be acknowledged, and is not suppressed any more once somebody escalates it', async () => {
    const { id, alarmId } = await newPage();
    await newWindow({ alarmIds: [alarmId] });
    await seen(policyId, { state: 'SUPPRESSED' });
    const auth = server.administrator;
    const params = { pageId: id };
    const escalated = await server.call(operations.escalatePage, { auth, params });
    expect([escalated.status, escalated.body.state]).toEqual([200, 'ACTIVE']);
    await seen(policyId, { state: 'ACTIVE', step: 1 });
    const taken = await server.call(operations.acknowledgePage, { auth, params });
    expect(taken.body.state).toBe('ACKNOWLEDGED');
  });
});

describe('a page of a Device behind another one', () => {
  const newDevice = async (parentDeviceId?: string) => {
    const body = { type: 'CUSTOM_DEVICE', name: parentDeviceId ? 'Sensor' : 'Gateway' };
    const created = await server.call(operations.createDevice, {
      body: { ...body, ...(parentDeviceId ? { parentDeviceId } : {}) },
    });
    return created.body.id as string;
  };
  const alarmOffline = async (deviceId: string, groupId: string) => {
    const { status, text } = await server.call(operations.createAlarm, {
      body: {
        ...{ name: 'Offline', deviceId, alarmGroupId: groupId, isActive: true },
        deviceVariableId: onlineVariableIdOf(deviceId),
        ...{ operator: 'EQUAL', thresholdValueBoolean: false, severity: 'HIGH' },
      },
    });
    expect(status, text).toBe(201);
  };
  const report = (deviceId: string) =>
    server.call(operations.writeReadings, { params: { deviceId }, body: { data: { any: 1 } } });
  /** As it is recorded: what is in memory is known before. */
  const isOnline = (deviceId: string) =>
    expect.poll(async () => {
      const wanted = 'select is_online, last_seen_at from devices where id = $1';
      const [row] = (await database.query(wanted, [deviceId])).rows;
      return row.last_seen_at !== null && row.is_online;
    });

  it('is suppressed once that is reported as offline, and goes on when only that is back', async () => {
    const gateway = await newDevice();
    const sensor = await newDevice(gateway);
    await alarmOffline(sensor, alarmGroupId);
    for (const each of [gateway, sensor]) {
      await report(each);
      await isOnline(each).toBe(true);
    }
    server.clock.advance(ONLINE_MINUTES * MINUTE - 5_000);
    await report(gateway);
    server.clock.advance(10_000);
    await isOnline(sensor).toBe(false);
    // It waits for the Device above, which is online.
    await expect
      .poll(
        async () => {
          server.clock.advance(10_000);
          await report(gateway);
          return (await pagesOf(policyId)).map(({ state }) => state);
        },
        { timeout: 20_000 },
      )
      .toEqual(['ACTIVE']);
    const { alarmGroupId: others } = await newPagedGroup({
      steps: [{ targets: [{ kind: 'USER', userId: await adminId() }], afterSeconds: 0 }],
    });
    await alarmOffline(gateway, others);
    server.clock.advance(ONLINE_MINUTES * MINUTE + 1);
    const { id } = await seen(policyId, { state: 'SUPPRESSED' });
    expect((await kindsOf(id)).at(-1)).toBe('SUPPRESSED Gateway is offline');
    await report(gateway);
    await isOnline(gateway).toBe(true);
    // Twice the window of the sensor passes, in which the gateway stays online.
    const states = [];
    for (let passed = 0; passed < 2 * ONLINE_MINUTES + 1; passed += 1) {
      states.push((await page(id)).state);
      server.clock.advance(MINUTE);
      await report(gateway);
    }
    expect(states.slice(0, 2 * ONLINE_MINUTES)).toEqual(
      Array.from({ length: 2 * ONLINE_MINUTES }, () => 'SUPPRESSED'),
    );
    await seen(policyId, { state: 'ACTIVE' });
    expect(await kindsOf(id)).toContain('RESUMED');
  });
});

async function adminId(): Promise<string> {
  const query = `search=${server.adminEmail}`;
  return (await server.call(operations.listUsers, { query })).body.items[0].id;
}
