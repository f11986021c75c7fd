import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { theThingsStackUplink } from '../support/lorawan.ts';
import { type Fields, startLorawanRig, WAIT } from '../support/lorawan-rig.ts';

const MINUTE = 60_000;

let rig: Awaited<ReturnType<typeof startLorawanRig>>;

beforeAll(async () => {
  rig = await startLorawanRig();
});

afterAll(() => rig.stop());

const timeAt = (at: number) => new Date(at).toISOString();

it('every kind of event of ChirpStack is understood or passed over, in both cases of its EUI', async () => {
  const networkId = await rig.connected();
  const devEui = rig.newEui();
  const paths = ['payload.hex', 'lorawan.lost', 'lorawan.battery', 'lorawan.margin'];
  const sensor = await rig.newSensor(devEui, paths);
  const from = rig.server.clock.now() - 60 * MINUTE;
  const send = (event: string, minute: number, fields: Fields = {}, eui = devEui) => {
    const time = timeAt(from + minute * MINUTE);
    return rig.publish(eui, rig.uplinkOf(eui, { time, data: undefined, ...fields }), event);
  };
  await send('up', 0, { fCnt: 100, data: 'AQ==' });
  await send('join', 1, { devAddr: '01020304' });
  // The first frame after the join has no counter, the third one comes next.
  await send('up', 2, { data: 'Ag==', deviceInfo: { devEui: devEui.toUpperCase() } });
  await send('up', 3, { fCnt: 2, data: 'Aw==' }, devEui.toUpperCase());
  await send('status', 4, { margin: 9 });
  await send('status', 5, { externalPowerSource: true });
  await send('log', 6, { level: 'WARNING', code: 'UPLINK_F_CNT_RETRANSMISSION' });
  for (const event of ['ack', 'txack', 'location', 'integration', 'unheard-of']) {
    await send(event, 7, { acknowledged: true });
  }
  await send('up', 8, { fCnt: 3, data: 'BA==' });

  await expect.poll(sensor.latest, WAIT).toEqual({
    ...{ 'payload.hex': '04', 'lorawan.lost': 0, 'lorawan.battery': 0, 'lorawan.margin': 0 },
  });
  const valuesOf = async (path: string) =>
    (await sensor.readings(path)).map(
      ({ timestamp, value }: Fields) => `${(Number(timestamp) - from) / MINUTE} min: ${value}`,
    );
  expect(await valuesOf('payload.hex')).toEqual([
    '0 min: 01',
    '2 min: 02',
    '3 min: 03',
    '8 min: 04',
  ]);
  expect(await valuesOf('lorawan.battery')).toEqual(['4 min: 0']);
  await expect.poll(async () => (await rig.radioOf(sensor.id)).lastUplink?.fCnt, WAIT).toBe(3);
  expect(await rig.radioOf(sensor.id)).toMatchObject({
    ...{ lostUplinks24h: 1, retransmittedUplinks24h: 0, battery: null },
    ...{ lastJoinDateTime: timeAt(from + MINUTE), devAddr: '00189440' },
    log: [{ level: 'WARNING', code: 'UPLINK_F_CNT_RETRANSMISSION', text: '' }],
  });
  await rig.remove(networkId);
});

it('the messages of The Things Stack arrive over MQTT, and those of other kinds are passed over', async () => {
  const tenant = { tenantId: 'ttn', applicationId: 'app1', gatewayPrefixes: [] };
  const networkId = await rig.connected({ kind: 'THE_THINGS_STACK_V3', ...tenant });
  const devEui = '0004A30B001C0999';
  const sensor = await rig.newSensor(devEui.toLowerCase(), ['payload.temperature', 'lorawan.rssi']);
  const { end_device_ids } = theThingsStackUplink();
  const ids = { end_device_ids: { ...Object(end_device_ids), dev_eui: devEui } };
  const at = rig.server.clock.now() - MINUTE;
  const publish = (leaf: string, message: Fields) =>
    rig.networkServer.publishAsync(`v3/app1@ttn/devices/dev1/${leaf}`, JSON.stringify(message));
  const uplink = (f_cnt: number, seconds: number, temperature: number, changed: Fields = {}) => {
    const received_at = timeAt(at + 1_000 * seconds);
    const fields = { f_cnt, decoded_payload: { temperature }, received_at };
    const correlation_ids = [`as:up:${f_cnt}`];
    return theThingsStackUplink({ ...ids, correlation_ids, ...changed }, fields);
  };
  await publish('join', { ...ids, received_at: timeAt(at), join_accept: {} });
  await publish('up', uplink(1, 10, 21.5));
  await publish('up', uplink(1, 10, 21.5));
  for (const leaf of ['queued', 'sent', 'ack', 'nack', 'failed']) {
    await publish(`down/${leaf}`, { ...ids, received_at: timeAt(at) });
  }
  await publish('service/data', { ...ids, received_at: timeAt(at), service_data: {} });
  await publish('up', uplink(2, 20, 99, { simulated: true }));
  await publish('up', uplink(3, 30, 22.5));

  await expect.poll(sensor.latest, WAIT).toEqual({
    ...{ 'payload.temperature': 22.5, 'lorawan.rssi': -35 },
  });
  // The time of the gateway of the example is years ago.
  expect(await sensor.readings('payload.temperature')).toEqual([
    { timestamp: at + 10_000, value: 21.5 },
    { timestamp: at + 30_000, value: 22.5 },
  ]);
  await expect.poll(async () => (await rig.radioOf(sensor.id)).lastUplink?.fCnt, WAIT).toBe(3);
  expect(await rig.radioOf(sensor.id)).toMatchObject({
    ...{ networkId, lastJoinDateTime: timeAt(at), lostUplinks24h: 1, retransmittedUplinks24h: 0 },
  });
  await rig.remove(networkId);
});

it('a late uplink is stored, and no Alarm judges it', async () => {
  const networkId = await rig.connected();
  const devEui = rig.newEui();
  const sensor = await rig.newSensor(devEui, ['payload.temperature']);
  const { server } = rig;
  const { body: variables } = await server.call(operations.listDeviceVariables, {
    params: { deviceId: sensor.id },
  });
  const alarm = await server.call(operations.createAlarm, {
    body: {
      ...{ name: 'Hot', deviceId: sensor.id, deviceVariableId: variables.items[0].id },
      ...{ operator: 'GREATER_THAN', thresholdValueNumber: 30, severity: 'HIGH', isActive: true },
      alarmGroupId: null,
    },
  });
  expect(alarm.status, alarm.text).toBe(201);
  const send = (minutesAgo: number, fCnt: number, temperature: number) => {
    const time = timeAt(server.clock.now() - minutesAgo * MINUTE);
    return rig.publish(devEui, rig.uplinkOf(devEui, { time, fCnt, object: { temperature } }));
  };
  const events = async () => {
    const now = server.clock.now();
    const body = { startTime: now - 24 * 60 * MINUTE, endTime: now };
    return (await server.call(operations.listAlarmHistory, { body })).body.items.length;
  };
  await send(1, 20, 20);
  await send(30, 10, 40);
  await expect
    .poll(async () => (await sensor.readings('payload.temperature')).length, WAIT)
    .toBe(2);
  await send(0, 21, 41);
  await expect.poll(events, WAIT).toBe(1);
  expect((await rig.radioOf(sensor.id)).lostUplinks24h).toBe(0);
  await rig.remove(networkId);
});
