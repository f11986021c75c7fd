import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsIn } from '../support/database.ts';
import { FailingServer } from '../support/failing-server.ts';

const WINDOW_MS = 300_000;
const SECOND = 1_000;

let server: FailingServer;

beforeAll(async () => {
  server = await FailingServer.start();
});

afterAll(() => server?.stop());

/** A Device, and an Alarm that is raised when it goes offline. */
async function newDevice() {
  const { ask, create } = server;
  const device = await create(operations.createDevice, {
    body: { name: 'Pump 1', type: 'CUSTOM_DEVICE' },
  });
  const params = { deviceId: device.id };
  await create(operations.createVariable, {
    params,
    body: {
      name: 'Flow rate',
      type: 'NUMBER',
      topicPropertyPath: 'flow.rate',
      isLoggingEnabled: true,
    },
  });
  const { body } = await ask(operations.retrieveDevice, { params });
  const { id: alarmGroupId } = await create(operations.createAlarmGroup, {
    body: { name: 'Plant', subscriptions: [] },
  });
  const alarm = await create(operations.createAlarm, {
    body: {
      name: 'Offline',
      deviceId: device.id,
      deviceVariableId: body.onlineVariableId,
      alarmGroupId,
      isActive: true,
      operator: 'EQUAL',
      thresholdValueBoolean: false,
      severity: 'HIGH',
    },
  });
  return {
    report: async (value: number) => {
      const { status, text } = await ask(operations.writeReadings, {
        params,
        body: { 'flow.rate': value },
      });
      expect(status, text).toBe(200);
    },
    presence: async () => (await ask(operations.retrieveDevice, { params })).body,
    isOfflineAlarm: async () =>
      (await ask(operations.retrieveAlarm, { params: { alarmId: alarm.id } })).body.isTriggered,
  };
}

it('a kill right after a reading takes nothing from the online window that it began', async () => {
  const device = await newDevice();
  await device.report(1);
  await expect.poll(async () => (await device.presence()).isOnline).toBe(true);
  // The first one is written as last seen, and the second one is not.
  await expect
    .poll(() => rowsIn(server.databaseUrl, 'select from devices where last_seen_at is not null'))
    .toHaveLength(1);
  await server.advance(WINDOW_MS - 10 * SECOND);
  await device.report(2);
  const { lastSeenDateTime } = await device.presence();
  server.kill();
  await server.restartOnceKilled();
  await expect.poll(async () => (await device.presence()).lastSeenDateTime).toBe(lastSeenDateTime);
  await server.advance(35 * SECOND);
  // Presence is recorded as it is now before it is searched by.
  await server.ask(operations.searchDevices, { body: { states: ['ONLINE'] } });
  expect((await device.presence()).isOnline).toBe(true);
  expect(await device.isOfflineAlarm()).toBe(false);
  await server.advance(WINDOW_MS);
  await expect.poll(async () => (await device.presence()).isOnline).toBe(false);
  await expect.poll(device.isOfflineAlarm).toBe(true);
});

it('a kill right after the first reading of a Device leaves it online', async () => {
  const device = await newDevice();
  await device.report(1);
  const { lastSeenDateTime } = await device.presence();
  server.kill();
  await server.restartOnceKilled();
  await expect
    .poll(device.presence)
    .toMatchObject({ isOnline: true, lastSeenDateTime: lastSeenDateTime ?? '' });
});
