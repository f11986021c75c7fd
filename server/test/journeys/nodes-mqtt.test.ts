import { operations } from '@fieldwatch/contract';
import type { IPublishPacket, MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDevice, connectKey } from '../support/node-clients.ts';
import { ALARM_EVENTS, asked, type Cluster, type Node, startCluster } from '../support/nodes.ts';

const eventually = { timeout: 20_000, interval: 20 };
let cluster: Cluster;
let first: Node;
let second: Node;

beforeAll(async () => {
  cluster = await startCluster();
  [first, second] = await cluster.nodes(2);
});

afterAll(() => cluster?.stop());

function messagesOf(client: MqttClient): IPublishPacket[] {
  const messages: IPublishPacket[] = [];
  client.on('message', (_topic, _payload, message) => messages.push(message));
  return messages;
}

const textOf = ({ payload }: IPublishPacket) => payload.toString();
const upTo = (count: number) => Array.from({ length: count }, (_, index) => String(index));

describe('a subscriber at another node than the publisher', () => {
  it.each([
    ['acts for the Device', () => first],
    ['does not act for the Device', () => second],
  ] as const)('gets every message in order when its node %s', async (_name, ownerOf) => {
    const point = await cluster.newPoint(ownerOf());
    const subscriber = await connectDevice(first, point);
    const beside = await connectDevice(second, point);
    const [messages, messagesBeside] = [messagesOf(subscriber), messagesOf(beside)];
    await subscriber.subscribeAsync(`${point.topic}/#`, { qos: 1 });
    await beside.subscribeAsync(`${point.topic}/#`, { qos: 1 });
    const publisher = await connectDevice(second, point);
    const published = upTo(300).map((text) =>
      publisher.publishAsync(`${point.topic}/n`, text, { qos: 1 }),
    );
    await Promise.all(published);
    await expect.poll(() => messages.length, eventually).toBe(300);
    expect(messages.map(textOf)).toEqual(upTo(300));
    expect(messages[0]).toMatchObject({ topic: `${point.topic}/n`, qos: 1 });
    await expect.poll(() => messagesBeside.map(textOf), eventually).toEqual(upTo(300));
  });

  it('gets the first message after its SUBACK, and none after its UNSUBACK', async () => {
    const point = await cluster.newPoint(second);
    const subscriber = await connectDevice(first, point);
    const publisher = await connectDevice(second, point);
    const messages = messagesOf(subscriber);
    for (let round = 0; round < 5; round += 1) {
      await subscriber.subscribeAsync(`${point.topic}/#`, { qos: 0 });
      await publisher.publishAsync(`${point.topic}/n`, `${round}`, { qos: 0 });
      await expect.poll(() => messages.length, eventually).toBe(round + 1);
      await subscriber.unsubscribeAsync(`${point.topic}/#`);
      await publisher.publishAsync(`${point.topic}/n`, '-1', { qos: 1 });
    }
    expect(messages.map(textOf)).toEqual(upTo(5));
    expect(new Set(messages.map(({ qos }) => qos))).toEqual(new Set([0]));
  });

  it('gets the properties of a message and the Will of a client', async () => {
    const point = await cluster.newPoint(second);
    const subscriber = await connectDevice(first, point);
    const messages = messagesOf(subscriber);
    await subscriber.subscribeAsync(`${point.topic}/#`, {
      qos: 2,
      properties: { subscriptionIdentifier: 7 },
    });
    const publisher = await connectDevice(second, point, {
      will: { topic: `${point.topic}/gone`, payload: Buffer.from('1'), qos: 1, retain: false },
      reconnectPeriod: 0,
    });
    await publisher.publishAsync(`${point.topic}/p`, '1', {
      qos: 2,
      properties: { contentType: 'text/plain', messageExpiryInterval: 100 },
    });
    publisher.stream.destroy();
    await expect.poll(() => messages.length, eventually).toBe(2);
    const [message, will] = messages;
    expect(message).toMatchObject({
      qos: 2,
      properties: { contentType: 'text/plain', subscriptionIdentifier: 7 },
    });
    const left = message?.properties?.messageExpiryInterval ?? 0;
    expect(left).toBeGreaterThan(60);
    expect(left).toBeLessThanOrEqual(100);
    expect(will?.topic).toBe(`${point.topic}/gone`);
  });
});

it('an alarm event reaches the MQTT subscribers of every node once', async () => {
  const point = await cluster.newPoint(second);
  const subscribers = await Promise.all([first, second].map((node) => connectKey(node)));
  const received = subscribers.map(messagesOf);
  for (const client of subscribers) await client.subscribeAsync(ALARM_EVENTS.topic, { qos: 1 });
  const alarm = await asked(first, operations.createAlarm, {
    body: {
      name: 'Too high',
      isActive: true,
      alarmGroupId: null,
      deviceId: point.deviceId,
      deviceVariableId: point.variableId,
      operator: 'GREATER_THAN',
      thresholdValueNumber: 100,
    },
  });
  expect(alarm.status, alarm.text).toBe(201);
  for (const index of [200, 201]) await point.report(first, index);
  const raised = (messages: readonly IPublishPacket[]) =>
    messages.map((each) => JSON.parse(textOf(each))).filter(({ change }) => change === 'RAISED');
  for (const messages of received)
    await expect.poll(() => raised(messages).length, eventually).toBe(1);
  const ids = received.map((messages) => raised(messages)[0].id);
  expect(new Set(ids).size).toBe(1);
});
