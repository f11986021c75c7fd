import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createKeyring } from '../../src/runtime/index.ts';
import {
  openPublisher,
  publishUntil,
  publishValue,
  sessionsOf,
  storedInOrder,
} from '../support/broker-nodes.ts';
import { createDataDir } from '../support/data-dir.ts';
import { OWN_LOCKS } from '../support/locks.ts';
import { type Mosquitto, requireMosquitto, startMosquitto } from '../support/mosquitto.ts';
import { asked, type Cluster, type Node, type Point, startCluster } from '../support/nodes.ts';
import { cases } from '../support/soak.ts';

const eventually = { timeout: 30_000, interval: 100 };
/** Of each Device. */
const MESSAGES = cases(200, 0.25);
const PACE = { intervalMs: 20 };
const NO_SUBSCRIBER = 0x10;
/** Of an installation whose sessions at the broker are others than those of the cluster. */
const OTHER_SECRET_KEY = 'the secret key of another installation';
let mosquitto: Mosquitto;
/** Nodes that take the messages of the broker. */
let cluster: Cluster;

beforeAll(async () => {
  requireMosquitto();
  mosquitto = await startMosquitto(
    'persistence false\nmax_queued_messages 0\nmax_inflight_messages 200',
  );
  cluster = await startCluster({ FIELDWATCH_MQTT_URL: mosquitto.url });
});

afterAll(async () => {
  await cluster?.stop();
  await mosquitto?.stop();
});

it('two nodes at a broker keep the order of each Device, and neither takes a session from the other', async () => {
  const { newPoint } = cluster;
  const [first, second] = await cluster.nodes(2);
  const client = await openPublisher(mosquitto.url);
  const points: Point[] = [];
  for (const owner of [first, second]) points.push(await newPoint(owner), await newPoint(owner));
  for (const [at, owner] of [first, first, second, second].entries()) {
    const point = points[at] as Point;
    await Promise.all(
      Array.from({ length: MESSAGES }, (_, value) => publishValue(client, point, value)),
    );
    await storedInOrder(owner, point, MESSAGES);
    expect((await point.valuesAt(owner, Date.now() + 3_600_000)).length).toBe(MESSAGES);
  }
  for (const node of [first, second]) {
    const { connected, disconnected } = await sessionsOf(node);
    expect(disconnected).toBe(0);
    expect(connected).toBeGreaterThan(0);
    expect(node.output()).not.toContain('MQTT broker is unavailable');
  }
});

it('a Device can publish as soon as its creation is answered, whichever node acts for it', async () => {
  const { newPoint } = cluster;
  const [first, second] = await cluster.nodes(2);
  const client = await openPublisher(mosquitto.url);
  for (const owner of [first, second, first, second]) {
    const point = await newPoint(owner, first);
    await publishValue(client, point, 0);
    await storedInOrder(owner, point, 1);
  }
});

it('the broker has no subscription for a Device that was deleted', async () => {
  const [node] = await cluster.nodes(2);
  const client = await connectAsync(mosquitto.url, { protocolVersion: 5 });
  const { deviceId, topic } = await cluster.newPoint(node);
  /** The reason code of the broker's acknowledgement. */
  const published = async () => {
    const acknowledgement = new Promise<number>((resolve) => {
      client.once('packetreceive', (packet) =>
        resolve('reasonCode' in packet ? (packet.reasonCode ?? 0) : 0),
      );
    });
    await client.publishAsync(topic, '1', { qos: 1 });
    return acknowledgement;
  };
  expect(await published()).toBe(0);
  const answer = await asked(node, operations.deleteDevice, {
    params: { organizationId: topic.split('/')[1] as string, deviceId },
  });
  expect(answer.status, answer.text).toBe(204);
  await expect.poll(published, eventually).toBe(NO_SUBSCRIBER);
  await client.endAsync();
});

/** Devices publish during an event; nothing is lost, and the order of each Device stays. */
async function publishDuring(
  survivor: Node,
  points: readonly Point[],
  event: () => Promise<void>,
): Promise<void> {
  const client = await openPublisher(mosquitto.url);
  let isOver = false;
  const published = points.map((point) => publishUntil(client, point, () => isOver, PACE));
  await event();
  isOver = true;
  for (const [at, point] of points.entries()) {
    await storedInOrder(survivor, point, (await published[at]) ?? 0);
  }
}

it('the death of an owner strands no message at a broker, and their order stays', async () => {
  const { db, newPoint, ownerOf } = cluster;
  const [survivor, lost] = await cluster.nodes(2, 1);
  const point = await newPoint(lost);
  await publishDuring(survivor, [point], async () => {
    // Messages that are not committed at the death.
    const locking = await db.connect();
    await locking.query('begin; lock table journal in access exclusive mode');
    const waiting = () =>
      db.query(`select ${OWN_LOCKS} and not granted and relation = 'journal'::regclass`);
    await expect.poll(async () => (await waiting()).rowCount, eventually).toBeGreaterThan(0);
    await sleep(100);
    lost.process.child.kill('SIGKILL');
    await locking.query('rollback');
    locking.release();
    await expect.poll(() => ownerOf(point.deviceId), eventually).toBe(survivor.id);
  });
});

it('a node that joins and one that stops lose no message of a broker, and their order stays', async () => {
  const { newPoint, ownerOf } = cluster;
  const [survivor] = await cluster.nodes(1);
  const points = await Promise.all(Array.from({ length: 4 }, () => newPoint(survivor)));
  await publishDuring(survivor, points, async () => {
    const [, second] = await cluster.nodes(2);
    await second.stop();
    // Neither took a session that the other one held.
    for (const { output } of [survivor, second]) {
      expect(output()).not.toContain('MQTT broker is unavailable');
    }
    for (const { deviceId } of points) expect(await ownerOf(deviceId)).toBe(survivor.id);
  });
});

it('a halted owner that wakes takes no session back, and no message of a broker is lost', async () => {
  const { newPoint, ownerOf } = cluster;
  const [survivor, halted] = await cluster.nodes(2, 1);
  const point = await newPoint(halted);
  await publishDuring(survivor, [point], async () => {
    halted.process.child.kill('SIGSTOP');
    await expect.poll(() => ownerOf(point.deviceId), eventually).toBe(survivor.id);
    halted.process.child.kill('SIGCONT');
    await expect.poll(() => halted.output(), eventually).toContain('taken over from this one');
  });
  await cluster.killNode(halted);
  expect(survivor.output()).not.toContain('MQTT broker is unavailable');
});

it('what is left in the session of an earlier version is stored, and that session ends', async () => {
  const cluster = await startCluster({ FIELDWATCH_SECRET_KEY: OTHER_SECRET_KEY });
  onTestFinished(cluster.stop);
  const [earlier] = await cluster.nodes(1);
  const point = await cluster.newPoint(earlier);
  await earlier.stop();
  const key = createKeyring(Buffer.from(OTHER_SECRET_KEY)).derive('mqtt-client');
  const session = await connectAsync(mosquitto.url, {
    clientId: `fieldwatch-${key.toString('hex').slice(0, 16)}`,
    protocolVersion: 5,
    clean: false,
    properties: { sessionExpiryInterval: 3_600 },
  });
  await session.subscribeAsync('fieldwatch/+/+/#', { qos: 1 });
  await session.endAsync();
  const client = await openPublisher(mosquitto.url);
  const publish = (from: number) =>
    Promise.all(Array.from({ length: 100 }, (_, at) => publishValue(client, point, from + at)));
  await publish(0);
  const node = await cluster.startNode(createDataDir(), {
    FIELDWATCH_MQTT_URL: mosquitto.url,
    FIELDWATCH_LOG_LEVEL: 'info',
  });
  await publish(100);
  await storedInOrder(node, point, 200);
  await expect.poll(() => node.output(), eventually).toContain('former session');
});
