import { operations } from '@fieldwatch/contract';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Mosquitto, requireMosquitto, run, startMosquitto } from '../support/mosquitto.ts';
import { type Credentials, mqttCalls } from '../support/mqtt.ts';
import { startServer, type TestServer } from '../support/server.ts';

beforeAll(requireMosquitto);

describe.each(['mqttv311', 'mqttv5'])('the clients of mosquitto with %s', (version) => {
  let server: TestServer;
  let calls: ReturnType<typeof mqttCalls>;
  let device: Credentials;

  beforeAll(async () => {
    server = await startServer();
    calls = mqttCalls(server);
    device = await calls.newDevice();
  });

  afterAll(() => server.stop());

  const options = (topic: string, password = device.password) => [
    ...['-h', '127.0.0.1', '-p', String(server.mqttPort), '-V', version],
    ...['-u', device.username, '-P', password, '-t', topic],
  ];

  it.each([1, 2])('publish at QoS %i and have the reading stored', async (qos) => {
    const variable = await calls.newVariable(device.username, `engine/hours${qos}`);
    const topic = `${device.topic}/engine/hours${qos}`;
    expect(await run('mosquitto_pub', [...options(topic), '-q', `${qos}`, '-m', '12.5'])).toEqual({
      code: 0,
      output: '',
    });
    expect(await calls.latest(variable)).toBe(12.5);
  });

  it('publish at QoS 0', async () => {
    const variable = await calls.newVariable(device.username, 'fuel.level');
    await run('mosquitto_pub', [...options(device.topic), '-m', '{"fuel":{"level":80}}']);
    await expect.poll(() => calls.latest(variable)).toBe(80);
  });

  it('publish many messages, each acknowledged', async () => {
    const variable = await calls.newVariable(device.username, 'count');
    const lines = Array.from({ length: 500 }, (_, index) => `{"count":${index}}\n`).join('');
    const { code } = await run('mosquitto_pub', [...options(device.topic), '-q', '1', '-l'], lines);
    expect(code).toBe(0);
    expect(await calls.latest(variable)).toBe(499);
  });

  it('receive the reason of a refused sign-in', async () => {
    const { code, output } = await run('mosquitto_pub', [
      ...options(device.topic, 'wrong'),
      ...['-m', '1'],
    ]);
    expect(code).not.toBe(0);
    expect(output).toMatch(/bad user ?name or password/i);
  });

  it('subscribe to topics below that of their Device, and to nothing else', async () => {
    const client = await connectAsync(server.mqttUrl, { ...device, reconnectPeriod: 0 });
    const reader = run('mosquitto_sub', [...options(`${device.topic}/#`), '-C', '1', '-W', '20']);
    let isRead = false;
    void reader.then(() => {
      isRead = true;
    });
    await expect
      .poll(async () => {
        await client.publishAsync(`${device.topic}/x`, '42', { qos: 1 });
        return isRead;
      })
      .toBe(true);
    expect(await reader).toEqual({ code: 0, output: '42\n' });
    await client.endAsync();
    const refused = await run('mosquitto_sub', [...options('#'), '-C', '1', '-W', '5']);
    expect(refused.output).toMatch(/denied|not authorized/i);
  });
});

describe('an external mosquitto broker', () => {
  let mosquitto: Mosquitto;
  let server: TestServer;
  let calls: ReturnType<typeof mqttCalls>;

  beforeAll(async () => {
    mosquitto = await startMosquitto();
    server = await startServer({ env: { FIELDWATCH_MQTT_URL: mosquitto.url } });
    calls = mqttCalls(server);
  });

  afterAll(async () => {
    await server.stop();
    await mosquitto.stop();
  });

  it('delivers messages of Devices at every QoS', async () => {
    const device = await calls.newDevice();
    const variable = await calls.newVariable(device.username, 'rpm/a');
    for (const qos of ['0', '1', '2']) {
      const topic = `${device.topic}/rpm/a`;
      const at = ['-h', '127.0.0.1', '-p', String(mosquitto.port), '-t', topic, '-q', qos];
      // The subscription may come a moment after the start of the server.
      await expect
        .poll(async () => {
          await run('mosquitto_pub', [...at, '-m', `10${qos}`]);
          return calls.latest(variable);
        })
        .toBe(100 + Number(qos));
    }
  });

  it('preserves the order of the messages of a Device', async () => {
    const device = await calls.newDevice();
    const variable = await calls.newVariable(device.username, 'order');
    const client = await connectAsync(mosquitto.url);
    const start = server.clock.now();
    const publish = (value: number) =>
      client.publishAsync(device.topic, `{"order":${value}}`, { qos: 1 });
    for (let round = 0; round < 20; round += 1) {
      // The clock of the server stands still: of readings at one time the last one stays.
      server.clock.advance(1);
      await Promise.all(Array.from({ length: 40 }, (_, at) => publish(40 * round + at)));
      await expect.poll(() => calls.latest(variable), { interval: 5 }).toBe(40 * round + 39);
    }
    const { body } = await server.call(operations.listReadings, {
      params: { variableId: variable },
      query: `startTime=${start}&endTime=${server.clock.now() + 60_000}`,
    });
    const values = body.items.map(({ value }: { value: number }) => value);
    expect(values).toEqual(values.toSorted((a: number, b: number) => a - b));
    await client.endAsync();
  });

  it('has its refused messages counted', async () => {
    const device = await calls.newDevice();
    const client = await connectAsync(mosquitto.url);
    const count = async () => {
      const { text } = await server.call(operations.readMetrics);
      return Number(/^fieldwatch_mqtt_refused_total{what="message"} (\d+)$/m.exec(text)?.[1]);
    };
    const before = await count();
    await client.publishAsync(device.topic, Buffer.alloc(256 * 1024 + 1), { qos: 1 });
    await expect.poll(count).toBe(before + 1);
    await client.endAsync();
  });

  it('has messages of no Device acknowledged, and others stored', async () => {
    const device = await calls.newDevice();
    const variable = await calls.newVariable(device.username, 'after');
    const client = await connectAsync(mosquitto.url);
    const nobody = '018f0000-0000-7000-8000-000000000001';
    const elsewhere = [
      `fieldwatch/${server.organizationId}/${nobody}`,
      `fieldwatch/${nobody}/${device.username}`,
      'fieldwatch/x/y/z',
    ];
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        client.publishAsync(elsewhere[index % 3] ?? '', '{"after":1}', { qos: 1 }),
      ),
    );
    await client.publishAsync(device.topic, '{"after":2}', { qos: 1 });
    await expect.poll(() => calls.latest(variable)).toBe(2);
    await client.endAsync();
  });

  it('replaces the MQTT port of the server', () => {
    expect(server.mqttPort).toBe(0);
  });
});
