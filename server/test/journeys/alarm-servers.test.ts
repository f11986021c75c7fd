import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventBench, type Point } from '../support/alarm-events.ts';
import { call } from '../support/call.ts';
import { type Neighbours, startNeighbours } from '../support/neighbours.ts';

let neighbours: Neighbours;
const bench = eventBench(() => neighbours.server);
const eventually = { timeout: 20_000, interval: 20 };

beforeAll(async () => {
  neighbours = await startNeighbours();
});

afterAll(() => neighbours.stop());

/** Readings come in at the other server. */
async function reportElsewhere({ deviceId, path }: Point, value: number): Promise<void> {
  const { server, neighbour } = neighbours;
  const { status, text } = await call(neighbour.url, operations.writeReadings, {
    auth: server.key,
    params: { organizationId: server.organizationId, deviceId },
    body: { data: { [path]: value } },
  });
  expect(status, text).toBe(200);
}

async function lastStory(alarmId: string) {
  const event = (await bench.eventsOf(alarmId)).at(-1);
  return event && { threshold: event.thresholdValue, reason: event.clearedReason };
}

it('an Alarm created and changed at one server judges the readings of another server', async () => {
  const point = await bench.newPoint();
  await reportElsewhere(point, 60);
  const { id } = await bench.newAlarm(point);
  await expect
    .poll(async () => {
      await reportElsewhere(point, 60);
      return await lastStory(id);
    }, eventually)
    .toEqual({ threshold: 50, reason: null });

  await bench.edit(id, { thresholdValueNumber: 70 });
  expect(await lastStory(id)).toEqual({ threshold: 50, reason: 'RECONFIGURED' });
  // With the threshold that it had, this would raise again.
  await reportElsewhere(point, 65);
  expect(await bench.eventsOf(id)).toHaveLength(1);
  await expect
    .poll(async () => {
      await reportElsewhere(point, 75);
      return await lastStory(id);
    }, eventually)
    .toEqual({ threshold: 70, reason: null });

  await bench.edit(id, { isActive: false });
  expect(await lastStory(id)).toEqual({ threshold: 70, reason: 'DISABLED' });
  await reportElsewhere(point, 60);
  await reportElsewhere(point, 80);
  expect(await bench.eventsOf(id)).toHaveLength(2);
});
