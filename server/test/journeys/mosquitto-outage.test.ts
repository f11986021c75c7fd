import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import { connectAsync, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsIn } from '../support/database.ts';
import { type Mosquitto, requireMosquitto, startMosquitto } from '../support/mosquitto.ts';
import { mqttCalls } from '../support/mqtt.ts';
import { startServer, type TestServer } from '../support/server.ts';

const READ_ONLY_MS = 3_000;
const MESSAGE_INTERVAL_MS = 10;
let mosquitto: Mosquitto;
let server: TestServer;
let calls: ReturnType<typeof mqttCalls>;
let client: MqttClient;

beforeAll(async () => {
  requireMosquitto();
  mosquitto = await startMosquitto();
  server = await startServer({ env: { FIELDWATCH_MQTT_URL: mosquitto.url } });
  calls = mqttCalls(server);
  client = await connectAsync(mosquitto.url);
});

afterAll(async () => {
  await client.endAsync();
  await server.stop();
  await mosquitto.stop();
});

const database = () => new URL(server.databaseUrl).pathname.slice(1);

async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const writable = new URL(server.databaseUrl);
  writable.searchParams.set('options', '-c default_transaction_read_only=off');
  const sql = `alter database ${database()} set default_transaction_read_only = ${value}`;
  await rowsIn(writable.href, sql);
  await rowsIn(
    writable.href,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
}

/** A Device whose messages reach the server: the subscription may come a moment after its start. */
async function newReporter(path: string) {
  const device = await calls.newDevice();
  const variableId = await calls.newVariable(device.username, path);
  await expect
    .poll(
      async () => {
        await client.publishAsync(device.topic, JSON.stringify({ [path]: -1 }), { qos: 1 });
        return calls.latest(variableId);
      },
      { timeout: 20_000 },
    )
    .toBe(-1);
  return { device, variableId };
}

it('storage that is read-only for 3 seconds loses no message of an external broker', async () => {
  const { device, variableId } = await newReporter('count');
  const start = server.clock.now() - 3_600_000;
  let sent = 0;
  const publish = () => {
    const data = { timestamp: start + sent, data: { count: sent } };
    sent += 1;
    return client.publishAsync(device.topic, JSON.stringify(data), { qos: 1 });
  };
  const publishFor = async (ms: number) => {
    for (const until = performance.now() + ms; performance.now() < until; ) {
      await publish();
      await sleep(MESSAGE_INTERVAL_MS);
    }
  };
  await publishFor(300);
  await setReadOnly('on');
  await publishFor(READ_ONLY_MS);
  await setReadOnly('off');
  await publishFor(300);
  const stored = async () => {
    const { body } = await server.call(operations.listReadings, {
      params: { variableId },
      query: `startTime=${start}&endTime=${start + sent - 1}&take=50000`,
    });
    return body.items?.map(({ value }: { value: number }) => value);
  };
  await expect
    .poll(stored, { timeout: 40_000, interval: 200 })
    .toEqual(Array.from({ length: sent }, (_, index) => index));
});

it('a malformed message of an external broker is a dead letter of its Device', async () => {
  const { device, variableId } = await newReporter('after');
  const list = async () => {
    const { body } = await server.call(operations.listDeadLetters, {
      params: { deviceId: device.username },
    });
    return body;
  };
  expect(await list()).toEqual({ count: 0, items: [] });
  await client.publishAsync(device.topic, '{"after":', { qos: 1 });
  await client.publishAsync(device.topic, Buffer.from([0xff, 0xfe]), { qos: 1 });
  await client.publishAsync(device.topic, '{"after":2}', { qos: 1 });
  await expect.poll(() => calls.latest(variableId), { timeout: 20_000 }).toBe(2);
  const common = { topic: device.topic, reason: expect.any(String), dateTime: expect.any(String) };
  expect(await list()).toEqual({
    count: 2,
    items: [
      { ...common, payload: '//4=', encoding: 'BASE64' },
      { ...common, payload: '{"after":', encoding: 'UTF8' },
    ],
  });
  const elsewhere = { deviceId: '018f0000-0000-7000-8000-000000000001' };
  expect((await server.call(operations.listDeadLetters, { params: elsewhere })).status).toBe(404);
});

it('dead letters are limited in number per Device and in age', async () => {
  const { device } = await newReporter('limited');
  for (let count = 0; count < 120; count += 1) {
    await client.publishAsync(device.topic, `{"broken ${count}`, { qos: 1 });
  }
  const list = async (query = '') => {
    const params = { deviceId: device.username };
    return (await server.call(operations.listDeadLetters, { params, query })).body;
  };
  await expect.poll(async () => (await list()).items[0]?.payload).toBe('{"broken 119');
  expect((await list('take=1')).count).toBe(100);
  await rowsIn(
    server.databaseUrl,
    `update dead_letters set failed_at = failed_at - interval '31 days'
     where payload <> convert_to('{"broken 119', 'UTF8')`,
  );
  expect((await list()).items).toHaveLength(1);
});
