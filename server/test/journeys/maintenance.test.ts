import { operations } from '@fieldwatch/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventBench, type Point } from '../support/alarm-events.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startServer, type TestServer } from '../support/server.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Fields = Readonly<Record<string, unknown>>;

let server: TestServer;
let receiver: Receiver;
let alarmGroupId: string;
const bench = eventBench(() => server);

beforeAll(async () => {
  server = await startServer({ env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.0/8' } });
});

afterAll(() => server.stop());

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

const at = (ms: number) => new Date(server.clock.now() + ms).toISOString();

const create = (scope: Fields, fields: Fields = {}) =>
  server.call(operations.createMaintenanceWindow, {
    body: {
      scope,
      reason: 'Oil change',
      ...(fields.recurrence ? {} : { to: at(HOUR) }),
      ...fields,
    },
  });

const retrieve = (maintenanceWindowId: string) =>
  server.call(operations.retrieveMaintenanceWindow, { params: { maintenanceWindowId } });

const types = () => receiver.received.map(({ body }) => body.type);

/** Once the event is known to be suppressed. */
const suppressed = (alarmId: string, suppression: Fields) =>
  expect.poll(async () => (await bench.eventsOf(alarmId)).at(-1)?.suppression).toEqual(suppression);

const received = (expected: readonly string[]) => expect.poll(types).toEqual(expected);

/** An event of another Alarm is sent: whatever was to be sent before it was. */
async function passes(others: readonly string[] = []): Promise<void> {
  const { point } = await bench.newWatched({ alarmGroupId });
  await bench.report(point, 60);
  await received([...others, 'alarm.raised']);
}

describe('a maintenance window', () => {
  it('holds notifications back, and sends those of open events once at its end', async () => {
    const before = await bench.newWatched({ alarmGroupId });
    await bench.report(before.point, 60);
    await received(['alarm.raised']);
    const open = await bench.newWatched({ alarmGroupId });
    const over = await bench.newWatched({ alarmGroupId });
    const deviceIds = [before, open, over].map(({ point }) => point.deviceId);
    const { body: window } = await create({ deviceIds });
    expect([window.state, window.heldCount]).toEqual(['ACTIVE', 0]);
    const suppression = { kind: 'MAINTENANCE', id: window.id };

    for (const { point, alarm } of [open, over]) {
      await bench.report(point, 60);
      await suppressed(alarm.id, suppression);
    }
    await bench.report(over.point, 10);
    await bench.report(before.point, 10);
    await received(['alarm.raised', 'alarm.cleared']);
    await expect.poll(async () => (await retrieve(window.id)).body.heldCount).toBe(1);
    const [event] = await bench.eventsOf(open.alarm.id);
    const { body: timeline } = await bench.timeline(event?.id ?? '');
    expect(timeline.items[1]).toMatchObject({ kind: 'SUPPRESSED', detail: 'Oil change' });

    server.clock.advance(HOUR);
    await received(['alarm.raised', 'alarm.cleared', 'alarm.digest']);
    expect(receiver.received.at(-1)?.body.data).toMatchObject({
      cause: { kind: 'MAINTENANCE_ENDED', name: 'Oil change' },
      count: 1,
      messages: [{ data: { id: event?.id, suppression } }],
    });
    expect((await retrieve(window.id)).body).toMatchObject({ state: 'ENDED', heldCount: 0 });
    await bench.report(open.point, 10);
    await received(['alarm.raised', 'alarm.cleared', 'alarm.digest', 'alarm.cleared']);
  });

  it('that is ended or deleted by hand sends at once what it held back', async () => {
    for (const end of [operations.endMaintenanceWindow, operations.deleteMaintenanceWindow]) {
      const { point, alarm } = await bench.newWatched({ alarmGroupId });
      const { body: window } = await create({ alarmIds: [alarm.id] });
      await bench.report(point, 60);
      await suppressed(alarm.id, { kind: 'MAINTENANCE', id: window.id });
      const params = { maintenanceWindowId: window.id };
      expect((await server.call(end, { params })).status).toBeLessThan(300);
      await expect
        .poll(() => receiver.received.at(-1)?.body.data?.messages?.[0]?.data.alarmId)
        .toBe(alarm.id);
      const again = await server.call(operations.endMaintenanceWindow, { params });
      expect(again.status).toBe(end === operations.endMaintenanceWindow ? 409 : 404);
    }
    expect(types()).toEqual(['alarm.digest', 'alarm.digest']);
  });

  it('that is ended by hand is in the audit log with the time', async () => {
    const { alarm } = await bench.newWatched({ alarmGroupId });
    const { body: window } = await create({ alarmIds: [alarm.id] });
    const params = { maintenanceWindowId: window.id };
    await server.call(operations.endMaintenanceWindow, { params });
    const query = `resourceId=${window.id}`;
    const { body } = await server.call(operations.listAuditLog, { query });
    expect(body.items[0]).toMatchObject({
      operation: 'endMaintenanceWindow',
      changes: [
        { field: 'endedDateTime', from: null, to: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
      ],
    });
  });

  it('that no longer covers an event after an edit sends it, and keeps the others', async () => {
    const [one, other] = [
      await bench.newWatched({ alarmGroupId }),
      await bench.newWatched({ alarmGroupId }),
    ];
    const { body: window } = await create({ alarmIds: [one.alarm.id, other.alarm.id] });
    for (const { point, alarm } of [one, other]) {
      await bench.report(point, 60);
      await suppressed(alarm.id, { kind: 'MAINTENANCE', id: window.id });
    }
    const { status, text } = await server.call(operations.updateMaintenanceWindow, {
      params: { maintenanceWindowId: window.id },
      body: { scope: { alarmIds: [one.alarm.id] } },
    });
    expect(status, text).toBe(200);
    await received(['alarm.digest']);
    expect(receiver.received[0]?.body.data.messages).toHaveLength(1);
    expect(receiver.received[0]?.body.data.messages[0].data.alarmId).toBe(other.alarm.id);
    await expect.poll(async () => (await retrieve(window.id)).body.heldCount).toBe(1);
  });

  it('covers Locations and Devices with those below, Assets, alarm groups and severities', async () => {
    const newLocation = async (body: Fields) =>
      (await server.call(operations.createLocation, { body })).body.id;
    const site = await newLocation({ name: 'Site' });
    const room = await newLocation({ name: 'Room', parentId: site });
    const parent = await bench.newPoint();
    const watchedAt = async (device: Fields) => {
      const point = await bench.newPoint('NUMBER', device);
      return { point, alarm: await bench.newAlarm(point, { alarmGroupId, severity: 'HIGH' }) };
    };
    const child = await watchedAt({ parentDeviceId: parent.deviceId, locationId: room });
    const { body: asset } = await server.call(operations.createAsset, {
      body: { name: 'Engine' },
    });
    const bound = await server.call(operations.bindVariable, {
      params: { assetId: asset.id },
      body: { variableId: child.point.deviceVariableId, action: 'CONNECT' },
    });
    expect(bound.status, bound.text).toBe(200);
    const scopes = [
      { locationIds: [site] },
      { deviceIds: [parent.deviceId] },
      { assetIds: [asset.id] },
      { alarmGroupIds: [alarmGroupId] },
    ];
    for (const scope of scopes) {
      const { body: low } = await create(scope, { severities: ['LOW'] });
      const { body: window } = await create(scope, { severities: ['LOW', 'HIGH'] });
      await bench.report(child.point, 60);
      await suppressed(child.alarm.id, { kind: 'MAINTENANCE', id: window.id });
      await bench.report(child.point, 10);
      for (const { id } of [low, window]) {
        const params = { maintenanceWindowId: id };
        await server.call(operations.deleteMaintenanceWindow, { params });
      }
    }
    await passes();
  });

  it('for a test leaves critical shutdown alarms alone unless it names them', async () => {
    const newShutdown = async (): Promise<Point> => {
      const point = await bench.newPoint('BOOLEAN');
      const { status, text } = await server.call(operations.updateVariable, {
        params: { deviceId: point.deviceId, variableId: point.deviceVariableId },
        body: { classificationType: 'ELECTRICAL_GENERATOR_OVERSPEED' },
      });
      expect(status, text).toBe(200);
      return point;
    };
    const terms = { operator: 'EQUAL', thresholdValueNumber: null, thresholdValueBoolean: true };
    const point = await newShutdown();
    const critical = await bench.newAlarm(point, { ...terms, alarmGroupId, severity: 'CRITICAL' });
    const high = await bench.newAlarm(point, { ...terms, alarmGroupId, severity: 'HIGH' });
    const { body: test } = await create({ deviceIds: [point.deviceId] }, { mode: 'TEST' });
    await bench.report(point, true);
    await suppressed(high.id, { kind: 'TEST', id: test.id });
    await received(['alarm.raised']);
    expect(receiver.received[0]?.body.data.alarmId).toBe(critical.id);
    await bench.report(point, false);
    await received(['alarm.raised', 'alarm.cleared']);
    const { body: named } = await create({ alarmIds: [critical.id] }, { mode: 'TEST' });
    await bench.report(point, true);
    await suppressed(critical.id, { kind: 'TEST', id: named.id });
  });

  it('that recurs starts and ends by the clock', async () => {
    const { point, alarm } = await bench.newWatched({ alarmGroupId });
    const start = new Date(Math.ceil(server.clock.now() / 60_000) * 60_000 + 10 * 60_000);
    const recurrence = {
      kind: 'WEEKLY',
      weekdays: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'],
      startTime: start.toISOString().slice(11, 16),
      durationMinutes: 60,
      timeZone: 'UTC',
      untilDate: null,
    };
    const { body: window } = await create({ alarmIds: [alarm.id] }, { recurrence });
    expect(window).toMatchObject({ state: 'SCHEDULED', current: { from: start.toISOString() } });
    server.clock.advance(start.getTime() - server.clock.now() + 1);
    await bench.report(point, 60);
    await suppressed(alarm.id, { kind: 'MAINTENANCE', id: window.id });
    server.clock.advance(HOUR);
    await received(['alarm.digest']);
    const next = new Date(start.getTime() + DAY).toISOString();
    await expect
      .poll(async () => (await retrieve(window.id)).body)
      .toMatchObject({ state: 'SCHEDULED', current: { from: next } });
  });
});
