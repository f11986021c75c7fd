import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blockedBy, whileLocked } from '../support/locks.ts';
import { errorsOf, theThingsStackUplink } from '../support/lorawan.ts';
import { type Fields, startLorawanRig, WAIT } from '../support/lorawan-rig.ts';

const SCRIPT = `function decodeUplink({ bytes }) {
  if (bytes.length !== 2) return { errors: ['2 bytes expected'] };
  return { data: { temperature: ((bytes[0] << 8) | bytes[1]) / 10 } };
}`;

type Rig = Awaited<ReturnType<typeof startLorawanRig>>;

let rig: Rig;
let broker: Rig['broker'];
let server: Rig['server'];
let neighbour: Rig['neighbour'];
let networkServer: Rig['networkServer'];
let create: Rig['create'];
let stateOf: Rig['stateOf'];
let newEui: Rig['newEui'];
let remove: Rig['remove'];
let radioOf: Rig['radioOf'];
let connected: Rig['connected'];
let newSensor: Rig['newSensor'];
let uplinkOf: Rig['uplinkOf'];
let publish: Rig['publish'];

beforeAll(async () => {
  rig = await startLorawanRig();
  ({
    broker,
    server,
    neighbour,
    networkServer,
    create,
    stateOf,
    newEui,
    remove,
    radioOf,
    connected,
    newSensor,
    uplinkOf,
    publish,
  } = rig);
});

afterAll(() => rig.stop());

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

  it('is not answered before its readings are committed', async () => {
    const { body: network } = await create({ ingest: 'WEBHOOK', mqtt: null });
    const devEui = newEui();
    const sensor = await newSensor(devEui, ['payload.hex']);
    let isAnswered = false;
    const { answered } = await whileLocked(server.databaseUrl, 'journal', async () => {
      const answer = receive(network.id, uplinkOf(devEui, { data: 'AQ==' }), 'event=up');
      void answer.then(() => {
        isAnswered = true;
      });
      await expect.poll(() => blockedBy(server.databaseUrl, 'journal'), WAIT).toBeGreaterThan(0);
      expect(isAnswered).toBe(false);
      return { answered: answer };
    });
    expect((await answered).body).toEqual({ isStored: true });
    expect(await sensor.latest()).toEqual({ 'payload.hex': '01' });
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
