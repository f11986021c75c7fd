import { PassThrough } from 'node:stream';
import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/runtime/index.ts';
import { CHIRPSTACK_TOKEN, startChirpstack } from '../support/chirpstack.ts';
import { errorsOf } from '../support/lorawan.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { startTheThingsStack, THE_THINGS_TOKEN } from '../support/the-things-stack.ts';

type Fields = Record<string, unknown>;

const WAIT = { interval: 20 };
const APP_KEY = '0123456789ABCDEF0123456789ABCDEF';
const NEW_KEY = 'FEDCBA9876543210FEDCBA9876543210';
const APPLICATION = '17c82e96-be03-4f38-aef3-f83d48582d97';

let server: TestServer;
let chirpstack: Awaited<ReturnType<typeof startChirpstack>>;
let theThings: Awaited<ReturnType<typeof startTheThingsStack>>;
let euis = 0x70b3d50000000000n;
const lines: string[] = [];

beforeAll(async () => {
  [chirpstack, theThings] = await Promise.all([startChirpstack(), startTheThingsStack()]);
  const written = new PassThrough().on('data', (line) => lines.push(String(line)));
  server = await startServer({
    env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' },
    environment: { log: createLog('debug', written) },
  });
});

afterAll(async () => {
  await server.stop();
  await Promise.all([chirpstack.stop(), theThings.stop()]);
});

const newEui = () => (euis++).toString(16).toUpperCase().padStart(16, '0');

const bodyOf = (changed: Fields = {}): Fields => ({
  ...{ name: 'Plant', kind: 'CHIRPSTACK_V4', ingest: 'WEBHOOK', applicationId: APPLICATION },
  provisioning: 'PUSH',
  api: { url: chirpstack.url, token: CHIRPSTACK_TOKEN },
  defaults: { deviceProfileId: 'profile-1' },
  ...changed,
});
const theThingsBody = (changed: Fields = {}): Fields => ({
  ...bodyOf({ kind: 'THE_THINGS_STACK_V3', applicationId: 'plant' }),
  api: { url: theThings.url, token: THE_THINGS_TOKEN },
  defaults: {
    ...{ frequencyPlanId: 'EU_863_870_TTN', macVersion: 'MAC_V1_0_3' },
    phyVersion: 'PHY_V1_0_3_REV_A',
    ...changed,
  },
});
const create = (body: Fields) => server.call(operations.createLorawanNetwork, { body });
const change = (networkId: string, body: Fields) =>
  server.call(operations.updateLorawanNetwork, { params: { networkId }, body });

async function newSensor(networkId: string | null, devEui = newEui()) {
  const configuration = { devEui, appEui: '0102030405060708', appKey: APP_KEY };
  const body = { type: 'LORAWAN_DEVICE', name: 'Cellar', configuration };
  const { body: device } = await server.call(operations.createDevice, { body });
  const params = { deviceId: device.id as string };
  const join = (chosen: string | null) =>
    server.call(operations.updateLorawanDevice, { params, body: { networkId: chosen } });
  if (networkId !== null) await join(networkId);
  const provisioning = async () =>
    (await server.call(operations.retrieveLorawanDevice, { params })).body.provisioning;
  return {
    ...{ devEui, at: devEui.toLowerCase(), id: params.deviceId, join, provisioning },
    is: (state: string) => expect.poll(async () => (await provisioning()).state, WAIT).toBe(state),
    edit: (edited: Fields) =>
      server.call(operations.updateDevice, { params, body: { type: 'LORAWAN_DEVICE', ...edited } }),
    remove: () => server.call(operations.deleteDevice, { params }),
  };
}

describe('a sensor of a network of ChirpStack', () => {
  let networkId: string;

  beforeAll(async () => {
    networkId = (await create(bodyOf())).body.id;
  });
  beforeEach(() => {
    chirpstack.calls.length = 0;
  });

  it('is registered there with its EUIs, its key and its profile', async () => {
    const sensor = await newSensor(networkId);
    await sensor.is('REGISTERED');
    expect(chirpstack.devices.get(sensor.at)?.toObject()).toMatchObject({
      ...{ devEui: sensor.at, name: 'Cellar', applicationId: APPLICATION },
      ...{ deviceProfileId: 'profile-1', joinEui: '0102030405060708', isDisabled: false },
    });
    const keys = { devEui: sensor.at, nwkKey: APP_KEY.toLowerCase(), appKey: '' };
    expect(chirpstack.keys.get(sensor.at)?.toObject()).toMatchObject(keys);
    const [profile, ...calls] = chirpstack.calls;
    expect(profile).toBe('DeviceProfileService/Get');
    expect(calls).toEqual(['DeviceService/Create', 'DeviceService/CreateKeys']);
  });

  it('of LoRaWAN 1.1 is refused, because a Device has one root key', async () => {
    await change(networkId, { defaults: { deviceProfileId: 'profile-1-1' } });
    const sensor = await newSensor(networkId);
    await sensor.is('FAILED');
    expect((await sensor.provisioning()).error).toContain('profile-1-1 is of LoRaWAN 1.1');
    expect(chirpstack.devices.has(sensor.at)).toBe(false);
    await change(networkId, { defaults: { deviceProfileId: 'profile-1' } });
    await sensor.is('REGISTERED');
  });

  it('gets a new name and a new key there, and keeps its tags', async () => {
    const sensor = await newSensor(networkId);
    await sensor.is('REGISTERED');
    chirpstack.devices.get(sensor.at)?.getTagsMap().set('floor', 'roof');
    chirpstack.calls.length = 0;
    await sensor.edit({ description: 'Nothing that is registered' });
    await sensor.edit({ name: 'Attic', configuration: { appKey: NEW_KEY } });
    await sensor.is('REGISTERED');
    const device = chirpstack.devices.get(sensor.at);
    expect([device?.getName(), device?.getTagsMap().get('floor')]).toEqual(['Attic', 'roof']);
    expect(chirpstack.keys.get(sensor.at)?.getNwkKey()).toBe(NEW_KEY.toLowerCase());
    expect(chirpstack.calls.filter((call) => call === 'DeviceService/Update')).toHaveLength(1);
  });

  it('that exists there is taken over as it is', async () => {
    const sensor = await newSensor(networkId);
    await sensor.is('REGISTERED');
    await sensor.join(null);
    await expect.poll(() => chirpstack.devices.has(sensor.at), WAIT).toBe(false);
    expect((await sensor.provisioning()).state).toBe('NOT_MANAGED');
    await sensor.join(networkId);
    await sensor.is('REGISTERED');
    await change(networkId, { provisioning: 'NONE' });
    expect((await sensor.provisioning()).state).toBe('NOT_MANAGED');
    chirpstack.devices.get(sensor.at)?.setName('Changed there');
    chirpstack.keys.get(sensor.at)?.setNwkKey('ab');
    await change(networkId, { provisioning: 'PUSH' });
    await sensor.is('REGISTERED');
    expect(chirpstack.devices.get(sensor.at)?.getName()).toBe('Changed there');
    expect(chirpstack.keys.get(sensor.at)?.getNwkKey()).toBe('ab');
  });

  it('is gone there after an outage of the network server, though its Device is deleted', async () => {
    const sensor = await newSensor(networkId);
    await sensor.is('REGISTERED');
    chirpstack.setUnavailable(true);
    expect((await sensor.remove()).status).toBe(204);
    await expect.poll(() => lines.join(), WAIT).toContain(`"eui":"${sensor.devEui}","reason"`);
    expect(chirpstack.devices.has(sensor.at)).toBe(true);
    chirpstack.setUnavailable(false);
    server.clock.advance(60_000);
    await expect.poll(() => chirpstack.devices.has(sensor.at), WAIT).toBe(false);
    expect(chirpstack.keys.has(sensor.at)).toBe(false);
  });

  it('that moves to another EUI leaves the old one', async () => {
    const sensor = await newSensor(networkId);
    await sensor.is('REGISTERED');
    const devEui = newEui();
    await sensor.edit({ configuration: { devEui } });
    await expect.poll(() => chirpstack.devices.has(devEui.toLowerCase()), WAIT).toBe(true);
    await expect.poll(() => chirpstack.devices.has(sensor.at), WAIT).toBe(false);
    await sensor.is('REGISTERED');
  });

  it('of another application there is not touched, and the error says where it is', async () => {
    const sensor = await newSensor(networkId);
    await sensor.is('REGISTERED');
    chirpstack.devices.get(sensor.at)?.setApplicationId('another');
    await sensor.edit({ name: 'Renamed' });
    await sensor.is('FAILED');
    expect((await sensor.provisioning()).error).toBe(
      'A sensor with this EUI is registered in the application another of the network server: remove it there first.',
    );
    chirpstack.calls.length = 0;
    await sensor.remove();
    await expect.poll(() => chirpstack.calls, WAIT).toEqual(['DeviceService/Get']);
    expect(chirpstack.devices.get(sensor.at)?.getName()).toBe('Cellar');
  });

  it('waits for a refused key to be replaced, and for a profile that exists', async () => {
    const sensor = await newSensor(null);
    await change(networkId, { api: { url: chirpstack.url, token: 'wrong' } });
    await sensor.join(networkId);
    await sensor.is('FAILED');
    expect((await sensor.provisioning()).error).toContain('refused the API key');
    const api = { url: chirpstack.url, token: CHIRPSTACK_TOKEN };
    await change(networkId, { api, defaults: { deviceProfileId: 'unknown' } });
    await expect
      .poll(async () => (await sensor.provisioning()).error, WAIT)
      .toBe('The network server refused the sensor: Object does not exist (id: unknown)');
    await change(networkId, { defaults: { deviceProfileId: 'profile-2' } });
    await sensor.is('REGISTERED');
    expect(chirpstack.devices.get(sensor.at)?.getDeviceProfileId()).toBe('profile-2');
  });
});

describe('a sensor of a network of The Things Stack', () => {
  it('is registered at four servers in order, and removed in reverse', async () => {
    const { body: network } = await create(theThingsBody());
    const sensor = await newSensor(network.id);
    await sensor.is('REGISTERED');
    const id = `eui-${sensor.at}`;
    const paths = ['', 'js/', 'ns/', 'as/'].map(
      (registry) => `${registry}applications/plant/devices`,
    );
    const [identity, ...others] = paths;
    expect(theThings.calls).toEqual([
      `POST ${identity}`,
      ...others.map((path) => `PUT ${path}/${id}`),
    ]);
    const ids = ['ids.device_id', 'ids.dev_eui', 'ids.join_eui'];
    const { is, js, ns, as } = theThings.registries;
    expect(is?.get(id)).toMatchObject({
      ids: { dev_eui: sensor.devEui, join_eui: '0102030405060708' },
      ...{ name: 'Cellar', join_server_address: '127.0.0.1' },
    });
    expect(js?.get(id)).toMatchObject({ root_keys: { app_key: { key: APP_KEY } } });
    expect(ns?.get(id)).toMatchObject({
      ...{ lorawan_version: 'MAC_V1_0_3', lorawan_phy_version: 'PHY_V1_0_3_REV_A' },
      ...{ frequency_plan_id: 'EU_863_870_TTN', supports_join: true },
      mask: [
        ...[...ids, 'lorawan_version', 'lorawan_phy_version'],
        ...['frequency_plan_id', 'supports_join'],
      ],
    });
    expect(js?.get(id)?.mask).toContain('root_keys.app_key.key');
    expect(as?.get(id)?.mask).toEqual(ids);

    await sensor.edit({ configuration: { appKey: NEW_KEY } });
    await expect.poll(() => js?.get(id)?.root_keys?.app_key.key, WAIT).toBe(NEW_KEY);
    await sensor.is('REGISTERED');
    theThings.calls.length = 0;
    await sensor.remove();
    await expect.poll(() => theThings.calls, WAIT).toHaveLength(4);
    expect(theThings.calls).toEqual(paths.toReversed().map((path) => `DELETE ${path}/${id}`));
    expect(is?.has(id)).toBe(false);
  });

  it('that is registered elsewhere, or has no frequency plan, says what to do', async () => {
    const { body: network } = await create(theThingsBody({ frequencyPlanId: 'EU_1' }));
    const sensor = await newSensor(network.id);
    await sensor.is('FAILED');
    expect((await sensor.provisioning()).error).toBe(
      'The network server has no frequency plan EU_1: choose one of EU_863_870_TTN, US_902_928_FSB_2.',
    );
    const taken = newEui();
    theThings.taken.set(taken, 'another-application');
    const other = await newSensor(network.id, taken);
    await other.is('FAILED');
    expect((await other.provisioning()).error).toContain('is registered in another-application');
  });
});

describe('a network that registers sensors', () => {
  const kind = 'THE_THINGS_STACK_V3';
  const versions = { macVersion: 'MAC_V1_0_3', phyVersion: 'P' };
  const of11 = { ...versions, frequencyPlanId: 'E', macVersion: 'MAC_V1_1' };
  const token = 'x'.repeat(2_001);

  it.each<[string, Fields, string]>([
    ['without an API', { api: null }, 'api is required with the provisioning PUSH'],
    ['without a token', { api: { url: 'https://x' } }, 'api.token is required with the'],
    ['without a profile', { defaults: {} }, 'defaults.deviceProfileId is required with'],
    ['with a path', { api: { url: 'https://x/api' } }, 'api.url must be an http or https URL'],
    ['without a plan', { kind, defaults: versions }, 'defaults.frequencyPlanId is required with'],
    ['of LoRaWAN 1.1', { kind, defaults: of11 }, 'defaults.macVersion must be of LoRaWAN 1.0'],
    ['with a long token', { api: { url: 'https://x', token } }, 'api.token must'],
  ])('%s is refused', async (_, body, message) => {
    const answer = await create(bodyOf(body));
    expect(answer.status).toBe(400);
    expect(errorsOf(answer).join()).toContain(message);
  });

  it('asks for its token with another url, and keeps it with the same', async () => {
    const { body: network } = await create(bodyOf({ isActive: false }));
    expect(network.api).toEqual({ url: chirpstack.url, hasToken: true });
    const same = await change(network.id, { api: { url: chirpstack.url } });
    expect(same.body.api.hasToken).toBe(true);
    expect(errorsOf(await change(network.id, { api: { url: 'https://elsewhere' } }))).toEqual([
      'api.token is required with another url',
    ]);
  });

  it('shows its token and the keys of its sensors in no answer, audit entry and log line', async () => {
    const { text: networks } = await server.call(operations.listLorawanNetworks, {});
    const { text: audit } = await server.call(operations.listAuditLog, {
      auth: server.administrator,
    });
    expect(audit).toContain('LorawanNetwork');
    for (const secret of [CHIRPSTACK_TOKEN, THE_THINGS_TOKEN, APP_KEY, NEW_KEY]) {
      for (const text of [networks, audit, lines.join()]) {
        expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
      }
    }
  });
});
