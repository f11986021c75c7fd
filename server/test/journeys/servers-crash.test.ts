import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDataDir } from '../support/data-dir.ts';
import { asked, type Cluster, followedNode, type Node, startCluster } from '../support/nodes.ts';
import { storedReadings } from '../support/reporter.ts';

const START = 1_700_000_000_000;
const VARIABLES = 30;
/** Enough that they are carried over in more journal rows than one report takes. */
const READINGS_PER_VARIABLE = 150;
const paths = Array.from({ length: VARIABLES }, (_, index) => `path${index}`);
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ FIELDWATCH_REQUESTS_PER_MINUTE: '0' });
});

afterAll(() => cluster?.stop());

/** A Device with many Variables, so that its readings are carried over in several journal rows. */
async function createDevice(node: Node) {
  const device = await asked(node, operations.createDevice, {
    body: { type: 'CUSTOM_DEVICE', name: 'Shared' },
  });
  const variableIds: string[] = [];
  for (const topicPropertyPath of paths) {
    const { body } = await asked(node, operations.createVariable, {
      params: { deviceId: device.body.id },
      body: { topicPropertyPath, type: 'NUMBER', name: topicPropertyPath, isLoggingEnabled: true },
    });
    variableIds.push(body.id);
  }
  return { deviceId: device.body.id, variableIds };
}

it('two servers on one database, stopped, killed and started again, keep every acknowledged reading once', async () => {
  const [firstDir, secondDir] = [createDataDir(), createDataDir()];
  const one = await cluster.startLocal(firstDir);
  const device = await createDevice(one);
  let acknowledged = 0;
  /** Reports readings of every Variable, and counts them when they are acknowledged. */
  const report = async (node: Node, count: number) => {
    const from = START + acknowledged;
    const dataArray = paths.flatMap((key) =>
      Array.from({ length: count }, (_, index) => {
        return { key, value: index, timestamp: from + index };
      }),
    );
    const { status, text } = await asked(node, operations.writeReadings, {
      params: { deviceId: device.deviceId },
      body: { dataArray },
    });
    expect(status, text).toBe(200);
    acknowledged += count;
  };
  await report(one, READINGS_PER_VARIABLE);
  await report(one, READINGS_PER_VARIABLE);
  // Started by accident, while the first has readings in its journal.
  const other = await cluster.startLocal(secondDir);
  await report(one, 1);
  await one.stop();
  await report(other, 1);
  await other.stop();
  const [first, second] = await Promise.all([
    cluster.startLocal(firstDir),
    cluster.startNode(secondDir),
  ]);
  await report(first, READINGS_PER_VARIABLE);
  await report(second, READINGS_PER_VARIABLE);
  await cluster.killNode(second);
  await report(first, 1);
  await first.stop();
  const last = await cluster.startLocal(secondDir);
  const { organizationId, key: auth } = followedNode(last);
  const expected = Array.from({ length: acknowledged }, (_, index) => START + index);
  for (const variableId of device.variableIds) {
    const target = { auth, organizationId };
    const stored = await storedReadings(last.url, target, variableId, START + 1_000_000);
    expect(stored.map(({ timestamp }) => timestamp)).toEqual(expected);
  }
}, 120_000);
