import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@fieldwatch/contract';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllowed } from '../../src/runtime/index.ts';
import { alarmBench } from '../support/alarms.ts';
import { type Run, startInCheckout } from '../support/checkout.ts';
import {
  blocksIn,
  documented,
  fencesIn,
  readPage,
  type Substitutions,
  settingsOf,
  substituted,
} from '../support/documented-commands.ts';
import { type IngestCalls, ingestCalls } from '../support/ingest-calls.ts';
import { chirpstackUplink, theThingsStackUplink } from '../support/lorawan.ts';
import { type Mosquitto, requireMosquitto, startMosquitto } from '../support/mosquitto.ts';
import { type PhoneService, startPhoneService } from '../support/phone-service.ts';
import { startServer, type TestServer } from '../support/server.ts';

const WAIT = { interval: 50 };
/** The private address of the pages, of a broker and of a router. */
const OUTBOUND = settingsOf(documented('docs/home-assistant.md', 'FIELDWATCH_OUTBOUND_ALLOW='));
/** The settings of docs/notifications.md. */
const NOTIFICATIONS = settingsOf(
  substituted(blocksIn('docs/notifications.md', 'sh').join(' '), [
    ['mail.example.com', '127.0.0.1'],
  ]),
);
const PUBLIC_URL = 'https://fieldwatch.example.com';

let server: TestServer;
let broker: Mosquitto;
let phones: PhoneService;
let calls: IngestCalls;
let folder: string;
/** The example of the pages, and what it is in this test. Every command passes through this table. */
let substitutions: Substitutions;
let variables: Record<string, string>;

beforeAll(async () => {
  requireMosquitto();
  folder = mkdtempSync(join(tmpdir(), 'fieldwatch-documented-'));
  // The pages show no progress of curl, and an answer other than 2xx fails the command.
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\nfail-with-body\n');
  const [settings] = fencesIn(readPage('docs/chirpstack.md'));
  broker = await startMosquitto(settings?.text);
  phones = await startPhoneService();
  const allowed = `${OUTBOUND.FIELDWATCH_OUTBOUND_ALLOW},${NOTIFICATIONS.FIELDWATCH_OUTBOUND_ALLOW}`;
  server = await startServer({
    env: {
      ...NOTIFICATIONS,
      FIELDWATCH_OUTBOUND_ALLOW: allowed.replace('192.168.1.20', '127.0.0.1'),
    },
  });
  calls = ingestCalls(server);
  const [keyId = '', secret = ''] = atob(server.key.replace('Basic ', '')).split(':');
  variables = {
    CURL_HOME: folder,
    ORGANIZATION_ID: server.organizationId,
    API_KEY_ID: keyId,
    API_KEY_SECRET: secret,
  };
  substitutions = [
    ['http://localhost:8080', server.url],
    [PUBLIC_URL, server.url],
    ['-h localhost', `-h localhost -p ${server.mqttPort}`],
    ['-h 192.168.1.20', `-h 127.0.0.1 -p ${broker.port}`],
    ['mqtt://192.168.1.20', broker.url],
    ['mqtts://broker.example.com', broker.url],
    ['mqtts://eu1.cloud.thethings.network', broker.url],
    ['http://10.0.0.1', phones.url],
  ];
});

afterAll(async () => {
  await server.stop();
  await broker.stop();
  await phones.stop();
  rmSync(folder, { recursive: true });
});

/** Starts commands of a page as a terminal does. */
function start(text: string, own: Record<string, string> = {}): Run {
  const script = substituted(text, substitutions);
  // An example that the table lacks would be called as it is.
  expect(script).not.toMatch(/(?:\b(?:http|mqtt)s?:\/\/|-h )(?!127\.0\.0\.1|localhost)/);
  return startInCheckout('bash', ['-euo', 'pipefail', '-c', script], { ...variables, ...own });
}

async function run(text: string, own: Record<string, string> = {}): Promise<string> {
  const { exitCode, output } = await start(text, own).ended;
  expect(exitCode, output).toBe(0);
  return output;
}

const answer = async (text: string, own: Record<string, string> = {}) =>
  JSON.parse(await run(text, own));

/** A Device with the Variable that the pages publish to. */
async function newGenerator() {
  const { id, auth } = await calls.newDevice({ name: 'Generator 1' });
  const variableId = await calls.newVariable(id, 'engine.rpm');
  const [, password = ''] = atob(auth.replace('Basic ', '')).split(':');
  return { id, variableId, environment: { DEVICE_ID: id, DEVICE_PASSWORD: password } };
}

/** The text with its ids, times and numbers left out. */
const formOf = (text: string) =>
  text.replaceAll(/"0199…"|"[\da-f-]{36}"|"[\d-]+T[\d:.]+Z"|(?<=[:\s])\d+/g, '…').trim();

const readingsOf = async (variableId: string) =>
  (await server.call(operations.listReadings, { params: { variableId } })).body.items;

it('README.md lists no Devices, creates one, and publishes a path that has no Variable yet', async () => {
  const listed = await answer(
    documented('README.md', 'curl -u "$API_KEY_ID:$API_KEY_SECRET" "http'),
  );
  const [, printed = ''] = /```json\n(.*?)```/s.exec(readPage('README.md')) ?? [];
  expect(listed).toEqual(JSON.parse(printed));
  const device = await answer(documented('README.md', 'curl -u "$API_KEY_ID:$API_KEY_SECRET" -H'));
  expect(device).toMatchObject({ name: 'Generator 1', credentials: { username: device.id } });
  await run(documented('README.md', 'mosquitto_pub'), {
    DEVICE_ID: device.id,
    DEVICE_PASSWORD: device.credentials.password,
  });
  const unmatched = await calls.unmatchedOf(device.id);
  expect(unmatched.items).toMatchObject([{ path: 'engine.rpm' }]);
});

describe('docs/mqtt.md and docs/interface.md', () => {
  it('publish a reading that the history returns by column', async () => {
    const { variableId, environment } = await newGenerator();
    await run(documented('docs/mqtt.md', 'mosquitto_pub'), environment);
    expect(await readingsOf(variableId)).toMatchObject([{ value: 1800 }]);
    const history = await answer(documented('docs/interface.md', 'curl'), {
      VARIABLE_ID: variableId,
    });
    expect(history).toMatchObject({ variableId, columns: { value: [1800] } });
  });

  it('subscribe to the alarm events', async () => {
    const { id, variableId } = await newGenerator();
    const watched = { deviceId: id, deviceVariableId: variableId };
    const terms = { operator: 'GREATER_THAN', thresholdValueNumber: 1600 };
    await alarmBench(() => server).create({ name: 'Speed', ...watched, ...terms });
    const subscribed = start(documented('docs/mqtt.md', 'mosquitto_sub'));
    let message = '';
    const received = subscribed.until('}\n').then((output) => {
      message = output.split('\n')[0] ?? '';
    });
    // Nothing says when the client has subscribed: the Alarm is raised until it gets an event.
    const raised = async () => {
      await calls.write(id, { 'engine.rpm': 1500 });
      await calls.write(id, { 'engine.rpm': 1700 });
      return message;
    };
    await expect.poll(raised, WAIT).not.toBe('');
    await received;
    subscribed.signalAll('SIGINT');
    await subscribed.ended;
    expect(JSON.parse(message)).toMatchObject({
      id: expect.any(String),
      change: expect.stringMatching(/^(?:RAISED|CLEARED)$/),
      event: { alarmName: 'Speed', raisedValue: 1700 },
    });
  });
});

it('docs/live.md follows the events that the page shows', async () => {
  const { id } = await newGenerator();
  // Records that the Devices of the tests before are online, which are readings, too.
  await server.call(operations.searchDevices, { body: { states: ['ONLINE'] } });
  const stream = start(documented('docs/live.md', 'curl'));
  await stream.until('event: ready');
  await calls.write(id, { 'engine.rpm': 1800 });
  await stream.until('event: device');
  const output = await stream.until('"value":1800');
  stream.signalAll('SIGINT');
  await stream.ended;
  const [, shown] = fencesIn(readPage('docs/live.md'));
  // That the Device itself is online may be recorded beside its first reading.
  const sent = output.replaceAll(/,\{[^{}]*"value":true\}|\{[^{}]*"value":true\},/g, '');
  expect(formOf(sent)).toBe(formOf(shown?.text.replace(': heartbeat', '') ?? ''));
});

it('docs/maintenance.md begins a window for a Device that ends by itself', async () => {
  const { id, environment } = await newGenerator();
  const [block = ''] = blocksIn('docs/maintenance.md', 'sh');
  const window = await answer(block, environment);
  expect(window).toMatchObject({ reason: 'Oil change', scope: { deviceIds: [id] } });
  expect(Date.parse(window.to)).toBeGreaterThan(Date.now());
});

it('docs/home-assistant.md connects, and the broker has what the page shows', async () => {
  const { id, variableId } = await newGenerator();
  await calls.write(id, { 'engine.rpm': 1.5 });
  const connection = await answer(documented('docs/home-assistant.md', 'curl'));
  const params = { connectionId: connection.id };
  const stateOf = async () =>
    (await server.call(operations.retrieveHomeAssistantConnection, { params })).body.status.state;
  await expect.poll(stateOf, WAIT).toBe('CONNECTED');
  const subscribed = start(documented('docs/home-assistant.md', 'mosquitto_sub'));
  const root = `fieldwatch-home-assistant/${connection.id}`;
  await subscribed.until(`${root}/status online\n`);
  await subscribed.until(
    `homeassistant/device/fieldwatch_${id}/config {"dev":{"ids":["fieldwatch_${id}"],"name":"Generator 1"`,
  );
  await subscribed.until(`${root}/${id}/availability online\n`);
  await subscribed.until(`${root}/${id}/${variableId} 1.5\n`);
  subscribed.signalAll('SIGINT');
  await subscribed.ended;
  await server.call(operations.deleteHomeAssistantConnection, { params });
});

it('docs/mcp.md prints the header of an API key', async () => {
  const key = atob(server.key.replace('Basic ', ''));
  const printed = await run(documented('docs/mcp.md', 'printf').replace('id:secret', key));
  expect(printed).toBe(`${server.key}\n`);
});

it('docs/node-red.md installs the nodes of the checkout into the folder of Node-RED', async () => {
  const offline = { npm_config_offline: 'true', npm_config_audit: 'false' };
  await run(documented('docs/node-red.md', 'npm install --prefix'), { HOME: folder, ...offline });
  const load = createRequire(join(folder, '.node-red/settings.js'));
  expect(load('node-red-contrib-fieldwatch/nodes/fieldwatch-server.js')).toBeTypeOf('function');
});

it('docs/notifications.md allows the network of its example, and no other private one', async () => {
  // Only the refused address is called: an allowed one may be a machine of somebody else.
  const { body } = await server.call(operations.createWebhook, {
    body: { name: 'Hall', url: 'http://10.30.0.1/' },
  });
  const tested = await server.call(operations.testWebhook, { params: { webhookId: body.id } });
  expect(tested.body.error).toBe('the address is not a public one, and not allowed');
  const allowed = parseAllowed(NOTIFICATIONS.FIELDWATCH_OUTBOUND_ALLOW ?? '');
  expect(allowed.address('10.20.0.1')).toBe(true);
  expect(allowed.host('hooks.plant.internal')).toBe(true);
});

it('docs/sms.md creates a channel whose test message reaches the router', async () => {
  const channel = await answer(documented('docs/sms.md', 'curl'));
  expect(channel).toMatchObject({ name: 'Router in hall 2', kind: 'SMS' });
  const { body } = await server.call(operations.testPhoneChannel, {
    params: { channelId: channel.id },
    body: { to: '+4915112345678' },
  });
  expect(body).toMatchObject({ status: 200, error: null });
  expect(phones.sent).toMatchObject([
    {
      path: '/cgi-bin/sms_send',
      ...{ username: 'sms', password: 'correct horse', number: '004915112345678' },
    },
  ]);
});

describe('a LoRaWAN network', () => {
  const stateOf = async (networkId: string) =>
    (await server.call(operations.retrieveLorawanNetwork, { params: { networkId } })).body.state;

  it.each([
    [
      'docs/chirpstack.md',
      documented('docs/chirpstack.md', 'curl'),
      'application/17c82e96-be03-4f38-aef3-f83d48582d97/device/0101010101010101/event/up',
      chirpstackUplink(),
    ],
    [
      'docs/the-things-stack.md',
      documented('docs/the-things-stack.md', 'curl'),
      'v3/my-application@ttn/devices/dev1/up',
      theThingsStackUplink(),
    ],
  ])(
    'of %s connects, and gets the uplinks of its application',
    async (_, command, topic, uplink) => {
      const network = await answer(command);
      await expect.poll(async () => (await stateOf(network.id)).isConnected, WAIT).toBe(true);
      const publisher = await connectAsync(broker.url);
      await publisher.publishAsync(topic, JSON.stringify(uplink), { qos: 1 });
      await publisher.endAsync();
      await expect
        .poll(async () => (await stateOf(network.id)).lastEventDateTime, WAIT)
        .not.toBeNull();
    },
  );
});
