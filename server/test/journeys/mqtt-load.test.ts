import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mqttCalls, VERSIONS } from '../support/mqtt.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let calls: ReturnType<typeof mqttCalls>;

beforeAll(async () => {
  server = await startServer({
    env: { FIELDWATCH_MQTT_MESSAGES_PER_SECOND: '200' },
    environment: { hasMqttThread: true },
  });
  calls = mqttCalls(server);
});

afterAll(async () => {
  await calls.endAll();
  await server.stop();
});

const CONNECTIONS = 20;
const IN_FLIGHT = 10;
const ROUNDS = 10;

describe('many Devices at once', () => {
  it('have every acknowledged reading stored once', async () => {
    const start = server.clock.now() - 60_000;
    const sendAll = async (index: number) => {
      const device = await calls.newDevice();
      const variable = await calls.newVariable(device.username, 'value');
      const protocolVersion = VERSIONS[index % 2] ?? 4;
      const client = await calls.signIn(device, { protocolVersion });
      const acknowledged: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await Promise.all(
          Array.from({ length: IN_FLIGHT }, async (_, slot) => {
            const value = round * IN_FLIGHT + slot;
            const payload = JSON.stringify({ timestamp: start + value, data: { value } });
            await client.publishAsync(device.topic, payload, { qos: 1 });
            acknowledged.push(value);
          }),
        );
      }
      const { body } = await server.call(operations.listReadings, {
        params: { variableId: variable },
        query: `startTime=${start}&endTime=${start + 60_000}`,
      });
      const kept = body.items.map(({ value }: { value: number }) => value);
      expect(kept).toEqual(acknowledged.toSorted((a, b) => a - b));
      return kept.length;
    };
    const counts = await Promise.all(Array.from({ length: CONNECTIONS }, (_, at) => sendAll(at)));
    expect(counts).toEqual(Array(CONNECTIONS).fill(IN_FLIGHT * ROUNDS));
  });

  it('are slowed down above their rate, without loss', async () => {
    const device = await calls.newDevice();
    const variable = await calls.newVariable(device.username, 'value');
    const client = await calls.signIn(device);
    const sent = Array.from({ length: 300 }, (_, value) =>
      client.publishAsync(device.topic, `{"value":${value}}`, { qos: 1 }),
    );
    await Promise.all(sent);
    expect(await calls.latest(variable)).toBe(299);
  });

  it('get their acknowledgements before the server stops', async () => {
    const own = await startServer({ environment: { hasMqttThread: true } });
    const there = mqttCalls(own);
    const device = await there.newDevice();
    const client = await there.signIn(device, { protocolVersion: 5 });
    await there.newVariable(device.username, 'value');
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
    await client.publishAsync(device.topic, '{"value":1}', { qos: 1 });
    await own.stop();
    await closed;
    expect(client.connected).toBe(false);
    await there.endAll();
  });
});
