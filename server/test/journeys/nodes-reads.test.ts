import { operations } from '@fieldwatch/contract';
import { expect, it } from 'vitest';
import { asked, type Node, type Point, startCluster } from '../support/nodes.ts';

const START = 1_700_000_000_000;
const RANGE = `startTime=${START}&endTime=${START + 100_000}`;
const eventually = { timeout: 30_000, interval: 100 };

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

it('a reading that any node acknowledged is in the history of all three at once', async () => {
  const { startNode, balanced, newPoint } = await startCluster();
  const nodes = [await startNode(), await startNode(), await startNode()];
  await balanced(...nodes);
  for (const owner of nodes) {
    const point = await newPoint(owner);
    const values: number[] = [];
    for (const [index, node] of nodes.entries()) {
      await report(point, node, index);
      values.push(index);
      await expectEverywhere(nodes, point, values);
    }
  }
});

it('a query waits while the owner of a partition is lost, and is complete then', async () => {
  const { startNode, balanced, newPoint } = await startCluster();
  const survivor = await startNode();
  const lost = await startNode();
  await balanced(survivor, lost);
  const point = await newPoint(lost);
  await report(point, survivor, 0, 1, 2);
  lost.process.child.kill('SIGKILL');
  const { status, body } = await rawAt(survivor, point);
  expect([status, valuesIn(body), body.incomplete]).toEqual([200, [0, 1, 2], undefined]);
  await expectEverywhere([survivor], point, [0, 1, 2]);
});

it('a query of what a halted node has is never short without saying so, at any node', async () => {
  const { startNode, balanced, newPoint } = await startCluster();
  const survivor = await startNode();
  const halted = await startNode();
  await balanced(survivor, halted);
  const point = await newPoint(halted);
  await report(point, survivor, 0, 1);
  halted.process.child.kill('SIGSTOP');
  const haltedAt = performance.now();
  const { status, body } = await rawAt(survivor, point);
  expect(performance.now() - haltedAt).toBeLessThan(20_000);
  expect(status).toBe(200);
  if (!body.incomplete) expect(valuesIn(body)).toEqual([0, 1]);
  await report(point, survivor, 2);
  const late = [rawAt(halted, point), rawAt(halted, point)].map((each) => each.catch(() => null));
  halted.process.child.kill('SIGCONT');
  for (const answer of await Promise.all(late)) {
    if (answer?.status === 200 && !answer.body.incomplete)
      expect(valuesIn(answer.body)).toEqual([0, 1, 2]);
  }
  await expect
    .poll(async () => valuesIn((await rawAt(survivor, point)).body), eventually)
    .toEqual([0, 1, 2]);
});

it('queries while partitions change hands miss no acknowledged reading', async () => {
  const { startNode, balanced, newPoint } = await startCluster();
  const first = await startNode();
  const points = await Promise.all(Array.from({ length: 4 }, () => newPoint(first)));
  let reader = first;
  let isOver = false;
  const reports = points.map(async (point) => {
    const values: number[] = [];
    while (!isOver) {
      await report(point, first, values.length);
      values.push(values.length);
      const { status, body } = await rawAt(reader, point);
      expect([status, valuesIn(body), body.incomplete]).toEqual([200, values, undefined]);
    }
    return values;
  });
  const second = await startNode();
  reader = second;
  await balanced(first, second);
  reader = first;
  second.process.child.kill('SIGTERM');
  expect(await second.process.ended).toMatchObject({ code: 0 });
  isOver = true;
  for (const [index, values] of (await Promise.all(reports)).entries()) {
    await expectEverywhere([first], points[index] as Point, values);
  }
});

it('a file of history that would be incomplete is refused before its first byte', async () => {
  const { startNode, balanced, newPoint, db } = await startCluster();
  const reader = await startNode();
  const owner = await startNode();
  await balanced(reader, owner);
  const point = await newPoint(owner);
  await report(point, owner, 0);
  // Its lease does not end, so that no other node takes over from it.
  owner.process.child.kill('SIGSTOP');
  const renewal = setInterval(
    () =>
      void db
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
  }
});
