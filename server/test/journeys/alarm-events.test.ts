import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventBench, storyOf } from '../support/alarm-events.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
const bench = eventBench(() => server);

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

const eventually = { interval: 20 };

describe('an Alarm without a delay', () => {
  it('is triggered by the reading that crosses, and cleared by the first that fails', async () => {
    const { point, alarm } = await bench.newWatched({ severity: 'HIGH', isAcknowledgeable: true });
    const start = server.clock.now() - 60_000;
    await bench.report(point, 50, start);
    expect((await bench.alarm(alarm.id)).isTriggered).toBe(false);
    await bench.report(point, 51, start + 1_000);
    expect(await bench.alarm(alarm.id)).toEqual({
      ...alarm,
      isTriggered: true,
      triggeredDateTime: new Date(start + 1_000).toISOString(),
    });
    const [open] = await bench.eventsOf(alarm.id);
    expect(open).toEqual({
      id: open?.id,
      alarmId: alarm.id,
      alarmName: 'Too hot',
      severity: 'HIGH',
      operator: 'GREATER_THAN',
      thresholdValue: 50,
      deviceId: point.deviceId,
      deviceName: 'Generator',
      deviceVariableId: point.deviceVariableId,
      deviceVariableName: 'Temperature',
      assetIds: [],
      locationId: null,
      alarmGroupId: null,
      raisedDateTime: new Date(start + 1_000).toISOString(),
      raisedValue: 51,
      clearedDateTime: null,
      clearedValue: null,
      clearedReason: null,
      isAcknowledgeable: true,
      acknowledgedDateTime: null,
      acknowledgedBy: null,
      notes: [],
    });
    await bench.report(point, 99, start + 2_000);
    await bench.report(point, 12.5, start + 3_000);
    expect(await bench.alarm(alarm.id)).toEqual(alarm);
    expect(await bench.eventsOf(alarm.id)).toEqual([
      {
        ...open,
        clearedDateTime: new Date(start + 3_000).toISOString(),
        clearedValue: 12.5,
        clearedReason: 'RECOVERED',
      },
    ]);
  });

  it('is found by isTriggered at once, also where the response was cached', async () => {
    const { point, alarm } = await bench.newWatched();
    const found = async (isTriggered: boolean) => {
      const body = { isTriggered, deviceVariableIds: [point.deviceVariableId] };
      const answer = await server.call(operations.searchAlarms, { body });
      return answer.body.items.map(({ id }: { id: string }) => id);
    };
    expect([await found(true), await found(false)]).toEqual([[], [alarm.id]]);
    await bench.report(point, 51);
    expect([await found(true), await found(false)]).toEqual([[alarm.id], []]);
    await bench.report(point, 50);
    expect([await found(true), await found(false)]).toEqual([[], [alarm.id]]);
  });

  it('does not judge older readings, nor redelivered ones twice', async () => {
    const { point, alarm } = await bench.newWatched();
    const start = server.clock.now() - 60_000;
    await bench.report(point, 60, start + 5_000);
    await bench.report(point, 10, start);
    await bench.report(point, 60, start + 5_000);
    await bench.report(point, 60, start + 5_000);
    expect((await bench.eventsOf(alarm.id)).map(storyOf)).toEqual([
      [start + 5_000, 60, null, null, null],
    ]);
    await bench.report(point, 10, start + 6_000);
    await bench.report(point, 60, start + 5_000);
    await bench.report(point, 10, start + 6_000);
    expect((await bench.eventsOf(alarm.id)).map(storyOf)).toEqual([
      [start + 5_000, 60, start + 6_000, 10, 'RECOVERED'],
    ]);
  });

  it('does not judge readings older than the newest one at its creation', async () => {
    const point = await bench.newPoint();
    const start = server.clock.now() - 60_000;
    await bench.report(point, 10, start);
    const alarm = await bench.newAlarm(point);
    await bench.report(point, 60, start - 1);
    expect(await bench.eventsOf(alarm.id)).toEqual([]);
    await bench.report(point, 60, start + 1);
    expect(await bench.eventsOf(alarm.id)).toHaveLength(1);
  });

  it('judges several readings of one message, and several Alarms on one Variable', async () => {
    const { point, alarm } = await bench.newWatched();
    const other = await bench.newAlarm(point, { thresholdValueNumber: 90 });
    const start = server.clock.now() - 60_000;
    const dataArray = [60, 95, 20, 70].map((value, index) => {
      return { key: point.path, value, timestamp: start + index };
    });
    const { deviceId } = point;
    await server.call(operations.writeReadings, { params: { deviceId }, body: { dataArray } });
    expect((await bench.eventsOf(alarm.id)).map(storyOf)).toEqual([
      [start, 60, start + 2, 20, 'RECOVERED'],
      [start + 3, 70, null, null, null],
    ]);
    expect((await bench.eventsOf(other.id)).map(storyOf)).toEqual([
      [start + 1, 95, start + 2, 20, 'RECOVERED'],
    ]);
  });

  it.each([
    ['STRING', { thresholdValueString: 'FAULT' }, 'FAULT', 'OK'],
    ['BOOLEAN', { thresholdValueBoolean: false }, false, true],
  ] as const)('watches a %s Variable', async (type, threshold, bad, good) => {
    const terms = { operator: 'EQUAL', thresholdValueNumber: null, ...threshold };
    const { point, alarm } = await bench.newWatched(terms, type);
    await bench.report(point, good);
    await bench.report(point, bad);
    await bench.report(point, good);
    const [event] = await bench.eventsOf(alarm.id);
    expect([event?.raisedValue, event?.thresholdValue, event?.clearedValue]).toEqual([
      bad,
      bad,
      good,
    ]);
  });

  it('never raises without a threshold, nor while it is disabled or archived', async () => {
    const point = await bench.newPoint();
    const without = await bench.newAlarm(point, { thresholdValueNumber: null });
    const disabled = await bench.newAlarm(point, { isActive: false });
    const archived = await bench.newAlarm(point);
    await server.call(operations.archiveAlarm, { params: { alarmId: archived.id } });
    await bench.report(point, 99);
    for (const { id } of [without, disabled, archived]) {
      expect(await bench.eventsOf(id)).toEqual([]);
    }
  });
});

describe('an Alarm with a delay', () => {
  it('is raised by the clock when the hold runs out without a further reading', async () => {
    const { point, alarm } = await bench.newWatched({ delayProcessingSeconds: 60 });
    const start = server.clock.now();
    await bench.report(point, 51, start);
    server.clock.advance(30_000);
    await bench.report(point, 52);
    expect(await bench.eventsOf(alarm.id)).toEqual([]);
    server.clock.advance(31_000);
    await expect.poll(() => bench.eventsOf(alarm.id), eventually).toHaveLength(1);
    expect((await bench.eventsOf(alarm.id)).map(storyOf)).toEqual([
      [start + 60_000, 51, null, null, null],
    ]);
    expect((await bench.alarm(alarm.id)).triggeredDateTime).toBe(
      new Date(start + 60_000).toISOString(),
    );
    await bench.report(point, 1);
    expect((await bench.eventsOf(alarm.id))[0]?.clearedReason).toBe('RECOVERED');
  });

  it('is not raised when the condition breaks within the delay', async () => {
    const { point, alarm } = await bench.newWatched({ delayProcessingSeconds: 60 });
    const start = server.clock.now() - 60_000;
    await bench.report(point, 51, start);
    await bench.report(point, 50, start + 59_000);
    await bench.report(point, 51, start + 59_500);
    expect(await bench.eventsOf(alarm.id)).toEqual([]);
  });

  it('judges a backlog that comes in order as it happened', async () => {
    const { point, alarm } = await bench.newWatched({ delayProcessingSeconds: 10 });
    const start = server.clock.now() - 3_600_000;
    for (const [seconds, value] of [
      [0, 60],
      [5, 40],
      [10, 60],
      [30, 40],
    ] as const) {
      await bench.report(point, value, start + 1_000 * seconds);
    }
    expect((await bench.eventsOf(alarm.id)).map(storyOf)).toEqual([
      [start + 20_000, 60, start + 30_000, 40, 'RECOVERED'],
    ]);
  });

  it('clears by the clock after the delay of clearing', async () => {
    const { point, alarm } = await bench.newWatched({ clearDelaySeconds: 60, deadband: 5 });
    expect([alarm.clearDelaySeconds, alarm.deadband]).toEqual([60, 5]);
    const start = server.clock.now();
    await bench.report(point, 51, start);
    await bench.report(point, 46, start + 1);
    await bench.report(point, 45, start + 2);
    expect((await bench.alarm(alarm.id)).isTriggered).toBe(true);
    server.clock.advance(61_000);
    await expect
      .poll(async () => (await bench.alarm(alarm.id)).isTriggered, eventually)
      .toBe(false);
    expect((await bench.eventsOf(alarm.id)).map(storyOf)).toEqual([
      [start, 51, start + 60_002, 45, 'RECOVERED'],
    ]);
  });
});

describe('the refinements of an Alarm', () => {
  it('are in its record only while they are set', async () => {
    const { alarm } = await bench.newWatched();
    expect(Object.keys(alarm)).not.toContain('deadband');
    const set = (await bench.edit(alarm.id, { deadband: 0, clearDelaySeconds: 900 })).body;
    expect([set.deadband, set.clearDelaySeconds]).toEqual([0, 900]);
    const { body } = await bench.edit(alarm.id, { deadband: null, clearDelaySeconds: null });
    expect(Object.keys(body).sort()).toEqual(Object.keys(alarm).sort());
  });

  it.each([
    [{ deadband: -0.5 }, 400],
    [{ deadband: 999_999 }, 200],
    [{ deadband: 999_999.5 }, 400],
    [{ clearDelaySeconds: -1 }, 400],
    [{ clearDelaySeconds: 900 }, 200],
    [{ clearDelaySeconds: 901 }, 400],
    [{ clearDelaySeconds: 1.5 }, 400],
    [{ operator: 'EQUAL', deadband: 1 }, 400],
  ])('within bounds: %j answers %i', async (fields, status) => {
    const { alarm } = await bench.newWatched();
    expect((await bench.edit(alarm.id, fields)).status).toBe(status);
  });
});
