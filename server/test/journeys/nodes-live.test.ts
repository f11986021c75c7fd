import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { follow, holds, type LiveEvent } from '../support/live.ts';
import { connectDevice } from '../support/node-clients.ts';
import {
  asked,
  type Cluster,
  followedNode,
  type Node,
  type Point,
  startCluster,
} from '../support/nodes.ts';
import { cases } from '../support/soak.ts';

/** Each is created and written at once, so that a cache without it would be seen. */
const VARIABLES = cases(20, 0.25);
const eventually = { timeout: 30_000, interval: 100 };

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});

afterAll(() => cluster?.stop());

const followAll = (nodes: readonly Node[], query?: string) =>
  Promise.all(
    nodes.map((node) => follow(followedNode(node), query === undefined ? {} : { query })),
  );

const isDevice =
  (deviceId: string, isOnline: boolean) =>
  ({ type, data }: LiveEvent) =>
    type === 'device' && data.deviceId === deviceId && data.isOnline === isOnline;

async function newAlarm(node: Node, { deviceId, variableId }: Point): Promise<string> {
  const { status, text, body } = await asked(node, operations.createAlarm, {
    body: {
      name: 'Too high',
      isActive: true,
      alarmGroupId: null,
      deviceId,
      deviceVariableId: variableId,
      operator: 'GREATER_THAN',
      thresholdValueNumber: 100,
    },
  });
  expect(status, text).toBe(201);
  return body.id;
}

it('values of every node come over the streams of every node', async () => {
  const nodes = await cluster.nodes(3);
  const points = await Promise.all(nodes.map((node) => cluster.newPoint(node)));
  const streams = await followAll(nodes);
  const filtered = await followAll(nodes, `variableIds[]=${points[0]?.variableId}`);
  const latencies: number[] = [];
  for (let value = 1; value <= 5; value += 1) {
    for (const [index, point] of points.entries()) {
      const at = nodes[(index + value) % nodes.length] as Node;
      expect((await point.report(at, value)).status).toBe(200);
      const stored = performance.now();
      await Promise.all(streams.map(({ until }) => until(holds(point.variableId, value))));
      latencies.push(performance.now() - stored);
    }
  }
  const [first, ...others] = points as [Point, ...Point[]];
  for (const { until, text } of filtered) {
    await until(holds(first.variableId, 5));
    for (const { variableId } of others) expect(text()).not.toContain(variableId);
  }
  expect(Math.max(...latencies)).toBeLessThan(3_000);
});

it('Devices that connect and disconnect anywhere are announced over the streams of every node', async () => {
  const nodes = await cluster.nodes(3);
  const [first, second] = nodes;
  const point = await cluster.newPoint(first);
  const streams = await followAll(nodes);
  const client = await connectDevice(second, point);
  await Promise.all(streams.map(({ until }) => until(isDevice(point.deviceId, true))));
  await client.endAsync();
  await Promise.all(streams.map(({ until }) => until(isDevice(point.deviceId, false))));
});

it('an alarm event is announced over the streams of every node within a second', async () => {
  const nodes = await cluster.nodes(3);
  const point = await cluster.newPoint(nodes[0]);
  const alarmId = await newAlarm(nodes[1], point);
  const streams = await followAll(nodes);
  expect((await point.report(nodes[2], 200)).status).toBe(200);
  const stored = performance.now();
  const isRaised = ({ type, data }: LiveEvent) =>
    type === 'alarm' && data.change === 'RAISED' && data.event.alarmId === alarmId;
  const raised = await Promise.all(streams.map(({ until }) => until(isRaised)));
  const took = performance.now() - stored;
  expect(took).toBeLessThan(3_000);
  expect(new Set(raised.map(({ id }) => id)).size).toBe(1);
});

it('streams go on when the node that acts for a Device is killed or restarted', async () => {
  const [first, second, lost] = await cluster.nodes(3, 1);
  const point = await cluster.newPoint(lost);
  const stream = await follow(followedNode(first));
  expect((await point.report(first, 1)).status).toBe(200);
  await stream.until(holds(point.variableId, 1));
  lost.process.child.kill('SIGKILL');
  expect((await point.report(first, 2)).status).toBe(200);
  await stream.until(holds(point.variableId, 2));
  const joined = await cluster.startLocal();
  await cluster.balanced(first, second, joined);
  const moved = await cluster.newPoint(joined);
  let value = 0;
  await expect
    .poll(async () => {
      value += 1;
      await moved.report(first, value);
      return stream.events.some(holds(moved.variableId, value - 1));
    }, eventually)
    .toBe(true);
});

it('a Variable that was just created takes values at once, through whichever node they come', async () => {
  const [first, second] = await cluster.nodes(3);
  const { deviceId } = await cluster.newPoint(second);
  const params = { deviceId };
  for (let index = 0; index < VARIABLES; index += 1) {
    const path = `pressure${index}`;
    // The node that acts for the Device has it in its cache, without the new Variable.
    await asked(second, operations.writeReadings, { params, body: { data: { other: index } } });
    const created = await asked(first, operations.createVariable, {
      params,
      body: { topicPropertyPath: path, type: 'NUMBER', name: path, isLoggingEnabled: true },
    });
    expect(created.status, created.text).toBe(201);
    const written = await asked(first, operations.writeReadings, {
      params,
      body: { data: { [path]: index } },
    });
    expect(written.body).toMatchObject({ accepted: 1, rejected: [] });
  }
});
