import { operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventBench } from '../support/alarm-events.ts';
import { joinServer, type TestOrganization } from '../support/server.ts';

/** Less than what a reading may be ahead of the clock by. */
const FAR_MS = 540_000;
const NEAR_MS = 60_000;

let server: TestOrganization;
const bench = eventBench(() => server);

beforeAll(async () => {
  server = await joinServer();
});

/** What happened to an Alarm on values above 50 while its Device sent values with times ahead. */
async function valuesOfEvents(
  readings: readonly (readonly [value: number, aheadMs: number])[],
  { isLoggingEnabled = true } = {},
) {
  const { point, alarm } = await bench.newWatched();
  if (!isLoggingEnabled) {
    const params = { variableId: point.deviceVariableId };
    const { status } = await server.call(operations.updateVariable, {
      params,
      body: { isLoggingEnabled },
    });
    expect(status).toBe(200);
  }
  const now = server.clock.now();
  for (const [value, aheadMs] of readings) await bench.report(point, value, now + aheadMs);
  const events = await bench.eventsOf(alarm.id);
  return events.map(({ raisedValue, clearedValue }) => [raisedValue, clearedValue]);
}

describe('a reading far ahead of the clock', () => {
  it('blinds no alarm for readings that are ahead by less', async () => {
    const raised = [60, NEAR_MS + 1] as const;
    expect(await valuesOfEvents([[1, FAR_MS], [2, NEAR_MS], raised])).toEqual([[60, null]]);
  });

  it('keeps no event open that readings ahead by less clear', async () => {
    expect(
      await valuesOfEvents([
        [60, FAR_MS],
        [2, NEAR_MS],
      ]),
    ).toEqual([[60, 2]]);
  });
});

describe('readings ahead of the clock that are delivered again', () => {
  const [raised, cleared] = [[60, NEAR_MS] as const, [40, NEAR_MS + 1] as const];

  it('are not judged again, also behind one far ahead', async () => {
    const again = [raised, cleared, raised, cleared];
    expect(await valuesOfEvents(again)).toEqual([[60, 40]]);
    expect(await valuesOfEvents([[1, FAR_MS], ...again])).toEqual([[60, 40]]);
  });

  it('are not judged again where no history is kept', async () => {
    const again = [raised, cleared, raised, cleared];
    expect(await valuesOfEvents(again, { isLoggingEnabled: false })).toEqual([[60, 40]]);
  });
});

it('of readings ahead of the clock in one message, the one with the latest time decides', async () => {
  const { point, alarm } = await bench.newWatched();
  const now = server.clock.now();
  const dataArray = [40, 60, 45].map((value, index) => {
    return { key: point.path, value, timestamp: now + FAR_MS - index };
  });
  const { status } = await server.call(operations.writeReadings, {
    params: { deviceId: point.deviceId },
    body: { dataArray },
  });
  expect(status).toBe(200);
  expect(await bench.eventsOf(alarm.id)).toEqual([]);
});

describe('more readings without a time than milliseconds have passed', () => {
  it('blind no alarm for readings with a time that follow', async () => {
    const { point, alarm } = await bench.newWatched();
    const dataArray = Array.from({ length: 60_000 }, () => ({ key: point.path, value: 1 }));
    const { status } = await server.call(operations.writeReadings, {
      params: { deviceId: point.deviceId },
      body: { dataArray },
    });
    expect(status).toBe(200);
    const now = server.clock.now();
    const again = [now, 60] as const;
    for (const [at, value] of [again, again, [now + 1, 40], [now + 5_000, 70]] as const) {
      await bench.report(point, value, at);
    }
    const events = await bench.eventsOf(alarm.id);
    expect(events.map(({ raisedValue, clearedValue }) => [raisedValue, clearedValue])).toEqual([
      [60, 40],
      [70, null],
    ]);
  });
});
