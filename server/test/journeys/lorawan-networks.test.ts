import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulate } from '../../../simulator/src/index.ts';
import { CERTIFICATE } from '../support/certificate.ts';
import { startCommand } from '../support/command.ts';
import { documented, words } from '../support/documented-commands.ts';
import { errorsOf } from '../support/lorawan.ts';
import { type Fields, startLorawanRig, WAIT } from '../support/lorawan-rig.ts';
import { SECRET_KEY } from '../support/server.ts';

type Rig = Awaited<ReturnType<typeof startLorawanRig>>;

let rig: Rig;
let broker: Rig['broker'];
let server: Rig['server'];
let neighbour: Rig['neighbour'];
let create: Rig['create'];
let stateOf: Rig['stateOf'];
let newEui: Rig['newEui'];
let remove: Rig['remove'];
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
    create,
    stateOf,
    newEui,
    remove,
    connected,
    newSensor,
    uplinkOf,
    publish,
  } = rig);
});

afterAll(() => rig.stop());

describe('fieldwatch lorawan-probe', () => {
  const [, ...documentedArgs] = words(documented('docs/cli.md', 'fieldwatch lorawan-probe'));
  const probe = (networkId: string) =>
    startCommand(documentedArgs.with(documentedArgs.indexOf('--network') + 1, networkId), {
      ...{ DATABASE_URL: server.databaseUrl, FIELDWATCH_SECRET_KEY: SECRET_KEY },
      FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1',
    });

  it('prints what it understands, and the server misses nothing', async () => {
    const networkId = await connected();
    const devEui = newEui();
    const sensor = await newSensor(devEui, ['payload.hex']);
    const stranger = newEui();
    const command = probe(networkId);
    await expect.poll(command.output, WAIT).toContain('subscribed to application/app/device/+');
    await publish(devEui, uplinkOf(devEui, { data: '3q2+7w==' }));
    await expect.poll(command.output, WAIT).toContain('"payload":{"hex":"DEADBEEF"}');
    await expect.poll(sensor.latest, WAIT).toEqual({ 'payload.hex': 'DEADBEEF' });
    const topic = `application/app/device/${stranger}/event/join`;
    await rig.networkServer.publishAsync(topic, JSON.stringify(uplinkOf(stranger)));
    await expect.poll(command.output, WAIT).toContain('"joined":true');
    command.interrupt();
    const { exitCode, output } = await command.ended;
    expect(output).toContain('1 event was published with QoS 0');
    expect(output).toContain(`has the EUI ${stranger.toUpperCase()}: create a Device`);
    expect([exitCode, output.trim().split('\n').at(-1)]).toEqual([0, '1 up, 1 join.']);
    await remove(networkId);
    expect(await probe(networkId).ended).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining(`There is no LoRaWAN network ${networkId}.`),
    });
  });

  it('says what to check where the broker cannot be used', async () => {
    const { body: network } = await create({ mqtt: { url: 'mqtt://127.0.0.1:1' } });
    const { exitCode, errors } = await probe(network.id).ended;
    expect([exitCode, errors]).toEqual([
      1,
      expect.stringMatching(/^The broker mqtt:\/\/127.0.0.1:1 cannot.*FIELDWATCH_OUTBOUND_ALLOW/s),
    ]);
    await remove(network.id);
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
