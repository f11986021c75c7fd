import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  openPublisher,
  publishUntil,
  publishValue,
  storedInOrder,
} from '../support/broker-nodes.ts';
import { createDataDir } from '../support/data-dir.ts';
import { requireMosquitto, startMosquitto } from '../support/mosquitto.ts';
import { type Node, type Point, startCluster } from '../support/nodes.ts';
import { type RabbitNode, requireRabbitmq, startRabbitmq } from '../support/rabbitmq.ts';

/*
 * Two servers at an external broker. The values of a Device are published in order; each that the
 * broker acknowledged must be stored, and stored for the first time in that order.
 */

const ROUNDS = 20;
const VALUES_PER_ROUND = 100;
const DEATHS = 3;
const QUEUED_VALUES = 500;
const TIMEOUT_MS = 15 * 60_000;
const eventually = { timeout: 60_000, interval: 200 };

interface Broker {
  readonly url: string;
  /** What the broker survives without the loss of a message that it acknowledged. */
  readonly interruptions: Readonly<Record<string, () => Promise<void>>>;
  stop(): Promise<void>;
}

const BROKERS: readonly [string, () => Promise<Broker>][] = [
  [
    'mosquitto',
    async () => {
      requireMosquitto();
      const settings = ['persistence true', 'max_queued_messages 0', 'max_inflight_messages 64'];
      const mosquitto = await startMosquitto(settings.join('\n'));
      return { ...mosquitto, interruptions: { 'orderly restart': mosquitto.restart } };
    },
  ],
  [
    'a RabbitMQ cluster of two nodes',
    async () => {
      requireRabbitmq();
      const { nodes, stop } = await startRabbitmq(2);
      const [first, second] = nodes as [RabbitNode, RabbitNode];
      const killAndStart = async (node: RabbitNode) => {
        await node.kill();
        await node.start();
      };
      const interruptions = {
        'death of the node that is connected to': () => killAndStart(first),
        'death of the other node': () => killAndStart(second),
      };
      return { url: first.url, interruptions, stop };
    },
  ],
];

describe.each(BROKERS)('with %s', (_, start) => {
  let broker: Broker;

  beforeAll(async () => {
    broker = await start();
  }, TIMEOUT_MS);

  afterAll(() => broker?.stop());

  async function startTwo() {
    const cluster = await startCluster();
    onTestFinished(cluster.stop);
    const startNode = () => cluster.startNode(createDataDir(), { FIELDWATCH_MQTT_URL: broker.url });
    const survivor = await startNode();
    const other = await startNode();
    await cluster.balanced(survivor, other);
    return { ...cluster, startNode, survivor, other };
  }

  /** Publishes during an event, and compares what is stored. Resolves with the number of values. */
  async function publishDuring(at: Node, point: Point, event: () => Promise<void>) {
    const client = await openPublisher(broker.url);
    let isOver = false;
    let acknowledged = 0;
    const published = publishUntil(client, point, () => isOver, {
      intervalMs: 5,
      onAcknowledged(count) {
        acknowledged = count;
      },
    });
    await expect.poll(() => acknowledged, eventually).toBeGreaterThan(VALUES_PER_ROUND);
    await event();
    isOver = true;
    const count = await published;
    await storedInOrder(at, point, count);
    await client.endAsync();
    return count;
  }

  it(`${ROUNDS} of ${ROUNDS} bursts are stored in order`, { timeout: TIMEOUT_MS }, async () => {
    const { survivor, other, newPoint } = await startTwo();
    const client = await openPublisher(broker.url);
    for (let round = 0; round < ROUNDS; round += 1) {
      const owner = round % 2 === 0 ? survivor : other;
      const point = await newPoint(owner, survivor);
      await Promise.all(
        Array.from({ length: VALUES_PER_ROUND }, (_, value) => publishValue(client, point, value)),
      );
      await storedInOrder(owner, point, VALUES_PER_ROUND);
    }
  });

  it(`${DEATHS} deaths of an owner strand no message`, { timeout: TIMEOUT_MS }, async () => {
    const { survivor, other, startNode, balanced, newPoint, ownerOf } = await startTwo();
    let lost = other;
    for (let death = 0; death < DEATHS; death += 1) {
      const point = await newPoint(lost);
      const startedAt = performance.now();
      const count = await publishDuring(survivor, point, async () => {
        lost.process.child.kill('SIGKILL');
        await expect.poll(() => ownerOf(point.deviceId), eventually).toBe(survivor.id);
      });
      const seconds = (performance.now() - startedAt) / 1000;
      process.stdout.write(`death ${death + 1}: ${count} values, ${seconds.toFixed(1)} s\n`);
      if (death + 1 < DEATHS) {
        lost = await startNode();
        await balanced(survivor, lost);
      }
    }
  });

  it('what is queued survives the broker', { timeout: TIMEOUT_MS }, async () => {
    const cluster = await startCluster();
    onTestFinished(cluster.stop);
    const startNode = () => cluster.startNode(createDataDir(), { FIELDWATCH_MQTT_URL: broker.url });
    for (const [name, interrupt] of Object.entries(broker.interruptions)) {
      const before = await startNode();
      const point = await cluster.newPoint(before);
      before.process.child.kill('SIGTERM');
      await before.process.ended;
      const client = await openPublisher(broker.url);
      for (let value = 0; value < QUEUED_VALUES; value += 1) {
        await publishValue(client, point, value);
      }
      await interrupt();
      const after = await startNode();
      await storedInOrder(after, point, QUEUED_VALUES);
      process.stdout.write(`${name}: ${QUEUED_VALUES} queued values\n`);
      after.process.child.kill('SIGTERM');
      await after.process.ended;
      await client.endAsync();
    }
  });

  it('an interruption of the broker loses nothing', { timeout: TIMEOUT_MS }, async () => {
    const { survivor, newPoint } = await startTwo();
    for (const [name, interrupt] of Object.entries(broker.interruptions)) {
      const point = await newPoint(survivor);
      const startedAt = performance.now();
      const count = await publishDuring(survivor, point, interrupt);
      const seconds = (performance.now() - startedAt) / 1000;
      process.stdout.write(`${name}: ${count} values, ${seconds.toFixed(1)} s\n`);
    }
  });
});
