import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { createDataDir } from '../support/data-dir.ts';
import { asked, type Cluster, type Node, type Point, startCluster } from '../support/nodes.ts';

const eventually = { timeout: 30_000, interval: 100 };
const START = 1_700_000_000_000;
const RANGE = `startTime=${START}&endTime=${START + 100_000}`;
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});

afterAll(() => cluster?.stop());

/** Reports through the nodes in turn; none is refused. Resolves with all indexes. */
async function reportUntil(
  point: Point,
  nodes: readonly Node[],
  isOver: () => boolean,
  onReported: (indexes: readonly number[]) => Promise<void> = async () => undefined,
) {
  const indexes: number[] = [];
  for (let index = 0; !isOver(); index += 1) {
    const node = nodes[index % nodes.length] as Node;
    expect((await point.report(node, index)).status).toBe(200);
    indexes.push(index);
    await onReported(indexes);
    await sleep(50);
  }
  return indexes;
}

function rawAt(node: Node, { variableId }: Point) {
  return asked(node, operations.listReadings, { params: { variableId }, query: RANGE });
}

function valuesIn(body: { items: readonly { value: number }[] }): number[] {
  return body.items.map(({ value }) => value);
}

async function report(point: Point, to: Node, ...indexes: readonly number[]): Promise<void> {
  for (const index of indexes) expect((await point.report(to, index)).status).toBe(200);
}

/** Every way to read the history of a Variable shows these values, whichever node is asked. */
async function expectEverywhere(nodes: readonly Node[], point: Point, values: readonly number[]) {
  const { variableId } = point;
  for (const node of nodes) {
    const raw = await rawAt(node, point);
    expect([raw.status, valuesIn(raw.body), 'incomplete' in raw.body]).toEqual([
      200,
      values,
      false,
    ]);
    const buckets = await asked(node, operations.listManyReadings, {
      query: `${RANGE}&ids[]=${variableId}&buckets=1`,
    });
    expect(buckets.body.items[0].items[0]).toMatchObject({
      count: values.length,
      last: values.at(-1),
    });
    const all = await asked(node, operations.listReadings, {
      params: { variableId },
      query: 'buckets=1',
    });
    expect(all.body).toMatchObject({
      startTime: START + (values[0] ?? 0),
      endTime: START + (values.at(-1) ?? 0),
    });
    const latest = await asked(node, operations.listLatestValues, {
      query: `ids[]=${variableId}`,
    });
    expect(latest.body).toEqual({
      items: [
        {
          variableId,
          timestamp: START + (values.at(-1) ?? 0),
          value: values.at(-1),
        },
      ],
    });
    const csv = await point.fileAt(node);
    expect(csv.text.trim().split('\r\n').length).toBe(values.length + 1);
  }
}

it('a server with a copy of the id of an idle node is refused', async () => {
  const dataDir = createDataDir();
  const node = await cluster.startLocal(dataDir);
  // Longer than a lease that nothing needs.
  await sleep(7_000);
  const copy = cluster.spawnNode(dataDir);
  expect(await copy.ended).toMatchObject({ code: 1 });
  expect(copy.output()).toContain('another server with the id of this node is running');
  const point = await cluster.newPoint(node);
  expect((await point.report(node, 0)).status).toBe(200);
});

it('a message that reaches another node is stored by the one that acts for its Device', async () => {
  const [first, second] = await cluster.nodes(2);
  const point = await cluster.newPoint(second);
  for (const index of [0, 1, 2]) expect((await point.report(first, index)).status).toBe(200);
  expect(await point.valuesAt(second)).toEqual([0, 1, 2]);
});

it('a reading that any node acknowledged is in the history of all three at once', async () => {
  const nodes = await cluster.nodes(3);
  for (const owner of nodes) {
    const point = await cluster.newPoint(owner);
    const values: number[] = [];
    for (const [index, node] of nodes.entries()) {
      await report(point, node, index);
      values.push(index);
      await expectEverywhere(nodes, point, values);
    }
  }
});

it('a halted node is taken over from, acknowledges nothing that is not stored when it wakes, and no query is short without saying so', async () => {
  const [survivor, , halted] = await cluster.nodes(3, 1);
  const point = await cluster.newPoint(halted);
  const queried = await cluster.newPoint(halted);
  await report(point, halted, 0);
  await report(queried, survivor, 0, 1);
  halted.process.child.kill('SIGSTOP');
  const haltedAt = performance.now();
  const { status, body } = await rawAt(survivor, queried);
  expect(performance.now() - haltedAt).toBeLessThan(20_000);
  expect(status).toBe(200);
  if (!body.incomplete) expect(valuesIn(body)).toEqual([0, 1]);
  await expect.poll(() => point.valuesAt(survivor), eventually).toEqual([0]);
  await report(queried, survivor, 2);
  const late = Promise.allSettled([1, 2, 3].map((index) => point.report(halted, index)));
  const lateQueries = [queried, queried].map((each) => rawAt(halted, each).catch(() => null));
  await sleep(200);
  halted.process.child.kill('SIGCONT');
  const outcomes = await late;
  const acknowledged = [1, 2, 3].filter((_, index) => {
    const outcome = outcomes[index];
    return outcome?.status === 'fulfilled' && outcome.value.status === 200;
  });
  for (const answer of await Promise.all(lateQueries)) {
    if (answer?.status === 200 && !answer.body.incomplete)
      expect(valuesIn(answer.body)).toEqual([0, 1, 2]);
  }
  await expect.poll(() => halted.output(), eventually).toContain('taken over from this one');
  await expect
    .poll(() => point.valuesAt(survivor), eventually)
    .toEqual(expect.arrayContaining([0, ...acknowledged]));
  await expect
    .poll(async () => valuesIn((await rawAt(survivor, queried)).body), eventually)
    .toEqual([0, 1, 2]);
  await cluster.killNode(halted);
});

it('what a node acknowledged before it was killed is in the history of the others soon, and a query meanwhile waits and is complete', async () => {
  const [survivor, lost] = await cluster.nodes(2, 1);
  const point = await cluster.newPoint(lost);
  const queried = await cluster.newPoint(lost);
  await report(point, lost, 0, 1, 2);
  await report(queried, survivor, 0, 1, 2);
  lost.process.child.kill('SIGKILL');
  const killedAt = performance.now();
  const [{ status, body }] = await Promise.all([
    rawAt(survivor, queried),
    report(point, survivor, 3),
  ]);
  expect(performance.now() - killedAt).toBeLessThan(20_000);
  expect([status, valuesIn(body), body.incomplete]).toEqual([200, [0, 1, 2], undefined]);
  expect(await point.valuesAt(survivor)).toEqual([0, 1, 2, 3]);
  await expectEverywhere([survivor], queried, [0, 1, 2]);
  await expect.poll(() => cluster.partitionsOf(survivor), eventually).toBe(256);
  const metrics = async () => (await call(survivor.url, operations.readMetrics)).text;
  await expect.poll(metrics, eventually).toMatch(/fieldwatch_nodes\{state="lost"\} [1-9]/);
});

it('a node that joins and one that stops cost no message, none is refused, and no query misses an acknowledged reading', async () => {
  const [first] = await cluster.nodes(1);
  const newPoints = (count: number) =>
    Promise.all(Array.from({ length: count }, () => cluster.newPoint(first)));
  const [points, queried] = [await newPoints(8), await newPoints(4)];
  let reader = first;
  let isOver = false;
  const reports = points.map((point) => reportUntil(point, [first], () => isOver));
  const queries = queried.map((point) =>
    reportUntil(
      point,
      [first],
      () => isOver,
      async (values) => {
        const { status, body } = await rawAt(reader, point);
        expect([status, valuesIn(body), body.incomplete]).toEqual([200, values, undefined]);
      },
    ),
  );
  const second = await cluster.startLocal();
  reader = second;
  await cluster.balanced(first, second);
  reader = first;
  await second.stop();
  for (const { deviceId } of points) expect(await cluster.ownerOf(deviceId)).toBe(first.id);
  isOver = true;
  for (const [index, indexes] of (await Promise.all(reports)).entries())
    expect(await points[index]?.valuesAt(first)).toEqual(indexes);
  for (const [index, values] of (await Promise.all(queries)).entries())
    await expectEverywhere([first], queried[index] as Point, values);
});

it('journal rows are plain beside a node whose version reads no others, and packed once there is none', async () => {
  const [first, second] = await cluster.nodes(2);
  const point = await cluster.newPoint(first);
  const knownBySecond = (migration: number) =>
    cluster.db.query('update nodes set migration = $2 where id = $1', [second.id, migration]);
  let index = 0;
  const writtenVersion = async () => {
    await report(point, first, index);
    index += 1;
    const { rows } = await cluster.db.query<{ version: number }>(
      'select get_byte(data, 0) as version from journal order by commit_order desc limit 1',
    );
    return rows[0]?.version;
  };
  expect(await writtenVersion()).toBe(2);
  await knownBySecond(67);
  await expect.poll(writtenVersion, eventually).toBe(1);
  await knownBySecond(68);
  await expect.poll(writtenVersion, eventually).toBe(2);
  const values = Array.from({ length: index }, (_, value) => value);
  await expectEverywhere([first, second], point, values);
});

it('a file of history that would be incomplete is refused before its first byte', async () => {
  const [reader, owner] = await cluster.nodes(2, 1);
  const point = await cluster.newPoint(owner);
  await report(point, owner, 0);
  // Its lease does not end, so that no other node takes over from it.
  owner.process.child.kill('SIGSTOP');
  const renewal = setInterval(
    () =>
      void cluster.db
        .query(`update nodes set alive_until = now() + interval '1 minute' where id = $1`, [
          owner.id,
        ])
        .catch(() => undefined),
    500,
  );
  try {
    const { variableId } = point;
    const [file, raw, latest] = await Promise.all([
      point.fileAt(reader),
      rawAt(reader, point),
      asked(reader, operations.listLatestValues, { query: `ids[]=${variableId}` }),
    ]);
    expect([file.status, file.body.code]).toEqual([503, 'STORAGE_UNAVAILABLE']);
    expect(raw.body).toMatchObject({ items: [], incomplete: true });
    expect(latest.body).toEqual({ items: [], incomplete: true });
  } finally {
    clearInterval(renewal);
    await cluster.killNode(owner);
  }
});
