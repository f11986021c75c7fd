import { type Delivery, type FieldError, operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventBench, type Point } from '../support/alarm-events.ts';
import { type JoinedNeighbours, joinNeighbours } from '../support/neighbours.ts';
import type { TestOrganization } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000beef';

let neighbours: JoinedNeighbours;
let server: TestOrganization;
const bench = eventBench(() => server);
const theirs = eventBench(() => neighbours.neighbour);

beforeAll(async () => {
  neighbours = await joinNeighbours();
  ({ server } = neighbours);
});

async function reportMany({ deviceId, path }: Point, values: readonly unknown[], from: number) {
  const dataArray = values.map((value, index) => {
    return { key: path, value, timestamp: from + 10_000 * index };
  });
  const { body } = await server.call(operations.writeReadings, {
    params: { deviceId },
    body: { dataArray },
  });
  expect(body.stored).toBe(values.length);
}

const termsOf = ({ deviceId, deviceVariableId }: Point, fields: object = {}) => ({
  name: 'Tried out',
  isActive: true,
  deviceId,
  deviceVariableId,
  operator: 'GREATER_THAN',
  thresholdValueNumber: 50,
  alarmGroupId: null,
  ...fields,
});

const backtest = (body: object) => server.call(operations.backtestAlarm, { body });

describe('a backtest', () => {
  it('is refused while another of the same credential runs, and not for other credentials', async () => {
    const body = { ...termsOf(await bench.newPoint()), startTime: 0, endTime: 1 };
    const viewer = await server.newUser('VIEWER');
    const [own, theirs] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => backtest(body))),
      server.call(operations.backtestAlarm, { auth: viewer, body }),
    ]);
    const statuses = new Set(own.map(({ status }) => status));
    expect([statuses, theirs.status]).toEqual([new Set([200, 429]), 200]);
    expect((await backtest(body)).status).toBe(200);
  });

  it('refuses unknown references with the errors of an Alarm', async () => {
    const point = await bench.newPoint();
    const named = { deviceId: UNKNOWN, deviceVariableId: UNKNOWN, alarmGroupId: UNKNOWN };
    const { status, body } = await backtest({ ...termsOf(point, named), startTime: 0, endTime: 1 });
    expect([status, body.errors.map(({ path }: FieldError) => path)]).toEqual([
      400,
      Object.keys(named),
    ]);
  });

  it('ignores readings after its range', async () => {
    const point = await bench.newPoint();
    const now = server.clock.now();
    await reportMany(point, [60], now - 1_000);
    const range = { startTime: now - 5_000, endTime: now + 365 * 86_400_000 };
    const { body } = await backtest({ ...termsOf(point), ...range });
    expect(body.eventCount).toBe(1);
    expect(body.triggeredMs).toBeGreaterThanOrEqual(1_000);
    expect(body.triggeredMs).toBeLessThanOrEqual(server.clock.now() - now + 1_000);
    const held = await backtest({ ...termsOf(point, { delayProcessingSeconds: 900 }), ...range });
    expect([held.body.eventCount, held.body.triggeredMs]).toEqual([0, 0]);
  });

  it('returns the events that the same Alarm raised', async () => {
    const point = await bench.newPoint();
    const terms = { delayProcessingSeconds: 15, deadband: 5, clearDelaySeconds: 10 };
    const alarm = await bench.newAlarm(point, terms);
    const from = server.clock.now() - 10_000_000;
    const values = Array.from({ length: 500 }, (_, index) => 50 + 12 * Math.sin(index ** 1.3));
    await reportMany(point, values, from);
    const endTime = from + 10_000 * values.length;
    const { status, body } = await backtest({
      ...termsOf(point, terms),
      startTime: from,
      endTime,
    });
    expect(status).toBe(200);
    const raised = await bench.eventsOf(alarm.id);
    expect(raised.length).toBeGreaterThan(10);
    expect(body.readingCount).toBe(values.length);
    expect(body.eventCount).toBe(raised.length);
    expect(body.events).toEqual(
      raised.map(({ raisedDateTime, raisedValue, clearedDateTime, clearedValue }) => {
        return { raisedDateTime, raisedValue, clearedDateTime, clearedValue };
      }),
    );
    const open = raised.map(
      (event) =>
        (event.clearedDateTime ? Date.parse(event.clearedDateTime) : endTime) -
        Date.parse(event.raisedDateTime),
    );
    expect(body.triggeredMs).toBe(open.reduce((sum, each) => sum + each, 0));
  });

  it('judges booleans and texts, and counts an open event up to the end of the range', async () => {
    const point = await bench.newPoint('BOOLEAN');
    const from = server.clock.now() - 1_000_000;
    await reportMany(point, [true, false, true, false], from);
    const terms = { operator: 'EQUAL', thresholdValueNumber: null, thresholdValueBoolean: false };
    const { body } = await backtest({
      ...termsOf(point, terms),
      startTime: from,
      endTime: from + 60_000,
    });
    expect([body.eventCount, body.triggeredMs]).toEqual([2, 10_000 + 30_000]);
    expect(body.events[1].clearedDateTime).toBeNull();
  });

  it('refuses invalid terms and a range that ends before it starts', async () => {
    const point = await bench.newPoint('STRING');
    const foreign = await theirs.newPoint();
    const range = { startTime: 1, endTime: 2 };
    const refused = [
      { ...termsOf(point), ...range },
      { ...termsOf(await bench.newPoint()), startTime: 2, endTime: 1 },
      { ...termsOf(await bench.newPoint()) },
      { ...termsOf(foreign), ...range },
      { ...termsOf({ ...point, deviceVariableId: foreign.deviceVariableId }), ...range },
    ];
    for (const body of refused) expect((await backtest(body)).status).toBe(400);
  });
});

describe('alarm statistics', () => {
  const kpis = (on: TestOrganization, startTime: number, endTime: number) =>
    on.call(operations.retrieveAlarmKpis, { query: `startTime=${startTime}&endTime=${endTime}` });

  it('count the events of the range and of this organization alone', async () => {
    const own = await bench.newWatched({ severity: 'HIGH', name: 'Chatterer' });
    const other = await bench.newWatched({ severity: 'LOW', name: 'Standing' });
    const from = Math.floor((server.clock.now() - 86_400_000) / 600_000) * 600_000;
    for (let index = 0; index < 4; index += 1) {
      await bench.report(own.point, 60, from + 20_000 * index);
      await bench.report(own.point, 40, from + 20_000 * index + 1_000);
    }
    await bench.report(other.point, 60, from + 700_000);
    const { status, body } = await kpis(server, from, from + 3_600_000);
    expect(status).toBe(200);
    const [event] = await bench.eventsOf(other.alarm.id);
    expect(body).toEqual({
      eventCount: 5,
      openCount: 1,
      eventsPerHour: 5,
      peakTenMinutes: { startDateTime: new Date(from).toISOString(), count: 4 },
      bySeverity: { INFO: 0, LOW: 1, MEDIUM: 0, HIGH: 4, CRITICAL: 0 },
      longestStanding: [
        {
          eventId: event?.id,
          alarmId: other.alarm.id,
          alarmName: 'Standing',
          raisedDateTime: event?.raisedDateTime,
        },
      ],
      mostFrequent: [
        { alarmId: own.alarm.id, alarmName: 'Chatterer', count: 4 },
        { alarmId: other.alarm.id, alarmName: 'Standing', count: 1 },
      ],
      chattering: [{ alarmId: own.alarm.id, alarmName: 'Chatterer', count: 2 }],
    });
    expect((await kpis(neighbours.neighbour, 0, from + 3_600_000)).body).toMatchObject({
      eventCount: 0,
      openCount: 0,
      peakTenMinutes: null,
      mostFrequent: [],
    });
  });

  it('refuse a range that ends before it starts', async () => {
    expect((await kpis(server, 2, 1)).status).toBe(400);
    expect((await server.call(operations.retrieveAlarmKpis)).status).toBe(400);
  });
});

describe('notifications of an event', () => {
  /** A webhook without a receiver, so that its deliveries stay pending. */
  async function newGroup(): Promise<string> {
    const webhook = await server.call(operations.createWebhook, {
      body: { name: 'Nobody', url: 'https://nobody.invalid/' },
    });
    const subscriptions = [{ kind: 'WEBHOOK', webhookId: webhook.body.id }];
    const group = await server.call(operations.createAlarmGroup, {
      body: { name: 'Group', subscriptions },
    });
    return group.body.id;
  }

  async function notificationsOf(alarmId: string): Promise<string[]> {
    const ids = new Set((await bench.eventsOf(alarmId)).map(({ id }) => id));
    const { items } = (await server.call(operations.listDeliveries, { query: 'take=1000' })).body;
    return (items as Delivery[])
      .filter(({ eventId }) => eventId !== null && ids.has(eventId))
      .map(({ type }) => type)
      .sort();
  }

  it('are sent once each when it is raised, acknowledged and cleared', async () => {
    const alarmGroupId = await newGroup();
    const { point, alarm } = await bench.newWatched({ isAcknowledgeable: true, alarmGroupId });
    await bench.report(point, 60);
    const [event] = await bench.eventsOf(alarm.id);
    const user = await server.newUser('VIEWER');
    await bench.acknowledge(event?.id ?? '', user);
    await bench.acknowledge(event?.id ?? '', user);
    await bench.report(point, 40);
    await expect
      .poll(() => notificationsOf(alarm.id))
      .toEqual(['alarm.acknowledged', 'alarm.cleared', 'alarm.raised']);
  });

  it('are not sent while its Alarm is shelved, nor when an event raised meanwhile is cleared', async () => {
    const alarmGroupId = await newGroup();
    const { point, alarm } = await bench.newWatched({ isAcknowledgeable: true, alarmGroupId });
    const untilDateTime = new Date(server.clock.now() + 3_600_000).toISOString();
    const params = { alarmId: alarm.id };
    await server.call(operations.shelveAlarm, { params, body: { untilDateTime, reason: 'Works' } });
    await bench.report(point, 60);
    const [event] = await bench.eventsOf(alarm.id);
    await bench.acknowledge(event?.id ?? '', await server.newUser('VIEWER'));
    await server.call(operations.unshelveAlarm, { params });
    await bench.report(point, 40);
    await bench.report(point, 60);
    // Notifications are sent in order, so that nothing else was sent before this one.
    await expect.poll(() => notificationsOf(alarm.id)).toEqual(['alarm.raised']);
  });
});
