import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventBench } from '../support/alarm-events.ts';
import { waitForBlocked, whileLocked } from '../support/locks.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** More than a batch may change without being committed in parts. */
const ALARMS = 25;

let server: TestServer;

const { newPoint, newAlarm, report, history } = eventBench(() => server);

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

it('readings of other Devices are acknowledged while many changes of Alarms, and later readings of their Device, wait for storage', async () => {
  const [watched, other] = [await newPoint(), await newPoint()];
  for (let count = 0; count < ALARMS; count += 1) await newAlarm(watched);
  await report(watched, 40);
  await report(other, 1);
  const stored: number[] = [];
  const { waiting } = await whileLocked(server.databaseUrl, 'alarm_events', async () => {
    const raised = report(watched, 60).then(() => stored.push(60));
    await waitForBlocked(server.databaseUrl, 1);
    await report(other, 2);
    const cleared = report(watched, 40).then(() => stored.push(40));
    for (const value of [3, 4, 5]) await report(other, value);
    expect(stored).toEqual([]);
    return { waiting: Promise.all([raised, cleared]) };
  });
  await waiting;
  expect(stored).toEqual([60, 40]);
  const { body } = await history({ take: 2 * ALARMS });
  expect(body.count).toBe(ALARMS);
  await report(watched, 60);
  expect((await history({ take: 1 })).body.count).toBe(2 * ALARMS);
});
