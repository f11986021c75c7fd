import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventBench, type Point, storyOf } from '../support/alarm-events.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
const bench = eventBench(() => server);

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

const archive = (alarmId: string) => server.call(operations.archiveAlarm, { params: { alarmId } });
const restore = (alarmId: string) => server.call(operations.restoreAlarm, { params: { alarmId } });
const removeVariable = ({ deviceId, deviceVariableId: variableId }: Point) =>
  server.call(operations.deleteVariable, { params: { deviceId, variableId } });

/** Changes that end what is under way, with the reason that they give. */
const ENDS = [
  ['disabling', 'DISABLED', (id: string) => bench.edit(id, { isActive: false })],
  ['archiving', 'ARCHIVED', archive],
  ['another operator', 'RECONFIGURED', (id: string) => bench.edit(id, { operator: 'LESS_THAN' })],
  [
    'another threshold',
    'RECONFIGURED',
    (id: string) => bench.edit(id, { thresholdValueNumber: 51 }),
  ],
  ['no threshold', 'RECONFIGURED', (id: string) => bench.edit(id, { thresholdValueNumber: null })],
  [
    'another Variable',
    'RECONFIGURED',
    async (id: string) => {
      const { path: _, ...other } = await bench.newPoint();
      return await bench.edit(id, other);
    },
  ],
] as const;

/** Changes that leave what is under way alone. */
const KEEPS = [
  ['another name', { name: 'Renamed' }],
  ['another severity', { severity: 'LOW' }],
  ['another delay', { delayProcessingSeconds: 900 }],
  ['a deadband', { deadband: 1 }],
  ['a delay of clearing', { clearDelaySeconds: 900 }],
  ['the same operator and threshold again', { operator: 'GREATER_THAN', thresholdValueNumber: 50 }],
  ['enabling what is enabled', { isActive: true }],
] as const;

describe('while it is triggered', () => {
  it.each(ENDS)('%s closes the event: %s', async (_, reason, change) => {
    const { point, alarm } = await bench.newWatched();
    const start = server.clock.now() - 1_000;
    await bench.report(point, 60, start);
    const before = server.clock.now();
    expect((await change(alarm.id)).status).toBeLessThan(300);
    const [event, ...others] = await bench.eventsOf(alarm.id);
    expect(others).toEqual([]);
    expect(event && storyOf(event)).toEqual([start, 60, expect.any(Number), null, reason]);
    expect(Date.parse(event?.clearedDateTime ?? '')).toBeGreaterThanOrEqual(before);
    const { isTriggered, triggeredDateTime } = await bench.alarm(alarm.id);
    expect([isTriggered, triggeredDateTime]).toEqual([false, null]);
    const { body } = await bench.timeline(event?.id ?? '');
    expect(body.items.map((line: { kind: string; detail: string | null }) => line.kind)).toEqual([
      'RAISED',
      'CLEARED',
    ]);
    expect(body.items[1].detail).toBe(reason);
  });

  it.each(KEEPS)('%s leaves the event open', async (_, fields) => {
    const { point, alarm } = await bench.newWatched();
    const start = server.clock.now() - 1_000;
    await bench.report(point, 60, start);
    const { body } = await bench.edit(alarm.id, fields);
    expect(body.isTriggered).toBe(true);
    const [event] = await bench.eventsOf(alarm.id);
    expect(event && storyOf(event)).toEqual([start, 60, null, null, null]);
    expect([event?.alarmName, event?.severity]).toEqual(['Too hot', 'MEDIUM']);
  });

  it('the response of the change has the new state', async () => {
    const { point, alarm } = await bench.newWatched();
    await bench.report(point, 60);
    const { body } = await bench.edit(alarm.id, { isActive: false });
    expect([body.isTriggered, body.triggeredDateTime]).toEqual([false, null]);
  });

  it('restoring changes nothing', async () => {
    const { point, alarm } = await bench.newWatched();
    await bench.report(point, 60);
    expect((await restore(alarm.id)).body.isTriggered).toBe(true);
  });

  it('deleting its Variable takes the event along', async () => {
    const { point, alarm } = await bench.newWatched();
    await bench.report(point, 60);
    const [event] = await bench.eventsOf(alarm.id);
    expect((await removeVariable(point)).status).toBe(204);
    expect(await bench.eventsOf(alarm.id)).toEqual([]);
    expect((await bench.timeline(event?.id ?? '')).status).toBe(404);
  });

  it('deleting its Device takes the event along', async () => {
    const { point, alarm } = await bench.newWatched();
    await bench.report(point, 60);
    const { deviceId } = point;
    expect((await server.call(operations.deleteDevice, { params: { deviceId } })).status).toBe(204);
    expect(await bench.eventsOf(alarm.id)).toEqual([]);
  });
});

describe('while it is pending', () => {
  const pending = async () => {
    const made = await bench.newWatched({ delayProcessingSeconds: 900 });
    await bench.report(made.point, 60, server.clock.now() - 5_000);
    return made;
  };

  it.each(ENDS)('%s ends the hold without an event', async (_, __, change) => {
    const { point, alarm } = await pending();
    await change(alarm.id);
    await bench.edit(alarm.id, { delayProcessingSeconds: null });
    expect(await bench.eventsOf(alarm.id)).toEqual([]);
    if ((await removeVariable(point)).status !== 204) throw new Error('not removed');
  });

  it('a shorter delay counts from where the hold began', async () => {
    const made = await bench.newWatched({ delayProcessingSeconds: 900 });
    const start = server.clock.now();
    await bench.report(made.point, 60, start);
    await bench.edit(made.alarm.id, { delayProcessingSeconds: 1 });
    server.clock.advance(2_000);
    await expect
      .poll(() => bench.eventsOf(made.alarm.id), { timeout: 10_000, interval: 20 })
      .toHaveLength(1);
    const [event] = await bench.eventsOf(made.alarm.id);
    expect(event && storyOf(event)).toEqual([start + 1_000, 60, null, null, null]);
  });

  it('a new name does not restart the hold', async () => {
    const made = await bench.newWatched({ delayProcessingSeconds: 10 });
    const start = server.clock.now() - 60_000;
    await bench.report(made.point, 60, start);
    await bench.edit(made.alarm.id, { name: 'Renamed' });
    await bench.report(made.point, 61, start + 10_000);
    const [event] = await bench.eventsOf(made.alarm.id);
    expect(event && storyOf(event)).toEqual([start + 10_000, 60, null, null, null]);
    expect(event?.alarmName).toBe('Renamed');
  });

  it('deleting its Variable leaves nothing', async () => {
    const { point, alarm } = await pending();
    expect((await removeVariable(point)).status).toBe(204);
    expect(await bench.eventsOf(alarm.id)).toEqual([]);
  });
});

describe('after a change', () => {
  it('it judges from the next reading on, by its new terms', async () => {
    const { point, alarm } = await bench.newWatched();
    const start = server.clock.now() - 10_000;
    await bench.report(point, 60, start);
    await bench.edit(alarm.id, { thresholdValueNumber: 55 });
    expect((await bench.alarm(alarm.id)).isTriggered).toBe(false);
    await bench.report(point, 60, start + 1_000);
    const [first, second] = await bench.eventsOf(alarm.id);
    expect([first?.clearedReason, second?.clearedReason]).toEqual(['RECONFIGURED', null]);
    expect([first?.thresholdValue, second?.thresholdValue]).toEqual([50, 55]);
  });

  it('the same newest reading, delivered again, is an occurrence of its own', async () => {
    const { point, alarm } = await bench.newWatched();
    const start = server.clock.now() - 10_000;
    await bench.report(point, 60, start);
    await bench.edit(alarm.id, { thresholdValueNumber: 55 });
    await bench.report(point, 60, start);
    const events = await bench.eventsOf(alarm.id);
    expect(events.map(({ clearedReason }) => clearedReason).sort()).toEqual(['RECONFIGURED', null]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
  });

  it.each([
    ['enabled again', (id: string) => bench.edit(id, { isActive: true }), { isActive: false }],
    ['restored', restore, null],
  ] as const)('%s, it waits for the next reading', async (_, back, away) => {
    const { point, alarm } = await bench.newWatched();
    const start = server.clock.now() - 10_000;
    await bench.report(point, 60, start);
    if (away) await bench.edit(alarm.id, away);
    else await archive(alarm.id);
    await bench.report(point, 61, start + 1_000);
    expect((await back(alarm.id)).body.isTriggered).toBe(false);
    await bench.report(point, 62, start + 2_000);
    expect((await bench.eventsOf(alarm.id)).map((event) => storyOf(event)[1])).toEqual([60, 62]);
  });
});

describe('at the same moment as readings', () => {
  it('changes leave one event for each occurrence, and at most one open', async () => {
    const { point, alarm } = await bench.newWatched();
    const start = server.clock.now() - 500_000;
    let at = start;
    let areChangesMade = false;
    const readings = async () => {
      for (let index = 0; !areChangesMade || index % 2 === 1; index += 1) {
        at += 1_000;
        await bench.report(point, index % 2 === 0 ? 60 : 40, at);
      }
    };
    const changes = async () => {
      for (let index = 0; index < 15; index += 1) {
        await bench.edit(alarm.id, { thresholdValueNumber: 45 + (index % 10) });
        await bench.edit(alarm.id, { isActive: false });
        await bench.edit(alarm.id, { isActive: true });
        // One reading is in progress; of the next two, one raises.
        const twoMore = at + 3_000;
        await expect.poll(() => at, { interval: 1 }).toBeGreaterThanOrEqual(twoMore);
      }
      areChangesMade = true;
    };
    await Promise.all([readings(), changes()]);
    const events = await bench.eventsOf(alarm.id);
    expect(events.length).toBeGreaterThanOrEqual(15);
    expect(events.filter(({ clearedDateTime }) => clearedDateTime === null)).toEqual([]);
    expect(new Set(events.map(({ raisedDateTime }) => raisedDateTime)).size).toBe(events.length);
    expect((await bench.alarm(alarm.id)).isTriggered).toBe(false);
    await bench.report(point, 99, at + 1_000);
    expect((await bench.alarm(alarm.id)).isTriggered).toBe(true);
  });

  it('a deletion leaves no event behind, and no reading is refused for it', async () => {
    const { point, alarm } = await bench.newWatched();
    const { deviceId, path } = point;
    const write = (value: number) =>
      server.call(operations.writeReadings, {
        params: { deviceId },
        body: { data: { [path]: value } },
      });
    const answers = Promise.all(Array.from({ length: 20 }, (_, index) => write(40 + index * 2)));
    const [removed, written] = await Promise.all([removeVariable(point), answers]);
    expect(removed.status).toBe(204);
    expect(new Set(written.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await bench.eventsOf(alarm.id)).toEqual([]);
  });
});
