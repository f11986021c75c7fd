import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { basic, call } from '../support/call.ts';
import { createDataDir } from '../support/data-dir.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { storedReadings } from '../support/reporter.ts';
import { SECRET_KEY } from '../support/server.ts';

const organizationId = '018f0000-0000-7000-8000-0000000000ad';
const SECRET = 'servers-secret-of-32-characters-or-more';
const auth = basic('servers-key', SECRET);
const START = 1_700_000_000_000;
const VARIABLES = 30;
/** Enough that they are carried over in more journal rows than one report takes. */
const READINGS_PER_VARIABLE = 150;
const paths = Array.from({ length: VARIABLES }, (_, index) => `path${index}`);
const dataDirs = [createDataDir(), createDataDir()];
let database: Awaited<ReturnType<typeof createTestDatabase>>;
const running = new Set<ServerProcess>();

function start(index: 0 | 1): ServerProcess {
  const server = spawnServer({
    DATABASE_URL: database.url,
    FIELDWATCH_DATA_DIR: dataDirs[index]?.path ?? '',
    FIELDWATCH_SECRET_KEY: SECRET_KEY,
    FIELDWATCH_ORGANIZATION_ID: organizationId,
    FIELDWATCH_API_KEY_ID: 'servers-key',
    FIELDWATCH_API_KEY_SECRET: SECRET,
    FIELDWATCH_REQUESTS_PER_MINUTE: '0',
  });
  running.add(server);
  return server;
}

async function end(server: ServerProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  server.child.kill(signal);
  await server.ended;
  running.delete(server);
}

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  for (const server of running) await end(server, 'SIGKILL');
  await database.drop();
  for (const dataDir of dataDirs) dataDir.remove();
});

/** A Device with many Variables, so that its readings are carried over in several journal rows. */
async function createDevice(url: string) {
  const params = { organizationId };
  const device = await call(url, operations.createDevice, {
    auth,
    params,
    body: { type: 'CUSTOM_DEVICE', name: 'Shared' },
  });
  const variableIds: string[] = [];
  for (const topicPropertyPath of paths) {
    const { body } = await call(url, operations.createVariable, {
      auth,
      params: { organizationId, deviceId: device.body.id },
      body: { topicPropertyPath, type: 'NUMBER', name: topicPropertyPath, isLoggingEnabled: true },
    });
    variableIds.push(body.id);
  }
  return { deviceId: device.body.id, variableIds };
}

it('two servers on one database, stopped, killed and started again, keep every acknowledged reading once', async () => {
  const one = start(0);
  const device = await createDevice(await one.ready);
  let acknowledged = 0;
  /** Reports readings of every Variable, and counts them when they are acknowledged. */
  const report = async (server: ServerProcess, count: number) => {
    const from = START + acknowledged;
    const dataArray = paths.flatMap((key) =>
      Array.from({ length: count }, (_, index) => {
        return { key, value: index, timestamp: from + index };
      }),
    );
    const { status, text } = await call(await server.ready, operations.writeReadings, {
      auth,
      params: { organizationId, deviceId: device.deviceId },
      body: { dataArray },
    });
    expect(status, text).toBe(200);
    acknowledged += count;
  };
  await report(one, READINGS_PER_VARIABLE);
  await report(one, READINGS_PER_VARIABLE);
  // Started by accident, while the first has readings in its journal.
  const other = start(1);
  await other.ready;
  await report(one, 1);
  await end(one, 'SIGTERM');
  await report(other, 1);
  await end(other, 'SIGTERM');
  const [first, second] = [start(0), start(1)];
  await report(first, READINGS_PER_VARIABLE);
  await report(second, READINGS_PER_VARIABLE);
  await end(second, 'SIGKILL');
  await report(first, 1);
  await end(first, 'SIGTERM');
  const last = start(1);
  const expected = Array.from({ length: acknowledged }, (_, index) => START + index);
  for (const variableId of device.variableIds) {
    const target = { auth, organizationId };
    const stored = await storedReadings(await last.ready, target, variableId, START + 1_000_000);
    expect(stored.map(({ timestamp }) => timestamp)).toEqual(expected);
  }
}, 120_000);
