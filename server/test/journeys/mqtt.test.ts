import { once } from 'node:events';
import { get } from 'node:http';
import { operations } from '@fieldwatch/contract';
import type { MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodedError, type Credentials, mqttCalls, VERSIONS } from '../support/mqtt.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let calls: ReturnType<typeof mqttCalls>;

beforeAll(async () => {
  server = await startServer({ environment: { hasMqttThread: true } });
  calls = mqttCalls(server);
});

afterAll(async () => {
  await calls.endAll();
  await server.stop();
});

/** The reason code of a message, or of its acknowledgement. */
async function refusal(publish: Promise<unknown>): Promise<number | undefined> {
  try {
    await publish;
    return undefined;
  } catch (error) {
    return (error as CodedError).code;
  }
}

const ways = VERSIONS.flatMap((version) =>
  (['TCP', 'WebSocket'] as const).map((carrier) => ({ version, carrier })),
);

describe.each(ways)('a Device with MQTT version $version over $carrier', (way) => {
  let device: Credentials;
  let client: MqttClient;

  beforeAll(async () => {
    device = await calls.newDevice();
    const url = way.carrier === 'TCP' ? server.mqttUrl : calls.webSocketUrl;
    client = await calls.signIn(device, { protocolVersion: way.version }, url);
  });

  it.each([1, 2] as const)('has its reading stored once QoS %i is acknowledged', async (qos) => {
    const variable = await calls.newVariable(device.username, `engine/rpm${qos}`);
    for (const value of [1800.5, 1801]) {
      await client.publishAsync(`${device.topic}/engine/rpm${qos}`, String(value), { qos });
      expect(await calls.latest(variable)).toBe(value);
    }
  });

  it('has its readings stored at QoS 0', async () => {
    const variable = await calls.newVariable(device.username, 'plain.volts');
    await client.publishAsync(device.topic, '{"plain":{"volts":230}}', { qos: 0 });
    await expect.poll(() => calls.latest(variable)).toBe(230);
  });

  it('has a retained message stored as a reading and not retained', async () => {
    const variable = await calls.newVariable(device.username, 'kept/value');
    await client.publishAsync(`${device.topic}/kept/value`, '7', { qos: 1, retain: true });
    expect(await calls.latest(variable)).toBe(7);
    const reader = await calls.signIn(device, { protocolVersion: way.version });
    const received: string[] = [];
    reader.on('message', (topic, payload) => received.push(`${topic} ${payload}`));
    await reader.subscribeAsync(`${device.topic}/#`);
    await reader.publishAsync(`${device.topic}/end`, '1', { qos: 1 });
    await expect.poll(() => received).toEqual([`${device.topic}/end 1`]);
    await reader.endAsync();
  });

  it('subscribes to topics below its own, and to nothing else', async () => {
    const neighbour = await calls.newDevice();
    const code = way.version === 5 ? 0x87 : 0x80;
    for (const filter of ['#', '$SYS/#', 'fieldwatch/#', `${neighbour.topic}/#`]) {
      const packet = await new Promise<number>((resolve) => {
        client.once('packetreceive', (received) =>
          resolve('granted' in received ? Number([received.granted].flat()[0]) : -1),
        );
        client.subscribe(filter, () => undefined);
      });
      expect(packet, filter).toBe(code);
    }
    const received: string[] = [];
    client.on('message', (topic, payload) => received.push(`${topic} ${payload}`));
    await client.subscribeAsync(`${device.topic}/#`, { qos: 1 });
    const other = await calls.signIn(neighbour);
    await other.publishAsync(`${neighbour.topic}/x`, '1', { qos: 1 });
    await client.publishAsync(`${device.topic}/x`, '2', { qos: 1 });
    await expect.poll(() => received).toEqual([`${device.topic}/x 2`]);
  });

  it('is refused on other topics, and stays connected', async () => {
    const neighbour = await calls.newDevice();
    const variable = await calls.newVariable(neighbour.username, 'rpm/x');
    const expected = way.version === 5 ? 0x87 : undefined;
    const elsewhere = [
      `${neighbour.topic}/rpm/x`,
      `fieldwatch/${server.organizationId}`,
      `${device.topic}x/rpm`,
      '$SYS/x',
      'other',
      `${device.topic}/${'x'.repeat(2_048)}`,
      `${device.topic}${'/x'.repeat(80)}`,
    ];
    for (const topic of elsewhere) {
      expect(await refusal(client.publishAsync(topic, '1', { qos: 1 })), topic).toBe(expected);
      expect(await refusal(client.publishAsync(topic, '1', { qos: 2 })), topic).toBe(expected);
      await client.publishAsync(topic, '1', { qos: 0 });
    }
    const unreadable = way.version === 5 ? 0x99 : undefined;
    for (const payload of ['no JSON', '', '[1]', '5']) {
      const published = client.publishAsync(device.topic, payload, { qos: 1 });
      expect(await refusal(published), payload).toBe(unreadable);
    }
    expect(client.connected).toBe(true);
    expect(await calls.latest(variable)).toBeUndefined();
  });

  it('publishes for its child Devices', async () => {
    const child = await calls.newDevice({ parentDeviceId: device.username });
    const variable = await calls.newVariable(child.username, 'level');
    await client.publishAsync(child.topic, '{"level":5}', { qos: 1 });
    expect(await calls.latest(variable)).toBe(5);
    await server.call(operations.updateDevice, {
      params: { deviceId: child.username },
      body: { type: 'CUSTOM_DEVICE', parentDeviceId: null },
    });
    await refusal(client.publishAsync(child.topic, '{"level":6}', { qos: 1 }));
    expect(await calls.latest(variable)).toBe(5);
  });

  it('gets its acknowledgements in the order of its messages, refused ones among them', async () => {
    await calls.newVariable(device.username, 'order');
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const topic = index % 3 === 0 ? 'elsewhere' : device.topic;
        await refusal(client.publishAsync(topic, `{"order":${index}}`, { qos: 1 }));
        order.push(index);
      }),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it('has its Will stored as a reading when the connection breaks, and not after a DISCONNECT', async () => {
    const variable = await calls.newVariable(device.username, 'power.isLost', 'BOOLEAN');
    const will = (isLost: boolean) => ({
      topic: device.topic,
      payload: Buffer.from(`{"power":{"isLost":${isLost}}}`),
      qos: 1 as const,
      retain: true,
    });
    const options = { protocolVersion: way.version };
    const leaving = await calls.signIn(device, { ...options, will: will(false) });
    await leaving.endAsync();
    const breaking = await calls.signIn(device, { ...options, will: will(true) });
    breaking.stream.destroy();
    await expect.poll(() => calls.latest(variable)).toBe(true);
  });

  it('gets a session that ends with the connection', async () => {
    const options = { protocolVersion: way.version, clientId: 'again', clean: false } as const;
    const properties = way.version === 5 ? { properties: { sessionExpiryInterval: 3_600 } } : {};
    for (let round = 0; round < 2; round += 1) {
      const again = await calls.signIn(device, { ...options, ...properties });
      expect(again.connected).toBe(true);
      await again.subscribeAsync(`${device.topic}/#`);
      await again.endAsync();
    }
  });
});

describe('MQTT beside HTTP', () => {
  it('ignores the offer of HTTP/2 in requests', async () => {
    const request = get(`${server.url}/healthz`, {
      headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AA' },
    });
    const [reply] = await once(request, 'response');
    expect(reply.statusCode).toBe(200);
    reply.resume();
  });

  it('counts refused requests of clients', async () => {
    const device = await calls.newDevice();
    const count = async (what: string) => {
      const { text } = await server.call(operations.readMetrics);
      const line = new RegExp(`^fieldwatch_mqtt_refused_total{what="${what}"} (\\d+)$`, 'm');
      return Number(line.exec(text)?.[1]);
    };
    const before = await Promise.all(['message', 'signIn', 'subscription'].map(count));
    await calls.signIn({ ...device, password: 'wrong' }).catch(() => undefined);
    const client = await calls.signIn(device);
    await client.publishAsync('elsewhere', '1', { qos: 1 });
    await client.subscribeAsync('#').catch(() => undefined);
    const after = await Promise.all(['message', 'signIn', 'subscription'].map(count));
    expect(after).toEqual(before.map((value) => value + 1));
  });

  it('shows a Device with a session as online until it disconnects', async () => {
    const device = await calls.newDevice();
    const isOnline = async () => {
      const params = { deviceId: device.username };
      return (await server.call(operations.retrieveDevice, { params })).body.isOnline;
    };
    expect(await isOnline()).toBe(false);
    const client = await calls.signIn(device);
    expect(await isOnline()).toBe(true);
    server.clock.advance(3_600_000);
    expect(await isOnline()).toBe(true);
    await client.endAsync();
    await expect.poll(isOnline).toBe(false);
  });
});
