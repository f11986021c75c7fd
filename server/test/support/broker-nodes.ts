import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import { connectAsync, type MqttClient } from 'mqtt';
import { expect, onTestFinished } from 'vitest';
import { call } from './call.ts';
import type { Node, Point } from './nodes.ts';

const eventually = { timeout: 60_000, interval: 200 };

/** A client that publishes for Devices at QoS 1, also across losses of its connection. */
export async function openPublisher(url: string): Promise<MqttClient> {
  const client = await connectAsync(url, { reconnectPeriod: 100 });
  client.on('error', () => undefined);
  onTestFinished(() => client.endAsync(true));
  return client;
}

/** Publishes a value of the Variable of a point without a time. Resolves with the broker's acknowledgement. */
export async function publishValue(client: MqttClient, point: Point, value: number) {
  return await client.publishAsync(point.topic, `{"water.flow":${value}}`, { qos: 1 });
}

interface Publishing {
  readonly intervalMs: number;
  readonly onAcknowledged?: (count: number) => void;
}

/** Publishes increasing values until it is over; resolves with how many the broker acknowledged. */
export async function publishUntil(
  client: MqttClient,
  point: Point,
  isOver: () => boolean,
  { intervalMs, onAcknowledged }: Publishing,
): Promise<number> {
  let count = 0;
  while (!isOver()) {
    await publishValue(client, point, count);
    count += 1;
    onAcknowledged?.(count);
    await sleep(intervalMs);
  }
  return count;
}

/** The values in the order in which they were stored first: some may be stored twice. */
async function firstValues(node: Node, point: Point): Promise<number[]> {
  const inAnHour = Date.now() + 3_600_000;
  return [...new Set(await point.valuesAt(node, inAnHour))];
}

/** Resolves when all values up to a number are stored, each first time in its order. */
export async function storedInOrder(node: Node, point: Point, count: number): Promise<void> {
  const all = Array.from({ length: count }, (_, at) => at);
  const missing = async () => {
    const stored = new Set(await firstValues(node, point));
    return all.filter((value) => !stored.has(value));
  };
  await expect.poll(missing, eventually).toEqual([]);
  expect(await firstValues(node, point)).toEqual(all);
}

/** How many sessions at the broker a node has. */
export async function sessionsOf({
  url,
}: Node): Promise<{ connected: number; disconnected: number }> {
  const { text } = await call(url, operations.readMetrics);
  const read = (state: string) =>
    Number(
      new RegExp(`^fieldwatch_broker_sessions{state="${state}"} (\\d+)$`, 'm').exec(text)?.[1],
    );
  return { connected: read('connected'), disconnected: read('disconnected') };
}
