import { execFileSync } from 'node:child_process';
import { operations } from '@fieldwatch/contract';
import type { MqttClient } from 'mqtt';
import { expect, it, onTestFinished } from 'vitest';
import { basic, call } from '../support/call.ts';
import { createDataDir } from '../support/data-dir.ts';
import { connectDevice } from '../support/node-clients.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';

const organizationId = '018f0000-0000-7000-8000-0000000000cc';
const KEY = { id: 'processes-key', secret: 'processes-secret-of-32-characters' };
const auth = basic(KEY.id, KEY.secret);
const eventually = { timeout: 30_000, interval: 100 };

/** Two processes on an embedded PostgreSQL of their own. */
async function start(): Promise<{ url: string; server: ServerProcess }> {
  const dataDir = createDataDir();
  const server = spawnServer({
    FIELDWATCH_PROCESSES: '2',
    FIELDWATCH_DATA_DIR: dataDir.path,
    FIELDWATCH_ORGANIZATION_ID: organizationId,
    FIELDWATCH_API_KEY_ID: KEY.id,
    FIELDWATCH_API_KEY_SECRET: KEY.secret,
  });
  onTestFinished(async () => {
    server.child.kill('SIGTERM');
    await server.ended;
    dataDir.remove();
  });
  return { url: await server.ready, server };
}

/** The processes of the server that this one has started. */
function workersOf({ child }: ServerProcess): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' });
  return lines.split('\n').flatMap((line) => {
    const [parent, pid] = line.trim().split(/\s+/);
    return Number(parent) === child.pid && line.includes('main.js') ? [Number(pid)] : [];
  });
}

async function readingsPerProcess(url: string): Promise<Map<string, number>> {
  const { text } = await call(url, operations.readMetrics);
  const samples = text.matchAll(
    /^fieldwatch_readings_total\{process="(\d)",outcome="accepted"\} (\d+)$/gm,
  );
  return new Map([...samples].map(([, process = '', count]) => [process, Number(count)]));
}

/** Publishes to a Device whose clients are connected to all processes, in turn. */
async function reachesAllSubscribers(
  { output }: ServerProcess,
  device: { readonly deviceId: string; readonly password: string },
): Promise<void> {
  const node = { mqttUrl: /mqtt:\/\/\S+/.exec(output())?.[0] ?? '' };
  const topic = `fieldwatch/${organizationId}/${device.deviceId}`;
  const clients: MqttClient[] = [];
  const received: string[][] = [];
  for (let index = 0; index < 4; index += 1) {
    const client = await connectDevice(node, device);
    const texts: string[] = [];
    client.on('message', (_topic, payload) => texts.push(payload.toString()));
    await client.subscribeAsync(`${topic}/#`, { qos: 1 });
    clients.push(client);
    received.push(texts);
  }
  for (const [index, client] of clients.entries())
    await client.publishAsync(`${topic}/water/flow`, `${index}`, { qos: 1 });
  for (const texts of received)
    await expect.poll(() => texts, eventually).toEqual(['0', '1', '2', '3']);
}

it('processes share one port and one database, and one that is killed is started again', async () => {
  const { url, server } = await start();
  const asked = (operation: (typeof operations)[keyof typeof operations], given: object) =>
    call(url, operation, { auth, params: { organizationId }, ...given });
  const devices = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const { body, status, text } = await asked(operations.createDevice, {
        body: { type: 'CUSTOM_DEVICE', name: 'Water pump' },
      });
      expect(status, text).toBe(201);
      const variable = await asked(operations.createVariable, {
        params: { organizationId, deviceId: body.id },
        body: {
          topicPropertyPath: 'water.flow',
          type: 'NUMBER',
          name: 'Water flow',
          isLoggingEnabled: true,
        },
      });
      expect(variable.status, variable.text).toBe(201);
      return { deviceId: body.id as string, password: body.credentials.password as string };
    }),
  );
  const report = async (value: number) => {
    for (const { deviceId } of devices) {
      const { status, text } = await asked(operations.writeReadings, {
        params: { organizationId, deviceId },
        body: { data: { 'water.flow': value } },
      });
      expect(status, text).toBe(200);
    }
  };
  await report(1);
  const counted = await readingsPerProcess(url);
  expect([...counted.keys()]).toEqual(['1', '2']);
  expect([...counted.values()].reduce((sum, count) => sum + count, 0)).toBe(devices.length);
  await reachesAllSubscribers(server, devices[0] as (typeof devices)[number]);

  const workers = workersOf(server);
  expect(workers.length).toBe(2);
  process.kill(workers[0] as number, 'SIGKILL');
  await expect
    .poll(() => workersOf(server).filter((pid) => !workers.includes(pid)).length, eventually)
    .toBe(1);
  await expect
    .poll(() => readingsPerProcess(url).catch(() => new Map()), eventually)
    .toHaveProperty('size', 2);
  await report(2);

  server.child.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
  expect(workersOf(server)).toEqual([]);
});
