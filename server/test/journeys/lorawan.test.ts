import { operations } from '@fieldwatch/contract';
import { connectAsync, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulate } from '../../../simulator/src/index.ts';
import { CERTIFICATE } from '../support/certificate.ts';
import { startCommand } from '../support/command.ts';
import {
  chirpstackUplink,
  createSensor,
  errorsOf,
  GATEWAY_EUI,
  theThingsStackUplink,
} from '../support/lorawan.ts';
import { type Mosquitto, requireMosquitto, startMosquitto } from '../support/mosquitto.ts';
import { SECRET_KEY, startNeighbour, startServer, type TestServer } from '../support/server.ts';
import { variableCalls } from '../support/variable-calls.ts';

const WAIT = { timeout: 20_000, interval: 50 };
const SCRIPT = `function decodeUplink({ bytes }) {
  if (bytes.length !== 2) return { errors: ['2 bytes expected'] };
  return { data: { temperature: ((bytes[0] << 8) | bytes[1]) / 10 } };
}`;

type Fields = Record<string, unknown>;

let broker: Mosquitto;
let server: TestServer;
let neighbour: TestServer;
let networkServer: MqttClient;
let euis = 0x70b3d50000000000n;

beforeAll(async () => {
  requireMosquitto();
  broker = await startMosquitto();
  server = await startServer({ env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' } });
  neighbour = await startNeighbour(server);
  networkServer = await connectAsync(broker.url, { protocolVersion: 5, reconnectPeriod: 20 });
}, 180_000);

afterAll(async () => {
  await networkServer.endAsync(true);
  await server.stop();
  await broker.stop();
});

const newEui = () => (euis++).toString(16).padStart(16, '0');

const create = (body: Fields = {}, at = server) =>
  at.call(operations.createLorawanNetwork, {
    body: {
      ...{ name: 'Plant', kind: 'CHIRPSTACK_V4', ingest: 'MQTT', applicationId: 'app' },
      ...{ mqtt: { url: broker.url }, gatewayPrefixes: ['eu868'], ...body },
    },
  });
const stateOf = async (networkId: string) =>
  (await server.call(operations.retrieveLorawanNetwork, { params: { networkId } })).body.state;
const remove = (networkId: string) =>
  server.call(operations.deleteLorawanNetwork, { params: { networkId } });
const radioOf = async (deviceId: string) =>
  (await server.call(operations.retrieveLorawanDevice, { params: { deviceId } })).body;

async function connected(body: Fields = {}): Promise<string> {
  const { body: network } = await create(body);
  await expect.poll(async () => (await stateOf(network.id)).isConnected, WAIT).toBe(true);
  return network.id;
}

const newSensor = (devEui: string, paths: readonly string[]) => createSensor(server, devEui, paths);

const uplinkOf = (devEui: string, changed: Fields = {}) =>
  chirpstackUplink({
    deviceInfo: { devEui, deviceName: 'Cellar' },
    deduplicationId: crypto.randomUUID(),
    time: new Date(server.clock.now()).toISOString(),
    ...changed,
  });

const publish = (devEui: string, message: Fields, event = 'up') =>
  networkServer.publishAsync(
    `application/app/device/${devEui}/event/${event}`,
    JSON.stringify(message),
    { qos: 1 },
  );

describe('an uplink over MQTT', () => {
  it('becomes readings of payload and radio, by the codec of its Device', async () => {
    const networkId = await connected();
    const devEui = newEui();
    const paths = ['payload.temperature', 'lorawan.rssi', 'lorawan.snr', 'lorawan.lost'];
    const sensor = await newSensor(devEui.toUpperCase(), paths);
    const { body: codec } = await server.call(operations.createCodec, {
      body: { name: 'Probe', script: SCRIPT },
    });
    const params = { deviceId: sensor.id };
    await server.call(operations.updateLorawanDevice, { params, body: { codecId: codec.id } });

    const first = uplinkOf(devEui, { data: 'AOE=' });
    await publish(devEui, first);
    await publish(devEui, first);
    await expect.poll(sensor.latest, WAIT).toMatchObject({
      ...{ 'payload.temperature': 22.5, 'lorawan.rssi': -36, 'lorawan.snr': 10.5 },
    });
    const time = new Date(Date.parse(first.time as string) + 60_000).toISOString();
    await publish(devEui, uplinkOf(devEui, { data: 'AOI=', fCnt: 3, time }));
    await expect.poll(sensor.latest, WAIT).toMatchObject({
      ...{ 'payload.temperature': 22.6, 'lorawan.lost': 2 },
    });
    server.clock.advance(120_000);
    expect(await sensor.readings('payload.temperature')).toHaveLength(2);
    await expect.poll(async () => (await radioOf(sensor.id)).lastUplink?.fCnt, WAIT).toBe(3);
    expect(await radioOf(sensor.id)).toMatchObject({
      ...{ networkId, codecId: codec.id, lostUplinks24h: 2, uplinkIntervalSeconds: 60, log: [] },
      lastUplink: { spreadingFactor: 11, frequencyMhz: 867.1, rssi: -36, snr: 10.5 },
    });

    await publish(devEui, uplinkOf(devEui, { data: 'AA==', fCnt: 4, rxInfo: [] }));
    await expect.poll(async () => (await radioOf(sensor.id)).log.length, WAIT).toBe(1);
    expect((await radioOf(sensor.id)).log[0]).toMatchObject({
      ...{ level: 'ERROR', code: 'CODEC', text: '2 bytes expected' },
    });
    expect(await sensor.latest()).toMatchObject({ 'payload.temperature': 22.6, 'lorawan.lost': 0 });
    const { body: health } = await server.call(operations.retrieveDeviceIngest, { params });
    expect([health.rejected.codec, health.lastRejected[0]]).toMatchObject([
      1,
      { key: 'payload', reason: 'codec' },
    ]);
    const { text: metrics } = await server.call(operations.readMetrics, {});
    expect(metrics).toContain('fieldwatch_readings_total{outcome="codec"} 1');
    expect(metrics).toContain('fieldwatch_lorawan_sessions{state="connected"} 1');
    expect(metrics).toMatch(/fieldwatch_lorawan_events_total\{kind="up"\} [4-9]/);
    await remove(networkId);
    expect(await radioOf(sensor.id)).toMatchObject({ networkId: null, codecId: codec.id });
  });

  it('without a codec has the values of the network server, or its bytes; battery comes too', async () => {
    const networkId = await connected();
    const [decoded, raw] = [newEui(), newEui()];
    const one = await newSensor(decoded, ['payload.humidity', 'lorawan.battery', 'lorawan.margin']);
    const other = await newSensor(raw, ['payload.hex']);
    await publish(decoded, uplinkOf(decoded, { object: { humidity: 51 } }));
    await publish(raw, uplinkOf(raw, { data: '3q2+7w==' }));
    await publish(decoded, uplinkOf(decoded, { margin: 7 }), 'status');
    const line = { level: 'WARNING', code: 'F_CNT_DOWN', description: 'Counter' };
    await publish(raw, uplinkOf(raw, line), 'log');
    await expect.poll(one.latest, WAIT).toEqual({
      ...{ 'payload.humidity': 51, 'lorawan.battery': 0, 'lorawan.margin': 7 },
    });
    await expect.poll(other.latest, WAIT).toEqual({ 'payload.hex': 'DEADBEEF' });
    await expect.poll(async () => (await radioOf(other.id)).log, WAIT).toHaveLength(1);
    expect((await radioOf(one.id)).battery).toBe(0);
    await remove(networkId);
  });

  it('waits at the broker while the network is inactive, and nothing is lost', async () => {
    const networkId = await connected();
    const devEui = newEui();
    const sensor = await newSensor(devEui, ['payload.hex']);
    const set = (isActive: boolean) =>
      server.call(operations.updateLorawanNetwork, { params: { networkId }, body: { isActive } });
    await set(false);
    await expect.poll(async () => (await stateOf(networkId)).isConnected, WAIT).toBe(false);
    // What cannot be read is passed over.
    await publish(devEui, { time: 'never' });
    await networkServer.publishAsync(`application/app/device/${devEui}/event/up`, '{', { qos: 1 });
    await publish(devEui, uplinkOf(devEui, { data: 'AQ==' }));
    await set(true);
    await expect.poll(sensor.latest, WAIT).toEqual({ 'payload.hex': '01' });
    await remove(networkId);
  });

  it('of no Device is listed until one is created', async () => {
    const networkId = await connected();
    const unknown = async () =>
      (await server.call(operations.listUnknownLorawanDevices, { params: { networkId } })).body;
    const devEui = newEui();
    await publish(devEui, uplinkOf(devEui, { data: 'qrs=' }));
    await expect.poll(async () => (await unknown()).count, WAIT).toBe(1);
    expect((await unknown()).items[0]).toMatchObject({
      ...{ devEui: devEui.toUpperCase(), name: 'Cellar', count: 1, lastPayloadHex: 'AABB' },
    });
    const sensor = await newSensor(devEui, ['payload.hex']);
    await publish(devEui, uplinkOf(devEui, { data: 'AQ==' }));
    await expect.poll(sensor.latest, WAIT).toEqual({ 'payload.hex': '01' });
    await expect.poll(async () => (await unknown()).count, WAIT).toBe(0);
    await remove(networkId);
  });
});

describe('a gateway', () => {
  it('is seen by its state and its counts', async () => {
    const networkId = await connected();
    const configuration = { gatewayEui: GATEWAY_EUI, rfRegion: 'EU868' };
    const body = { type: 'LORAWAN_GATEWAY_EDGE', name: 'Gateway on the roof', configuration };
    const { body: gateway } = await server.call(operations.createDevice, { body });
    const { made } = variableCalls(server);
    const path = { topicPropertyPath: 'lorawan.isConnected', type: 'BOOLEAN' };
    const { id } = await made(gateway.id, path);
    const isConnected = async () =>
      (await server.call(operations.listLatestValues, { query: `ids[]=${id}` })).body.items[0]
        ?.value;
    const topic = `eu868/gateway/${GATEWAY_EUI.toLowerCase()}/state/conn`;
    const say = (state: string) =>
      networkServer.publishAsync(topic, JSON.stringify({ state }), { qos: 1, retain: true });
    await say('ONLINE');
    await expect.poll(isConnected, WAIT).toBe(true);
    server.clock.advance(1_000);
    await say('OFFLINE');
    await expect.poll(isConnected, WAIT).toBe(false);
    await networkServer.publishAsync(topic, '', { retain: true });
    await remove(networkId);
  });
});

describe('fieldwatch lorawan-probe', () => {
  const probe = (networkId: string) =>
    startCommand(['lorawan-probe', '--network', networkId], {
      ...{ DATABASE_URL: server.databaseUrl, FIELDWATCH_SECRET_KEY: SECRET_KEY },
      FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1',
    });

  it('prints what it understands, and the server misses nothing', async () => {
    const networkId = await connected();
    const devEui = newEui();
    const sensor = await newSensor(devEui, ['payload.hex']);
    const command = probe(networkId);
    await expect.poll(command.output, WAIT).toContain('subscribed to application/app/device/+');
    await publish(devEui, uplinkOf(devEui, { data: '3q2+7w==' }));
    await expect.poll(command.output, WAIT).toContain('"payload":{"hex":"DEADBEEF"}');
    await expect.poll(sensor.latest, WAIT).toEqual({ 'payload.hex': 'DEADBEEF' });
    command.interrupt();
    const { exitCode, output } = await command.ended;
    expect([exitCode, output.trim().split('\n').at(-1)]).toEqual([0, '1 up']);
    await remove(networkId);
    expect(await probe(networkId).ended).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining(`There is no LoRaWAN network ${networkId}.`),
    });
  });
});

describe('the simulated site', () => {
  it('of 50 sensors and 3 gateways arrives over the broker', async () => {
    const stop = new AbortController();
    const lines: string[] = [];
    const running = simulate({
      args: [
        ...['--url', server.url, '--lorawan', broker.url, '--interval', '1'],
        ...['--api-key', atob(server.key.slice('Basic '.length))],
      ],
      defaults: { organizationId: server.organizationId },
      now: server.clock.now,
      say: (line) => lines.push(line),
      complain: (line) => lines.push(line),
      signal: stop.signal,
    });
    const latestOf = async (device: string, path: string) => {
      const { body } = await server.call(operations.listVariables, {
        query: `search=${encodeURIComponent(path)}&take=100`,
      });
      const { body: devices } = await server.call(operations.listDevices, {
        query: `search=${encodeURIComponent(device)}`,
      });
      const { id } =
        body.items.find((each: Fields) => each.deviceId === devices.items[0]?.id) ?? {};
      if (id === undefined) return undefined;
      const latest = await server.call(operations.listLatestValues, { query: `ids[]=${id}` });
      return latest.body.items[0]?.value;
    };
    const wait = { timeout: 60_000, interval: 500 };
    await expect
      .poll(() => latestOf('LoRaWAN sensor 01', 'Temperature'), wait)
      .toBeTypeOf('number');
    await expect.poll(() => latestOf('LoRaWAN gateway 1', 'Connected'), wait).toBe(true);
    stop.abort();
    expect([await running, lines[0]]).toEqual([0, expect.stringContaining('50 sensors and 3')]);
  }, 120_000);
});

describe('a webhook', () => {
  const receive = (networkId: string, body: Fields, query = '', at = server) =>
    at.call(operations.receiveLorawanEvent, { params: { networkId }, body, query });

  it('is answered when the readings are stored', async () => {
    const { body: network } = await create({
      ...{ kind: 'THE_THINGS_STACK_V3', ingest: 'WEBHOOK', mqtt: null, tenantId: 'ttn' },
    });
    const sensor = await newSensor('0004A30B001C0530', ['payload.temperature', 'lorawan.fCnt']);
    const { body, status } = await receive(network.id, theThingsStackUplink());
    expect([status, body]).toEqual([200, { isStored: true }]);
    expect(await sensor.latest()).toEqual({ 'payload.temperature': 1, 'lorawan.fCnt': 6 });
    expect(await sensor.readings('lorawan.fCnt')).toEqual([
      { timestamp: Date.UTC(2020, 1, 12, 15, 15, 45, 787), value: 6 },
    ]);
    expect((await receive(network.id, { simulated: true })).body).toEqual({ isStored: false });
    const bad = await receive(network.id, theThingsStackUplink({ end_device_ids: {} }));
    expect([bad.status, errorsOf(bad)]).toEqual([
      400,
      ['body cannot be read: end_device_ids.dev_eui is not 16 hexadecimal characters'],
    ]);
    const theirs = await receive(network.id, theThingsStackUplink(), '', neighbour);
    expect(theirs.status).toBe(404);
    await remove(network.id);
  });

  it('of ChirpStack says its kind in the query, and a network of MQTT takes none', async () => {
    const { body: network } = await create({ ingest: 'WEBHOOK', mqtt: null });
    const devEui = newEui();
    const sensor = await newSensor(devEui, ['lorawan.battery']);
    const status = uplinkOf(devEui, { batteryLevel: 80 });
    expect((await receive(network.id, status, 'event=status')).body).toEqual({ isStored: true });
    expect(await sensor.latest()).toEqual({ 'lorawan.battery': 80 });
    const body = { ingest: 'MQTT', mqtt: { url: broker.url } };
    const params = { networkId: network.id as string };
    await server.call(operations.updateLorawanNetwork, { params, body });
    expect((await receive(network.id, status, 'event=status')).status).toBe(409);
    await remove(network.id);
  });
});

describe('a sensor without an online window of its own', () => {
  it('is online for 15 minutes, or three times the interval of its uplinks', async () => {
    const { body: network } = await create({ ingest: 'WEBHOOK', mqtt: null });
    const devEui = newEui();
    const params = { deviceId: (await newSensor(devEui, [])).id };
    const send = () =>
      server.call(operations.receiveLorawanEvent, {
        params: { networkId: network.id },
        body: uplinkOf(devEui),
      });
    const isOnline = async () =>
      (await server.call(operations.retrieveDevice, { params })).body.isOnline;
    const learned = async () =>
      (await server.call(operations.retrieveOnlineWindow, { params })).body;
    await send();
    server.clock.advance(14 * 60_000);
    expect(await isOnline()).toBe(true);
    server.clock.advance(60_000);
    expect(await isOnline()).toBe(false);
    server.clock.advance(45 * 60_000);
    await send();
    expect(await learned()).toEqual({ onlineMinutes: null, learnedOnlineMinutes: 180 });
    server.clock.advance(179 * 60_000);
    expect(await isOnline()).toBe(true);
    const body = { onlineMinutes: 30 };
    await server.call(operations.updateOnlineWindow, { params, body });
    expect(await isOnline()).toBe(false);
    await remove(network.id);
  });
});

describe('a network', () => {
  it('says why it is not connected', async () => {
    const { body: network } = await create({ mqtt: { url: 'mqtt://127.0.0.1:1' } });
    await expect
      .poll(async () => (await stateOf(network.id)).lastError, WAIT)
      .toMatch(/connection/);
    await remove(network.id);
  });

  it.each<[string, Fields, string]>([
    ['MQTT without a broker', { mqtt: null }, 'mqtt is required with the ingest MQTT'],
    ['a broker of http', { mqtt: { url: 'http://x' } }, 'mqtt.url must be an mqtt or mqtts URL'],
    [
      'an authority that is none',
      { mqtt: { url: 'mqtts://x', caCertificate: 'CERTIFICATE' } },
      'mqtt.caCertificate must be certificates in the form PEM',
    ],
    ['a wildcard', { applicationId: '#' }, 'applicationId must be without spaces'],
    ['21 prefixes', { gatewayPrefixes: [...'abcdefghijklmnopqrstu'] }, 'gatewayPrefixes must'],
    [
      'a template without its event',
      { mqtt: { url: 'mqtt://x', topicTemplate: 'a/{devEui}' } },
      'mqtt.topicTemplate must be a topic with {devEui} and {event}',
    ],
  ])('with %s is refused', async (_, body, message) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(errorsOf(answer).join()).toContain(message);
  });

  it('keeps its password, and asks for it with another url', async () => {
    const mqtt = {
      ...{ url: 'mqtt://127.0.0.1:1', username: 'a', password: 'hidden password' },
      caCertificate: CERTIFICATE,
    };
    const { body: network, text } = await create({ isActive: false, mqtt });
    expect(network.mqtt).toMatchObject({
      ...{ hasPassword: true, username: 'a', caCertificate: CERTIFICATE },
    });
    expect(text).not.toContain('hidden password');
    const params = { networkId: network.id as string };
    const change = (changed: Fields) =>
      server.call(operations.updateLorawanNetwork, { params, body: { mqtt: changed } });
    expect((await change({ url: mqtt.url })).body.mqtt.hasPassword).toBe(true);
    expect(errorsOf(await change({ url: 'mqtt://127.0.0.1:2' }))).toEqual([
      'mqtt.password is required with another url',
    ]);
    await remove(network.id);
  });

  it('of a neighbour is unknown, and cannot be that of a sensor', async () => {
    const { body: theirs } = await create({ isActive: false }, neighbour);
    const params = { networkId: theirs.id as string };
    expect((await server.call(operations.retrieveLorawanNetwork, { params })).status).toBe(404);
    expect((await server.call(operations.listUnknownLorawanDevices, { params })).status).toBe(404);
    expect((await remove(theirs.id)).status).toBe(404);
    const sensor = await newSensor(newEui(), []);
    const answer = await server.call(operations.updateLorawanDevice, {
      params: { deviceId: sensor.id },
      body: { networkId: theirs.id },
    });
    expect([answer.status, errorsOf(answer)[0]]).toEqual([
      400,
      expect.stringContaining('networkId'),
    ]);
  });
});
