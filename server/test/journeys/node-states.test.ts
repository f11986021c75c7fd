import { type Node, operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { call } from '../support/call.ts';
import { createTestClock } from '../support/clock.ts';
import { createDataDir } from '../support/data-dir.ts';
import { asked, type Cluster, type Node as RunningNode, startCluster } from '../support/nodes.ts';
import { startServer } from '../support/server.ts';

const eventually = { timeout: 30_000, interval: 100 };
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});

afterAll(() => cluster?.stop());

async function nodesAt(node: RunningNode): Promise<Node[]> {
  const { status, body, text } = await asked(node, operations.listNodes, {});
  expect(status, text).toBe(200);
  return body.items;
}

async function nodeAt(node: RunningNode, id: string): Promise<Node | undefined> {
  return (await nodesAt(node)).find((each) => each.id === id);
}

async function warningsAt(node: RunningNode): Promise<string[]> {
  const { body } = await asked(node, operations.retrieveOverview, {});
  return (body.warnings ?? []).map(({ code }: { code: string }) => code);
}

async function metricsOf({ url }: RunningNode): Promise<string> {
  return (await call(url, operations.readMetrics)).text;
}

describe('the list of nodes', () => {
  it('has the state, partitions, load and lag of every node, on every node', async () => {
    const [first, second] = await cluster.nodes(2);
    const point = await cluster.newPoint(second);
    let index = 0;
    await expect
      .poll(async () => {
        expect((await point.report(first, index++)).status).toBe(200);
        const atBoth = (await Promise.all([first, second].map(nodesAt))).flat();
        return atBoth.map(({ id, load }) =>
          id === first.id ? load?.forwardedPerSecond : load?.receivedPerSecond,
        );
      }, eventually)
      .toSatisfy((rates: number[]) => rates.length === 4 && rates.every((rate) => rate > 0));
    for (const node of [first, second]) {
      const nodes = await nodesAt(node);
      expect(nodes.map(({ id }) => id)).toEqual([first.id, second.id]);
      for (const each of nodes) {
        expect(each).toMatchObject({
          state: 'READY',
          isAnswering: each.id === node.id,
          partitionCount: 128,
          lostDateTime: null,
          unreachableFrom: [],
          lag: { oldestMessageSeconds: expect.any(Number), flushBacklogBytes: expect.any(Number) },
        });
        expect(each.leaseSeconds).toBeGreaterThan(0);
        expect(each.load?.memoryBytes).toBeGreaterThan(0);
        expect(each.migration).toBeGreaterThan(30);
      }
    }
    const metrics = await metricsOf(first);
    expect(metrics).toContain('fieldwatch_nodes{state="ready"} 2');
    expect(metrics).toContain('fieldwatch_partitions{owner="self"} 128');
    expect(metrics).toMatch(/fieldwatch_forwarded_messages_total\{direction="sent"\} [1-9]/);
    expect(metrics).toMatch(/fieldwatch_peer_calls_total\{outcome="answered"\} [1-9]/);
    expect(metrics).toMatch(new RegExp(`fieldwatch_lease_seconds\\{node="${first.id}"\\} [1-5]`));
  });

  it('shows a node of another version as OTHER_VERSION while it is older', async () => {
    const [node, older] = await cluster.nodes(2);
    const { version } = (await nodeAt(node, older.id)) ?? {};
    const setVersion = (value: unknown) =>
      cluster.db.query('update nodes set version = $2 where id = $1', [older.id, value]);
    await setVersion('0.0.0');
    onTestFinished(async () => {
      await setVersion(version);
    });
    expect(await nodeAt(node, older.id)).toMatchObject({
      state: 'OTHER_VERSION',
      version: '0.0.0',
    });
    expect(await nodeAt(older, node.id)).toMatchObject({ state: 'READY' });
  });

  it('shows a killed node as LOST, with a warning for administrators until it is back', async () => {
    const [survivor, killed] = await cluster.nodes(2, 1);
    expect(await warningsAt(survivor)).toEqual([]);
    killed.process.child.kill('SIGKILL');
    await expect
      .poll(() => nodeAt(survivor, killed.id), eventually)
      .toMatchObject({ state: 'LOST', load: null, partitionCount: 0 });
    await expect.poll(() => warningsAt(survivor), eventually).toEqual(['NODE_LOST']);
    const viewer = await asked(survivor, operations.createApiKey, {
      body: { name: 'Viewer', permissions: ['ReadAssets'] },
    });
    const { id, secret } = viewer.body;
    const auth = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    const seen = await asked(survivor, operations.retrieveOverview, { auth });
    expect([seen.status, seen.body.warnings]).toEqual([200, undefined]);
    await cluster.startLocal(killed.dataDir);
    await expect.poll(() => warningsAt(survivor), eventually).toEqual([]);
    expect(await nodeAt(survivor, killed.id)).toMatchObject({ state: 'READY' });
  });
});

describe('a bad neighbour', () => {
  it('with another secret key is refused at its start', async () => {
    const [node] = await cluster.nodes(1);
    const other = cluster.spawnNode(createDataDir(), {
      FIELDWATCH_SECRET_KEY: 'another secret key of 32 characters or more',
    });
    expect(await other.ended).toMatchObject({ code: 1 });
    expect(other.output()).toContain(
      'FIELDWATCH_SECRET_KEY is not the key that the database was made with',
    );
    expect(await nodesAt(node)).toHaveLength(1);
  });

  it('that is older than the database is refused at its start, and running nodes go on', async () => {
    const [node] = await cluster.nodes(1);
    // A newer version has migrated: its migration adds to what the running node uses.
    await cluster.db.query(
      `insert into schema_migrations (version, file, sha256, applied_at)
       values (9000, '9000-later.sql', '', now())`,
    );
    onTestFinished(async () => {
      await cluster.db.query('delete from schema_migrations where version = 9000');
    });
    const older = cluster.spawnNode(createDataDir());
    expect(await older.ended).toMatchObject({ code: 1 });
    expect(older.output()).toMatch(/The database is at version 9000 .* run the newer build/);
    const point = await cluster.newPoint(node);
    expect((await point.report(node, 0)).status).toBe(200);
    expect(await nodesAt(node)).toMatchObject([{ state: 'READY' }]);
  });

  it('whose address cannot be reached is UNREACHABLE on every node, and loses nothing', async () => {
    const [node] = await cluster.nodes(1);
    // It listens on 127.0.0.1 only.
    const wrong = await cluster.startLocal(createDataDir(), {
      FIELDWATCH_NODE_ADDRESS: '127.0.0.9:29783',
    });
    await cluster.balanced(node, wrong);
    for (const observer of [node, wrong]) {
      await expect
        .poll(() => nodeAt(observer, wrong.id), eventually)
        .toMatchObject({ state: 'UNREACHABLE', unreachableFrom: [node.id] });
      expect(await nodeAt(observer, node.id)).toMatchObject({ state: 'READY' });
    }
    await expect.poll(() => warningsAt(node), eventually).toEqual(['NODE_UNREACHABLE']);
    await expect
      .poll(() => metricsOf(node), eventually)
      .toContain('fieldwatch_nodes{state="unreachable"} 1');
    const point = await cluster.newPoint(wrong);
    const refused = await point.report(node, 0);
    expect([refused.status, refused.body.code]).toEqual([503, 'STORAGE_UNAVAILABLE']);
    expect((await point.report(wrong, 1)).status).toBe(200);
    expect(await point.valuesAt(wrong)).toEqual([1]);
    await wrong.stop();
  });

  it('with a wrong clock is CLOCK_DIFFERS', async () => {
    const clock = createTestClock();
    clock.step(-5_000);
    const server = await startServer({ environment: { clock } });
    onTestFinished(() => server.stop());
    const { body } = await server.call(operations.listNodes);
    expect(body.items).toMatchObject([{ state: 'CLOCK_DIFFERS', isAnswering: true }]);
    expect(body.items[0].clockDeviationSeconds).toBeCloseTo(-5, 0);
  });
});
