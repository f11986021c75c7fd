import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventBench } from '../support/alarm-events.ts';
import { send } from '../support/call.ts';
import { type Neighbours, startNeighbours } from '../support/neighbours.ts';
import type { TestServer } from '../support/server.ts';

let neighbours: Neighbours;
let server: TestServer;
const bench = eventBench(() => server);
const eventually = { interval: 50 };

beforeAll(async () => {
  neighbours = await startNeighbours();
  ({ server } = neighbours);
});

afterAll(() => neighbours.stop());

async function newDevice() {
  const point = await bench.newPoint();
  const { deviceId } = point;
  const { body } = await server.call(operations.retrieveDevice, { params: { deviceId } });
  return { point, deviceId, onlineVariableId: body.onlineVariableId as string };
}

const latestOf = async (id: string) =>
  (await server.call(operations.listLatestValues, { query: `ids[]=${id}` })).body.items[0]?.value;

describe('the online Variable of a Device', () => {
  it('can be retrieved by its own organization', async () => {
    const { deviceId, onlineVariableId: variableId } = await newDevice();
    const { status, body } = await server.call(operations.retrieveVariable, {
      params: { variableId },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: variableId, deviceId, type: 'BOOLEAN', name: 'Online' });
    const { neighbour } = neighbours;
    const theirs = await neighbour.call(operations.retrieveVariable, { params: { variableId } });
    expect(theirs.status).toBe(404);
  });

  it('is absent from lists and counts', async () => {
    const { deviceId, onlineVariableId } = await newDevice();
    const lists = [
      await server.call(operations.listDeviceVariables, { params: { deviceId } }),
      await server.call(operations.listVariables, { query: `deviceIds[]=${deviceId}` }),
    ];
    for (const { body, text } of lists) {
      expect(body.count).toBe(1);
      expect(text).not.toContain(onlineVariableId);
    }
  });

  it('follows the presence of the Device, has history, and raises alarms', async () => {
    const { point, deviceId, onlineVariableId } = await newDevice();
    const alarm = await bench.newAlarm(
      { deviceId, deviceVariableId: onlineVariableId, path: '' },
      {
        operator: 'EQUAL',
        thresholdValueNumber: null,
        thresholdValueBoolean: false,
        delayProcessingSeconds: 60,
      },
    );
    expect(await latestOf(onlineVariableId)).toBeUndefined();
    await bench.report(point, 1);
    await expect.poll(() => latestOf(onlineVariableId), eventually).toBe(true);
    server.clock.advance(5 * 60_000 + 1_000);
    await expect.poll(() => latestOf(onlineVariableId), eventually).toBe(false);
    expect(await bench.eventsOf(alarm.id)).toEqual([]);
    server.clock.advance(61_000);
    await expect.poll(() => bench.eventsOf(alarm.id), eventually).toHaveLength(1);
    await bench.report(point, 2);
    await expect
      .poll(async () => (await bench.eventsOf(alarm.id))[0]?.clearedReason, eventually)
      .toBe('RECOVERED');
    const { body } = await server.call(operations.listReadings, {
      params: { variableId: onlineVariableId },
    });
    expect(body.items.map(({ value }: { value: boolean }) => value)).toEqual([true, false, true]);
  });

  it('follows the online window of its Device, also after a change of it', async () => {
    const { point, deviceId, onlineVariableId } = await newDevice();
    const alarm = await bench.newAlarm(
      { deviceId, deviceVariableId: onlineVariableId, path: '' },
      { operator: 'EQUAL', thresholdValueNumber: null, thresholdValueBoolean: false },
    );
    const setWindow = (onlineMinutes: number | null) =>
      server.call(operations.updateOnlineWindow, { params: { deviceId }, body: { onlineMinutes } });
    expect((await setWindow(20)).status).toBe(200);
    await bench.report(point, 1);
    await expect.poll(() => latestOf(onlineVariableId), eventually).toBe(true);
    server.clock.advance(19 * 60_000);
    const other = await newDevice();
    await bench.report(other.point, 1);
    await expect.poll(() => latestOf(other.onlineVariableId), eventually).toBe(true);
    expect(await latestOf(onlineVariableId)).toBe(true);
    expect(await bench.eventsOf(alarm.id)).toEqual([]);
    expect((await setWindow(10)).status).toBe(200);
    await expect.poll(() => bench.eventsOf(alarm.id), eventually).toHaveLength(1);
    expect(await latestOf(onlineVariableId)).toBe(false);
    expect((await setWindow(60)).status).toBe(200);
    await expect.poll(() => latestOf(onlineVariableId), eventually).toBe(true);
    expect((await bench.eventsOf(alarm.id))[0]?.clearedReason).toBe('RECOVERED');
  });

  it('cannot be written by a payload, and leaves its path to other Variables', async () => {
    const { deviceId, onlineVariableId } = await newDevice();
    const write = () =>
      server.call(operations.writeReadings, {
        params: { deviceId },
        body: { data: { isOnline: false } },
      });
    expect((await write()).body.rejected).toEqual([{ key: 'isOnline', reason: 'unknownPath' }]);
    const { status, body } = await server.call(operations.createVariable, {
      params: { deviceId },
      body: {
        topicPropertyPath: 'isOnline',
        type: 'BOOLEAN',
        name: 'Of people',
        isLoggingEnabled: true,
      },
    });
    expect(status).toBe(201);
    expect((await write()).body.accepted).toBe(1);
    expect(await latestOf(body.id)).toBe(false);
    expect(await latestOf(onlineVariableId)).not.toBe(false);
  });

  it('cannot be changed or deleted, and is deleted with its Device', async () => {
    const { deviceId, onlineVariableId: variableId } = await newDevice();
    const params = { deviceId, variableId };
    const update = await server.call(operations.updateVariable, { params, body: { name: 'Mine' } });
    const remove = await server.call(operations.deleteVariable, { params });
    expect([update.status, remove.status]).toEqual([409, 409]);
    expect((await server.call(operations.deleteDevice, { params: { deviceId } })).status).toBe(204);
    const gone = await server.call(operations.retrieveVariable, { params });
    expect(gone.status).toBe(404);
  });
});

describe('the metrics', () => {
  it('count events of alarms', async () => {
    const { point } = await bench.newWatched();
    await bench.report(point, 60);
    const { text } = await send(server.url, 'GET', '/metrics');
    expect(text).toMatch(/^fieldwatch_alarm_events_total\{kind="raised"\} [1-9]/m);
    expect(text).toMatch(/^fieldwatch_alarms\{phase="triggered"\} [1-9]/m);
    expect(text).toMatch(/^fieldwatch_alarm_lag_seconds_count [1-9]/m);
  });
});
