import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import { expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { createDataDir } from '../support/data-dir.ts';
import { type Node, type Point, startCluster } from '../support/nodes.ts';

const eventually = { timeout: 30_000, interval: 100 };

/** Reports through the nodes in turn; none is refused. Resolves with all indexes. */
async function reportUntil(point: Point, nodes: readonly Node[], isOver: () => boolean) {
  const indexes: number[] = [];
  for (let index = 0; !isOver(); index += 1) {
    const node = nodes[index % nodes.length] as Node;
    expect((await point.report(node, index)).status).toBe(200);
    indexes.push(index);
    await sleep(20);
  }
  return indexes;
}

it('a message that reaches another node is stored by the one that acts for its Device', async () => {
  const { startNode, balanced, newPoint } = await startCluster();
  const first = await startNode();
  const second = await startNode();
  await balanced(first, second);
  const point = await newPoint(second);
  for (const index of [0, 1, 2]) expect((await point.report(first, index)).status).toBe(200);
  expect(await point.valuesAt(second)).toEqual([0, 1, 2]);
});

it('a node that joins and one that stops cost no message, and none is refused', async () => {
  const { startNode, balanced, newPoint, ownerOf } = await startCluster();
  const first = await startNode();
  const points = await Promise.all(Array.from({ length: 8 }, () => newPoint(first)));
  let isOver = false;
  const reports = points.map((point) => reportUntil(point, [first], () => isOver));
  const second = await startNode();
  await balanced(first, second);
  second.process.child.kill('SIGTERM');
  expect(await second.process.ended).toMatchObject({ code: 0 });
  for (const { deviceId } of points) expect(await ownerOf(deviceId)).toBe(first.id);
  isOver = true;
  for (const [index, indexes] of (await Promise.all(reports)).entries()) {
    expect(await points[index]?.valuesAt(first)).toEqual(indexes);
  }
});

it('what a node acknowledged before it was killed is in the history of the others soon', async () => {
  const { startNode, balanced, newPoint, partitionsOf } = await startCluster();
  const survivor = await startNode();
  const lost = await startNode();
  await balanced(survivor, lost);
  const point = await newPoint(lost);
  for (const index of [0, 1, 2]) expect((await point.report(lost, index)).status).toBe(200);
  lost.process.child.kill('SIGKILL');
  const killedAt = performance.now();
  expect((await point.report(survivor, 3)).status).toBe(200);
  expect(performance.now() - killedAt).toBeLessThan(20_000);
  expect(await point.valuesAt(survivor)).toEqual([0, 1, 2, 3]);
  await expect.poll(() => partitionsOf(survivor), eventually).toBe(256);
  const metrics = await call(survivor.url, operations.readMetrics);
  expect(metrics.text).toContain('fieldwatch_nodes{state="lost"} 1');
});

it('a halted node is taken over from, and acknowledges nothing that is not stored when it wakes', async () => {
  const { startNode, balanced, newPoint } = await startCluster();
  const survivor = await startNode();
  const halted = await startNode();
  await balanced(survivor, halted);
  const point = await newPoint(halted);
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
  const { startNode, spawnNode, newPoint } = await startCluster();
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
