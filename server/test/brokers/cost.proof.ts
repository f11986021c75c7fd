import { readFileSync } from 'node:fs';
import { connectAsync } from 'mqtt';
import { expect, it, onTestFinished } from 'vitest';
import { sessionsOf } from '../support/broker-nodes.ts';
import { createDataDir } from '../support/data-dir.ts';
import { requireMosquitto, startMosquitto } from '../support/mosquitto.ts';
import { startCluster } from '../support/nodes.ts';

const DEVICES = 20_000;

it(`a server subscribes for ${DEVICES} Devices`, { timeout: 300_000 }, async () => {
  requireMosquitto();
  const mosquitto = await startMosquitto('persistence false\nsys_interval 1');
  const { db, startNode, newPoint, stop } = await startCluster();
  onTestFinished(stop);
  const before = await startNode();
  await newPoint(before);
  await db.query(
    `insert into devices select (jsonb_populate_record(devices, jsonb_build_object(
       'id', gen_random_uuid(), 'name', 'Device ' || number))).*
     from devices, generate_series(2, $1) as number`,
    [DEVICES],
  );
  before.process.child.kill('SIGTERM');
  await before.process.ended;
  const counter = await connectAsync(mosquitto.url);
  let subscriptions = 0;
  counter.on('message', (_, payload) => {
    subscriptions = Number(payload.toString());
  });
  await counter.subscribeAsync('$SYS/broker/subscriptions/count');
  const node = await startNode(createDataDir(), { FIELDWATCH_MQTT_URL: mosquitto.url });
  const readyAt = performance.now();
  await expect
    .poll(() => subscriptions, { timeout: 120_000, interval: 100 })
    .toBeGreaterThanOrEqual(DEVICES);
  const seconds = (performance.now() - readyAt) / 1000;
  expect((await sessionsOf(node)).connected).toBeGreaterThan(200);
  const memory = memoryOf(node.process.child.pid);
  process.stdout.write(
    `${DEVICES} subscriptions ${seconds.toFixed(1)} s after the start; ${memory}\n`,
  );
  await counter.endAsync();
  await mosquitto.stop();
});

function memoryOf(pid: number | undefined): string {
  return /VmRSS:.*/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[0] ?? '';
}
