import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { basic, call } from '../support/call.ts';
import { createDataDir } from '../support/data-dir.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { SECRET_KEY } from '../support/server.ts';

const organizationId = '018f0000-0000-7000-8000-0000000000cc';
const KEY = { id: 'nodes-key', secret: 'nodes-secret-of-32-characters-or-more' };
const START = 1_700_000_000_000;
const eventually = { timeout: 30_000, interval: 100 };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
const running: ServerProcess[] = [];
const directories: { remove(): void }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  for (const each of directories) each.remove();
  await database.drop();
});

interface Node {
  readonly url: string;
  readonly process: ServerProcess;
}

async function startNode(): Promise<Node> {
  const dataDir = createDataDir();
  directories.push(dataDir);
  const process = spawnServer({
    FIELDWATCH_DATA_DIR: dataDir.path,
    FIELDWATCH_ORGANIZATION_ID: organizationId,
    FIELDWATCH_API_KEY_ID: KEY.id,
    FIELDWATCH_API_KEY_SECRET: KEY.secret,
    FIELDWATCH_SECRET_KEY: SECRET_KEY,
    DATABASE_URL: database.url,
  });
  running.push(process);
  return { url: await process.ready, process };
}

const auth = basic(KEY.id, KEY.secret);

function asked(
  { url }: Node,
  operation: (typeof operations)[keyof typeof operations],
  given: Parameters<typeof call>[2],
) {
  return call(url, operation, { auth, ...given, params: { organizationId, ...given?.params } });
}

/** A Device with one Variable, which reports through any node. */
async function newPoint(node: Node) {
  const device = await asked(node, operations.createDevice, { body: { name: 'Pump' } });
  expect(device.status).toBe(201);
  const deviceId = device.body.id;
  const variable = await asked(node, operations.createVariable, {
    params: { deviceId },
    body: { name: 'Flow', type: 'NUMBER', path: 'flow' },
  });
  expect(variable.status).toBe(201);
  const variableId = variable.body.id;
  return {
    report: (to: Node, index: number) =>
      asked(to, operations.sendReadings, {
        params: { deviceId },
        body: { timestamp: START + index, data: { flow: index } },
      }),
    async valuesAt(at: Node): Promise<number[]> {
      const query = { startTime: 0, endTime: START + 1_000_000, take: 10_000 };
      const { status, body } = await asked(at, operations.listReadings, {
        params: { variableId },
        query,
      });
      expect(status).toBe(200);
      return body.items.map(({ value }: { value: number }) => value);
    },
  };
}

it('what a node acknowledged before it was killed is in the history of the others soon', async () => {
  const survivor = await startNode();
  const lost = await startNode();
  const point = await newPoint(survivor);
  for (const index of [0, 1, 2]) expect((await point.report(lost, index)).status).toBe(200);
  expect(await point.valuesAt(survivor)).toEqual([]);
  lost.process.child.kill('SIGKILL');
  const killedAt = performance.now();
  await expect.poll(() => point.valuesAt(survivor), eventually).toEqual([0, 1, 2]);
  expect(performance.now() - killedAt).toBeLessThan(20_000);
});

it('a halted node is taken over from, and acknowledges nothing that is not stored when it wakes', async () => {
  const survivor = await startNode();
  const halted = await startNode();
  const point = await newPoint(survivor);
  expect((await point.report(halted, 0)).status).toBe(200);
  halted.process.child.kill('SIGSTOP');
  await expect.poll(() => point.valuesAt(survivor), eventually).toEqual([0]);
  const late = Promise.all([1, 2, 3].map((index) => point.report(halted, index)));
  await sleep(200);
  halted.process.child.kill('SIGCONT');
  const statuses = (await late).map(({ status }) => status);
  const acknowledged = [1, 2, 3].filter((_, index) => statuses[index] === 200);
  // It has started again by itself, on other ports.
  await expect
    .poll(() => halted.process.output(), eventually)
    .toContain('taken over from this one');
  await expect
    .poll(() => point.valuesAt(survivor), eventually)
    .toEqual(expect.arrayContaining([0, ...acknowledged]));
});
