import { operations } from '@fieldwatch/contract';
import type { IPublishPacket, MqttClient, Packet } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Credentials, closing, mqttCalls, packet, VERSIONS } from '../support/mqtt.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let calls: ReturnType<typeof mqttCalls>;
let device: Credentials;

beforeAll(async () => {
  server = await startServer({ environment: { hasMqttThread: true } });
  calls = mqttCalls(server);
});

afterAll(async () => {
  await calls.endAll();
  await server.stop();
});

async function undelivered(reason: string): Promise<number> {
  const { text } = await server.call(operations.readMetrics);
  const line = new RegExp(`^fieldwatch_mqtt_undelivered_total{reason="${reason}"} (\\d+)$`, 'm');
  return Number(line.exec(text)?.[1] ?? 0);
}

function messagesOf(client: MqttClient): IPublishPacket[] {
  const messages: IPublishPacket[] = [];
  client.on('message', (_topic, _payload, message) => messages.push(message));
  return messages;
}

const textOf = ({ payload }: IPublishPacket) => payload.toString();
const upTo = (count: number) => Array.from({ length: count }, (_, index) => String(index));

/** Publishes 0, 1, 2 and so on, at QoS 1. */
async function publishMany(count: number, from = 0): Promise<void> {
  const publisher = await calls.signIn(device, { clientId: 'publisher' });
  const numbers = upTo(count).map((text) => String(Number(text) + from));
  await Promise.all(
    numbers.map((text) => publisher.publishAsync(`${device.topic}/n`, text, { qos: 1 })),
  );
  await publisher.endAsync();
}

describe.each(VERSIONS)('a subscriber of version %i', (protocolVersion) => {
  beforeAll(async () => {
    device = await calls.newDevice();
  });

  it.each([1, 2] as const)('gets every message of a burst at QoS %i, in order', async (qos) => {
    const client = await calls.signIn(device, { protocolVersion });
    const messages = messagesOf(client);
    const [granted] = await client.subscribeAsync(`${device.topic}/#`, { qos });
    expect(granted?.qos).toBe(qos);
    await publishMany(1_000);
    await expect.poll(() => messages.length).toBe(1_000);
    expect(messages.map(textOf)).toEqual(upTo(1_000));
    expect(new Set(messages.map((message) => message.qos))).toEqual(new Set([1]));
    await client.endAsync();
  });

  it('gets a QoS 2 message once, by the four packets of QoS 2', async () => {
    const client = await calls.signIn(device, { protocolVersion });
    const messages = messagesOf(client);
    const received: string[] = [];
    client.on('packetreceive', (each: Packet) => received.push(each.cmd));
    await client.subscribeAsync(`${device.topic}/#`, { qos: 2 });
    await client.publishAsync(`${device.topic}/twice`, '2', { qos: 2 });
    await expect.poll(() => received.filter((cmd) => cmd === 'pubrel')).toHaveLength(1);
    expect(messages.map(({ qos }) => qos)).toEqual([2]);
    await client.endAsync();
  });

  it('that never acknowledges gets 100, has 1 000 queued, and the rest is dropped and counted', async () => {
    const raw = await calls.raw();
    const { username, password, topic } = device;
    const text = (value: string) =>
      Buffer.concat([Buffer.from([0, value.length]), Buffer.from(value)]);
    const none = protocolVersion === 5 ? [Buffer.from([0])] : [];
    const head = [text('MQTT'), Buffer.from([protocolVersion, 0xc2, 0, 0]), ...none];
    raw.send(packet(0x10, ...head, text('raw'), text(username), text(password)));
    await raw.answer();
    raw.send(packet(0x82, Buffer.from([0, 1]), ...none, text(`${topic}/#`), Buffer.from([1])));
    await raw.answer();
    const before = await undelivered('queueFull');
    await publishMany(1_100);
    expect(await undelivered('queueFull')).toBe(before);
    await publishMany(3);
    expect(await undelivered('queueFull')).toBe(before + 3);
    raw.socket.destroy();
  });
});

describe('a subscriber of version 5', () => {
  const options = { protocolVersion: 5 } as const;

  beforeAll(async () => {
    device = await calls.newDevice();
  });

  it('with Receive Maximum 1 gets one message at a time, and all of them', async () => {
    const client = await calls.signIn(device, { ...options, properties: { receiveMaximum: 1 } });
    const numbers: string[] = [];
    let unacknowledged = 0;
    let most = 0;
    client.handleMessage = ({ payload }, done) => {
      unacknowledged += 1;
      most = Math.max(most, unacknowledged);
      numbers.push(payload.toString());
      setImmediate(() => {
        unacknowledged -= 1;
        done();
      });
    };
    await client.subscribeAsync(`${device.topic}/#`, { qos: 1 });
    await publishMany(50);
    await expect.poll(() => numbers.length).toBe(50);
    expect([numbers, most]).toEqual([upTo(50), 1]);
    await client.endAsync();
  });

  it('gets the properties of a message, with the remaining time as expiry', async () => {
    const client = await calls.signIn(device, options);
    const messages = messagesOf(client);
    await client.subscribeAsync(`${device.topic}/#`, {
      qos: 1,
      properties: { subscriptionIdentifier: 300 },
    });
    const properties = {
      payloadFormatIndicator: true,
      contentType: 'text/plain',
      responseTopic: 'answers/here',
      correlationData: Buffer.from('7'),
      userProperties: { b: ['1', '2'], a: '3' },
    };
    await client.publishAsync(`${device.topic}/p`, '1', {
      qos: 1,
      properties: { ...properties, messageExpiryInterval: 100, topicAlias: 3 },
    });
    await expect.poll(() => messages.length).toBe(1);
    const { messageExpiryInterval = 0, ...got } = messages[0]?.properties ?? {};
    expect(got).toEqual({ ...properties, subscriptionIdentifier: 300 });
    expect(messageExpiryInterval).toBeGreaterThan(90);
    expect(messageExpiryInterval).toBeLessThanOrEqual(100);
    await client.endAsync();
  });

  it('does not get a message that expired while it waited', async () => {
    const client = await calls.signIn(device, { ...options, properties: { receiveMaximum: 1 } });
    const numbers: string[] = [];
    const acknowledge: (() => void)[] = [];
    client.handleMessage = ({ payload }, done) => {
      numbers.push(payload.toString());
      acknowledge.push(done);
    };
    await client.subscribeAsync(`${device.topic}/#`, { qos: 1 });
    const publisher = await calls.signIn(device, options);
    const publish = (text: string, messageExpiryInterval: number) =>
      publisher.publishAsync(`${device.topic}/n`, text, {
        qos: 1,
        properties: { messageExpiryInterval },
      });
    await publish('0', 100);
    await publish('1', 10);
    await publish('2', 100_000);
    await expect.poll(() => numbers).toEqual(['0']);
    const before = await undelivered('expired');
    server.clock.advance(10_000);
    acknowledge[0]?.();
    await expect.poll(() => numbers).toEqual(['0', '2']);
    expect(await undelivered('expired')).toBe(before + 1);
  });

  it('is sent no packet larger than its Maximum Packet Size', async () => {
    const client = await calls.signIn(device, {
      ...options,
      properties: { maximumPacketSize: 200 },
    });
    const sizes: number[] = [];
    client.stream.on('data', (chunk: Buffer) => sizes.push(chunk.length));
    const messages = messagesOf(client);
    await client.subscribeAsync(`${device.topic}/#`, { qos: 1 });
    const fits = 200 - 3 - 2 - `${device.topic}/n`.length - 2 - 1;
    const before = await undelivered('packetTooLarge');
    const publisher = await calls.signIn(device, options);
    for (const size of [fits - 1, fits, fits + 1]) {
      await publisher.publishAsync(`${device.topic}/n`, `"${'x'.repeat(size - 2)}"`, { qos: 1 });
    }
    await expect.poll(() => messages.length).toBe(2);
    expect(await undelivered('packetTooLarge')).toBe(before + 1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
    await client.endAsync();
  });

  it('is refused with a code alone when the reason string does not fit', async () => {
    const acknowledgements: Packet[] = [];
    const client = await calls.signIn(device, {
      ...options,
      properties: { maximumPacketSize: 40 },
    });
    client.on('packetreceive', (each: Packet) => acknowledgements.push(each));
    const refused = client.publishAsync('elsewhere', '1', { qos: 1 });
    await expect(refused).rejects.toMatchObject({ code: 0x87 });
    expect(acknowledgements).toMatchObject([{ cmd: 'puback', reasonCode: 0x87 }]);
    expect(acknowledgements[0]?.length).toBeLessThanOrEqual(38);
    await client.endAsync();
  });

  it('is refused with 0x95 when its maximum is smaller than the CONNACK', async () => {
    const tiny = { ...options, properties: { maximumPacketSize: 10 } };
    await expect(calls.signIn(device, tiny)).rejects.toMatchObject({ code: 0x95 });
  });

  it('receives the unsupported features in the CONNACK', async () => {
    const client = calls.start(device, options);
    const connack = await new Promise<Packet>((resolve) => client.once('connect', resolve));
    expect(connack).toMatchObject({
      properties: {
        retainAvailable: false,
        sharedSubscriptionAvailable: false,
        maximumPacketSize: 262_144,
        topicAliasMaximum: 16,
      },
    });
    for (const absent of ['maximumQoS', 'receiveMaximum', 'wildcardSubscriptionAvailable']) {
      expect(connack).not.toHaveProperty(`properties.${absent}`);
    }
    await client.endAsync();
  });

  it.each([
    ['a shared subscription', `$share/x/a`, 0x9e],
    ['a topic of another', 'a/b', 0x87],
  ])('is refused %s in the SUBACK', async (_, filter, code) => {
    const client = await calls.signIn(device, options);
    await expect(client.subscribeAsync(filter)).rejects.toMatchObject({
      packet: { granted: [code] },
    });
    expect(client.connected).toBe(true);
    await client.endAsync();
  });

  it('cannot extend a session that ends with its connection', async () => {
    const client = await calls.signIn(device, options);
    const closed = closing(client);
    client.stream.write(Buffer.from('e00700051100000005', 'hex'));
    expect(await closed).toBe(0x82);
  });
});
