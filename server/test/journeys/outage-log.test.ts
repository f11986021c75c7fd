import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '../../src/runtime/index.ts';
import { call } from '../support/call.ts';
import { mqttCalls } from '../support/mqtt.ts';
import { createOutage } from '../support/outage.ts';
import { startServer, type TestServer } from '../support/server.ts';

const MESSAGES = 1_000;

let server: TestServer;
let calls: ReturnType<typeof mqttCalls>;
const lines: string[] = [];

beforeAll(async () => {
  const log = createLog('info', { write: (line) => void lines.push(line) });
  server = await startServer({ environment: { log } });
  calls = mqttCalls(server);
});

afterAll(async () => {
  await calls.endAll();
  await server.stop();
});

it('an outage of storage with 1 000 waiting messages leaves a few short lines in the log', async () => {
  const device = await calls.newDevice();
  await calls.newVariable(device.username, 'level');
  const client = await calls.signIn(device, {});
  lines.length = 0;
  const sent: Promise<unknown>[] = [];
  await createOutage(server.databaseUrl).during(async () => {
    for (let count = 0; count < MESSAGES; count += 1) {
      sent.push(client.publishAsync(device.topic, `{"level":${count}}`, { qos: 1 }));
    }
    await expect
      .poll(async () => (await call(server.url, operations.checkReadiness)).status)
      .toBe(503);
    await expect.poll(() => lines.length).toBeGreaterThan(0);
  });
  await Promise.all(sent);
  const messages = () => lines.map((line) => JSON.parse(line).msg as string);
  await expect.poll(messages).toContain('storage is available again');
  expect(messages().filter((message) => message === 'storage is unavailable')).toHaveLength(1);
  expect(lines.length).toBeLessThan(60);
  expect(lines.join('').length).toBeLessThan(30_000);
});
