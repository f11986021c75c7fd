import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDevice } from '../support/node-clients.ts';
import { asked, type Cluster, type Node, startCluster } from '../support/nodes.ts';

const eventually = { timeout: 30_000, interval: 100 };
const SESSION_TAKEN_OVER = 0x8e;
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ FIELDWATCH_ONLINE_MINUTES: '1' });
});

afterAll(() => cluster?.stop());

/** Whether the Device is online, as a node answers it in the record and in a list. */
async function isOnlineAt(node: Node, deviceId: string): Promise<boolean> {
  const record = await asked(node, operations.retrieveDevice, { params: { deviceId } });
  expect((await onlineAt(node)).has(deviceId)).toBe(record.body.isOnline);
  return record.body.isOnline;
}

/** The Devices that are online, as a node lists them. */
async function onlineAt(node: Node): Promise<Set<string>> {
  const { body } = await asked(node, operations.listDevices, { query: 'take=100' });
  const online = body.items.filter(({ isOnline }: { isOnline: boolean }) => isOnline);
  return new Set(online.map(({ id }: { id: string }) => id));
}

/** What was recorded about the presence of a Device, oldest first. */
async function recorded(node: Node, deviceId: string): Promise<boolean[]> {
  const { body } = await asked(node, operations.retrieveDevice, { params: { deviceId } });
  const stored = await asked(node, operations.listReadings, {
    params: { variableId: body.onlineVariableId },
  });
  return stored.body.items.map(({ value }: { value: boolean }) => value);
}

async function isStoredOnline({ db }: Cluster, deviceId: string): Promise<boolean> {
  const { rows } = await db.query('select is_online from devices where id = $1', [deviceId]);
  return rows[0].is_online;
}

it('a Device that is connected to another node than its own is online at both', async () => {
  const [first, second] = await cluster.nodes(2);
  const point = await cluster.newPoint(second);
  const client = await connectDevice(first, point);
  for (const node of [first, second])
    await expect.poll(() => isOnlineAt(node, point.deviceId), eventually).toBe(true);
  await expect.poll(() => isStoredOnline(cluster, point.deviceId), eventually).toBe(true);
  await client.endAsync();
  for (const node of [first, second])
    await expect.poll(() => isOnlineAt(node, point.deviceId), eventually).toBe(false);
});

it('a client that connects to another node takes its session over, wherever its Device is', async () => {
  const [first, second] = await cluster.nodes(2);
  for (const owner of [first, second]) {
    const point = await cluster.newPoint(owner);
    const older = await connectDevice(first, point, { clientId: 'pump', reconnectPeriod: 0 });
    const reason = new Promise((resolve) =>
      older.once('disconnect', ({ reasonCode }) => resolve(reasonCode)),
    );
    // Of two sessions, the one that the owner hears of last remains.
    await expect.poll(() => isOnlineAt(owner, point.deviceId), eventually).toBe(true);
    const newer = await connectDevice(second, point, { clientId: 'pump', reconnectPeriod: 0 });
    expect(await reason).toBe(SESSION_TAKEN_OVER);
    await expect.poll(() => older.connected, eventually).toBe(false);
    expect(newer.connected).toBe(true);
    expect(await isOnlineAt(owner, point.deviceId)).toBe(true);
  }
});

it('of two sessions of a client that open at the same time exactly one remains', async () => {
  const [first, second] = await cluster.nodes(2);
  const points = await Promise.all(
    [first, second, first, second].map((node) => cluster.newPoint(node)),
  );
  const pairs = await Promise.all(
    points.map((point) =>
      Promise.all(
        [first, second].map((node) =>
          connectDevice(node, point, { clientId: 'pump', reconnectPeriod: 0 }),
        ),
      ),
    ),
  );
  for (const pair of pairs) {
    const open = () => pair.filter(({ connected }) => connected).length;
    await expect.poll(open, eventually).toBe(1);
  }
  await sleep(1_500);
  for (const pair of pairs) expect(pair.filter(({ connected }) => connected)).toHaveLength(1);
});

/**
 * Two Devices whose only session ends with a node, one of them that node's own. Resolves when both
 * have sent a reading and are online, with a function that waits until both are offline and answers
 * how many milliseconds after their readings that was.
 */
async function connectDying(survivor: Node, lost: Node): Promise<() => Promise<number[]>> {
  const points = await Promise.all([survivor, lost].map((owner) => cluster.newPoint(owner)));
  for (const point of points) {
    await connectDevice(lost, point, { reconnectPeriod: 0 });
    expect((await point.report(lost, 1)).status).toBe(200);
  }
  const readAt = performance.now();
  for (const { deviceId } of points)
    await expect.poll(() => isOnlineAt(survivor, deviceId), eventually).toBe(true);
  // Last-seen times are written every two seconds.
  await sleep(3_000);
  const isOffline = { timeout: 90_000, interval: 200 };
  return () =>
    Promise.all(
      points.map(async ({ deviceId }) => {
        await expect.poll(() => isStoredOnline(cluster, deviceId), isOffline).toBe(false);
        return performance.now() - readAt;
      }),
    );
}

/** Both in one test: they wait for the same kill. */
it('a node that stops, is killed, or starts reports no Device offline that is connected or comes back, and others at the end of their window', async () => {
  const nodes = await cluster.nodes(3, 1);
  const [stays, restarted, killed] = nodes;
  const devices = await Promise.all(
    nodes.flatMap((owner) =>
      nodes.map(async (node) => {
        const point = await cluster.newPoint(owner);
        // They come back when the loss of their node has been noticed.
        await connectDevice(node, point, { fallback: stays, reconnectPeriod: 15_000 });
        return point;
      }),
    ),
  );
  const allOnline = async (node: Node) => {
    const online = await onlineAt(node);
    return devices.every(({ deviceId }) => online.has(deviceId));
  };
  for (const node of nodes) await expect.poll(() => allOnline(node), eventually).toBe(true);
  const ownerOf = (index: number) => nodes[Math.floor(index / nodes.length)] as Node;
  for (const [index, { deviceId }] of devices.entries())
    await expect.poll(() => recorded(ownerOf(index), deviceId), eventually).toEqual([true]);
  const awaitOffline = await connectDying(stays, killed);
  await restarted.stop();
  killed.process.child.kill('SIGKILL');
  const offlineAfter = awaitOffline();
  // A failure is reported where it is awaited, at the end.
  offlineAfter.catch(() => undefined);
  const started = await cluster.startLocal(restarted.dataDir);
  await cluster.balanced(stays, started);
  // Longer than a Device has to come back.
  for (const end = performance.now() + 35_000; performance.now() < end; await sleep(2_000)) {
    for (const node of [stays, started]) expect(await allOnline(node)).toBe(true);
  }
  for (const { deviceId } of devices) {
    const values = [];
    for (const node of [stays, started])
      if ((await cluster.ownerOf(deviceId)) === node.id)
        values.push(await recorded(node, deviceId));
    expect(values).toEqual([[true]]);
  }
  for (const ms of await offlineAfter) {
    expect(ms).toBeGreaterThan(55_000);
    expect(ms).toBeLessThan(65_000);
  }
}, 240_000);
