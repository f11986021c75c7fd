import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { basic, type Call, call } from '../support/call.ts';
import { createDataDir } from '../support/data-dir.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { storedReadings } from '../support/reporter.ts';
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

function spawnNode(dataDir: { readonly path: string }): ServerProcess {
  const process = spawnServer({
    FIELDWATCH_DATA_DIR: dataDir.path,
    FIELDWATCH_ORGANIZATION_ID: organizationId,
    FIELDWATCH_API_KEY_ID: KEY.id,
    FIELDWATCH_API_KEY_SECRET: KEY.secret,
    FIELDWATCH_SECRET_KEY: SECRET_KEY,
    DATABASE_URL: database.url,
  });
  running.push(process);
  return process;
}

async function startNode(dataDir = createDataDir()): Promise<Node> {
  directories.push(dataDir);
  const process = spawnNode(dataDir);
  return { url: await process.ready, process };
}

const auth = basic(KEY.id, KEY.secret);

function asked(
  { url }: Node,
  operation: (typeof operations)[keyof typeof operations],
  given: Call,
) {
  return call(url, operation, { auth, params: { organizationId }, ...given });
}

/** A Device with one Variable, which reports through any node. */
async function newPoint(node: Node) {
  const device = await asked(node, operations.createDevice, {
    body: { type: 'CUSTOM_DEVICE', name: 'Water pump' },
  });
  expect(device.status, device.text).toBe(201);
  const params = { organizationId, deviceId: device.body.id };
  const variable = await asked(node, operations.createVariable, {
    params,
    body: {
      topicPropertyPath: 'water.flow',
      type: 'NUMBER',
      name: 'Water flow',
      isLoggingEnabled: true,
    },
  });
  expect(variable.status, variable.text).toBe(201);
  return {
    report: (to: Node, index: number) =>
      asked(to, operations.writeReadings, {
        params,
        body: { timestamp: START + index, data: { 'water.flow': index } },
      }),
    async valuesAt({ url }: Node): Promise<number[]> {
      const target = { auth, organizationId };
      const stored = await storedReadings(url, target, variable.body.id, START + 1_000);
      return stored.map(({ value }) => value);
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
  const metrics = await call(survivor.url, operations.readMetrics);
  expect(metrics.text).toContain('fieldwatch_nodes{state="lost"} 1');
});

it('a halted node is taken over from, and acknowledges nothing that is not stored when it wakes', async () => {
  const survivor = await startNode();
  const halted = await startNode();
  const point = await newPoint(survivor);
  expect((await point.report(halted, 0)).status).toBe(200);
  halted.process.child.kill('SIGSTOP');
  await expect.poll(() => point.valuesAt(survivor), eventually).toEqual([0]);
  const late = Promise.allSettled([1, 2, 3].map((index) => point.report(halted, index)));
  await sleep(200);
  halted.process.child.kill('SIGCONT');
  const outcomes = await late;
  const acknowledged = [1, 2, 3].filter((_, index) => {
    const outcome = outcomes[index];
    return outcome?.status === 'fulfilled' && outcome.value.status === 200;
  });
  await expect
    .poll(() => halted.process.output(), eventually)
    .toContain('taken over from this one');
  await expect
    .poll(() => point.valuesAt(survivor), eventually)
    .toEqual(expect.arrayContaining([0, ...acknowledged]));
});

it('a server with a copy of the id of an idle node is refused', async () => {
  const dataDir = createDataDir();
  const node = await startNode(dataDir);
  // Longer than a lease that nothing needs.
  await sleep(7_000);
  const copy = spawnNode(dataDir);
  expect(await copy.ended).toMatchObject({ code: 1 });
  expect(copy.output()).toContain('another server with the id of this node is running');
  const point = await newPoint(node);
  expect((await point.report(node, 0)).status).toBe(200);
});
