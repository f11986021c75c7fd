import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { operations } from '@fieldwatch/contract';
import { connectAsync } from 'mqtt';
import { parser } from 'mqtt-packet';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Mosquitto, requireMosquitto, startMosquitto } from '../support/mosquitto.ts';
import { mqttCalls, VERSIONS } from '../support/mqtt.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Lets no batch of readings commit until it is released. */
async function holdCommits(databaseUrl: string) {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  await db.query('begin');
  await db.query('lock table journal in exclusive mode');
  const waiting = `select count(*)::int as count from pg_locks
    where not granted and relation = 'journal'::regclass
      and database = (select oid from pg_database where datname = current_database())`;
  return {
    async someWait() {
      const count = async () => (await db.query(waiting)).rows[0].count;
      await expect.poll(count).toBeGreaterThan(0);
    },
    async release() {
      await db.query('commit');
      await db.end();
    },
  };
}

describe('an acknowledgement', () => {
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

  const ways = VERSIONS.flatMap((version) => ([1, 2] as const).map((qos) => ({ version, qos })));

  it.each(ways)('of QoS $qos in version $version waits for the commit', async (way) => {
    const device = await calls.newDevice();
    const variable = await calls.newVariable(device.username, 'value');
    const client = await calls.signIn(device, { protocolVersion: way.version });
    const answers: string[] = [];
    client.on('packetreceive', ({ cmd }) => answers.push(cmd));
    const hold = await holdCommits(server.databaseUrl);
    const published = client.publishAsync(device.topic, '{"value":1}', { qos: way.qos });
    await hold.someWait();
    expect(answers).toEqual([]);
    await hold.release();
    await published;
    expect(answers[0]).toBe(way.qos === 1 ? 'puback' : 'pubrec');
    expect(await calls.latest(variable)).toBe(1);
  });

  it('is sent after the commit for messages in flight when the server stops', async () => {
    const own = await startServer({ environment: { hasMqttThread: true } });
    const there = mqttCalls(own);
    const device = await there.newDevice();
    await there.newVariable(device.username, 'value');
    const client = await there.signIn(device, { protocolVersion: 5 });
    const answers: unknown[] = [];
    client.on('packetreceive', (packet) => {
      const reasonCode = ('reasonCode' in packet ? packet.reasonCode : undefined) ?? 0;
      answers.push([packet.cmd, reasonCode]);
    });
    const hold = await holdCommits(own.databaseUrl);
    const published = client.publishAsync(device.topic, '{"value":1}', { qos: 1 });
    await hold.someWait();
    const stopped = own.stop();
    expect(answers).toEqual([]);
    await hold.release();
    await published;
    expect(answers[0]).toEqual(['puback', 0]);
    await stopped;
    await there.endAll();
  });
});

/** Passes bytes on to a broker, and counts the acknowledgements among what clients send. */
async function startWatch(port: number) {
  let acknowledgements = 0;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const broker = connect(port, '127.0.0.1');
    for (const socket of [client, broker]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    const packets = parser();
    packets.on('packet', ({ cmd }) => {
      if (cmd === 'puback') acknowledgements += 1;
    });
    client.on('data', (bytes) => packets.parse(bytes));
    client.pipe(broker).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  return {
    url: `mqtt://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    acknowledgements: () => acknowledgements,
    stop() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe('an acknowledgement to an external broker', () => {
  let mosquitto: Mosquitto;

  beforeAll(async () => {
    requireMosquitto();
    mosquitto = await startMosquitto();
  });

  afterAll(() => mosquitto.stop());

  it('waits for the commit', async () => {
    const watch = await startWatch(mosquitto.port);
    const server = await startServer({ env: { FIELDWATCH_MQTT_URL: watch.url } });
    const calls = mqttCalls(server);
    const device = await calls.newDevice();
    const variable = await calls.newVariable(device.username, 'value');
    const sender = await connectAsync(mosquitto.url);
    const send = (value: number) =>
      sender.publishAsync(device.topic, `{"value":${value}}`, { qos: 1 });
    const hasSubscribed = async () => {
      await send(1);
      return calls.latest(variable);
    };
    await expect.poll(hasSubscribed).toBe(1);
    // Behind it, nothing that was sent before is still on its way.
    await send(2);
    await expect.poll(() => calls.latest(variable)).toBe(2);
    const params = { variableId: variable };
    const { body: stored } = await server.call(operations.listReadings, { params });
    await expect.poll(watch.acknowledgements).toBe(stored.count);
    const hold = await holdCommits(server.databaseUrl);
    const before = watch.acknowledgements();
    await send(3);
    await hold.someWait();
    expect(watch.acknowledgements()).toBe(before);
    await hold.release();
    await expect.poll(watch.acknowledgements).toBe(before + 1);
    expect(await calls.latest(variable)).toBe(3);
    await sender.endAsync();
    await server.stop();
    watch.stop();
  });
});
