import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onlineVariableIdOf } from '../../src/presence/index.ts';
import { rowsIn } from '../support/database.ts';
import { chirpstackUplink } from '../support/lorawan.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { cases } from '../support/soak.ts';

const MINUTE = 60_000;
/** Of gateways; a sensor that sent once has one of 15 minutes. */
const ONLINE_MINUTES = 2;
const SENSOR_WINDOW_MS = 15 * MINUTE;
const WAIT_MS = 90_000;
/** In soak 1 000. */
const SENSORS = cases(1_000, 0.01);
const GATEWAYS = ['0016C001F153A101', '0016C001F153A102'] as const;

let server: TestServer;
let receiver: Receiver;
let networkId: string;
let alarmGroupId: string;

beforeAll(async () => {
  server = await startServer({
    env: {
      FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.0/8',
      FIELDWATCH_ONLINE_MINUTES: String(ONLINE_MINUTES),
    },
  });
  receiver = await startReceiver();
  const hook = { name: 'Pager', url: receiver.url };
  const { body: webhook } = await server.call(operations.createWebhook, { body: hook });
  const subscriptions = [{ kind: 'WEBHOOK', webhookId: webhook.id }];
  const { body: group } = await server.call(operations.createAlarmGroup, {
    body: { name: 'Operators', subscriptions },
  });
  alarmGroupId = group.id;
  const network = { name: 'Roof', kind: 'CHIRPSTACK_V4', ingest: 'WEBHOOK', applicationId: 'app' };
  const { body } = await server.call(operations.createLorawanNetwork, { body: network });
  networkId = body.id;
});

afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

async function newDevice(type: string, name: string, configuration: object): Promise<string> {
  const body = { type, name, configuration };
  const { status, text, body: device } = await server.call(operations.createDevice, { body });
  expect(status, text).toBe(201);
  const { status: made, text: refusal } = await server.call(operations.createAlarm, {
    body: {
      ...{ name: 'Offline', deviceId: device.id, deviceVariableId: onlineVariableIdOf(device.id) },
      ...{ operator: 'EQUAL', thresholdValueBoolean: false, severity: 'HIGH', isActive: true },
      alarmGroupId,
    },
  });
  expect(made, refusal).toBe(201);
  return device.id;
}

const newGateway = (gatewayEui: string) =>
  newDevice('LORAWAN_GATEWAY_EDGE', `Gateway ${gatewayEui}`, { gatewayEui, rfRegion: 'EU868' });

const euiOf = (index: number) => (0xa0n * 2n ** 56n + BigInt(index)).toString(16).toUpperCase();

const newSensor = (index: number) =>
  newDevice('LORAWAN_DEVICE', `Sensor ${index}`, {
    ...{ devEui: euiOf(index), appEui: '0'.repeat(16), appKey: 'A'.repeat(32) },
  });

/** The gateway sends something itself. */
const report = (deviceId: string) =>
  server.call(operations.writeReadings, { params: { deviceId }, body: { data: { any: 1 } } });

/** An uplink of a sensor that these gateways receive. */
async function uplink(index: number, gatewayEuis: readonly string[]): Promise<void> {
  const message = chirpstackUplink({
    ...{ deviceInfo: { devEui: euiOf(index) }, deduplicationId: crypto.randomUUID() },
    time: new Date(server.clock.now()).toISOString(),
    rxInfo: gatewayEuis.map((eui) => ({ gatewayId: eui.toLowerCase(), rssi: -90, snr: 3 })),
  });
  const given = { params: { networkId }, body: message, query: 'event=up' };
  const { status, text } = await server.call(operations.receiveLorawanEvent, given);
  expect(status, text).toBe(200);
}

/** How many Devices are recorded as seen and online. */
const onlineCount = async () => {
  const [row] = await rowsIn<{ count: number }>(
    server.databaseUrl,
    'select count(*)::int as count from devices where is_online and last_seen_at is not null',
  );
  return row?.count;
};
const recordedOnline = (count: number) => expect.poll(onlineCount).toBe(count);
const received = () =>
  receiver.received.map(({ body: { type, data } }) => [type, data.deviceName ?? data.count]);

it('sensors are silent with their gateways: one message for one that fails, and none of them while another receives them', async () => {
  const [first, second] = GATEWAYS;
  const [gateway, spare] = [await newGateway(first), await newGateway(second)];
  const indexes = Array.from({ length: SENSORS }, (_, index) => index);
  const both = SENSORS;
  for (const index of [...indexes, both]) await newSensor(index);
  for (const each of [gateway, spare]) await report(each);
  for (const index of indexes) await uplink(index, [first]);
  await uplink(both, [first, second]);
  await recordedOnline(SENSORS + 3);

  // The sensors' window ends after that of the first gateway; the second one goes on.
  server.clock.advance(ONLINE_MINUTES * MINUTE + 1);
  await report(spare);
  await recordedOnline(SENSORS + 2);
  await expect.poll(received).toEqual([['alarm.raised', `Gateway ${first}`]]);
  expect(receiver.received[0]?.body.context).toMatchObject({ devicesBehind: SENSORS });

  server.clock.advance(SENSOR_WINDOW_MS - 2 * MINUTE);
  await report(spare);
  server.clock.advance(MINUTE);
  await report(spare);
  await recordedOnline(1);
  // It waits, since one of its gateways is online, and is then reported by itself.
  server.clock.advance(WAIT_MS);
  await report(spare);
  await expect.poll(received).toEqual([
    ['alarm.raised', `Gateway ${first}`],
    ['alarm.raised', `Sensor ${both}`],
  ]);
  const suppressed = await rowsIn(
    server.databaseUrl,
    "select id from alarm_events where suppression_kind = 'TOPOLOGY' and cleared_at is null",
  );
  expect(suppressed).toHaveLength(SENSORS);
}, 600_000);
