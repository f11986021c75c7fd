import { describe, expect, it } from 'vitest';
import { chirpstackUplink, theThingsStackUplink } from '../../../test/support/lorawan.ts';
import { eventOfBody, eventOfMessage, filtersOf, type TopicSettings } from './index.ts';

const CHIRPSTACK: TopicSettings = {
  ...{ kind: 'CHIRPSTACK_V4', applicationId: 'app', tenantId: null, topicTemplate: null },
  gatewayPrefixes: ['eu868'],
};
const chirpstack = (kind: string, body: object) => eventOfBody('CHIRPSTACK_V4', kind, body);
const stack = (body: object) => eventOfBody('THE_THINGS_STACK_V3', undefined, body);
const { deviceInfo } = chirpstackUplink();

describe('an event of ChirpStack', () => {
  it('is an uplink whose defaults are left out, with its time cut to milliseconds', () => {
    expect(chirpstack('up', chirpstackUplink())).toEqual({
      ...{ kind: 'up', devEui: '0101010101010101', name: 'Test device' },
      at: Date.UTC(2022, 6, 18, 9, 34, 15, 775),
      id: '3ac7e3c4-4401-4b8d-9386-a5c902f9202d',
      ...{ devAddr: '00189440', fCnt: 0, fPort: 1, bytes: Buffer.from('aa', 'hex') },
      decoded: null,
      gateways: [
        { id: '0016C001F153A14C', rssi: -36, snr: 10.5 },
        { id: '0016C001F153A14D', rssi: -30, snr: 2 },
      ],
      ...{ spreadingFactor: 11, frequencyMhz: 867.1, battery: null },
    });
  });

  it('is an uplink that nobody here can decrypt', () => {
    const body = chirpstackUplink({ joinServerContext: { sessionKeyId: 'abc' } });
    expect(chirpstack('up', body)).toMatchObject({ bytes: null });
  });

  const status = {
    deduplicationId: 'a',
    time: '2022-07-18T09:34:15+00:00',
    deviceInfo,
    margin: 10,
  };

  it.each([
    ['an empty battery, which is left out', {}, 0],
    ['a battery', { batteryLevel: 75.5 }, 75.5],
    ['external power', { externalPowerSource: true }, null],
    ['a level that is not known', { batteryLevelUnavailable: true }, null],
  ])('is a status with %s', (_, fields, battery) => {
    expect(chirpstack('status', { ...status, ...fields })).toMatchObject({ battery, margin: 10 });
  });

  it('is a join, a line of its log, or a kind that is not stored', () => {
    expect(chirpstack('join', { ...status, devAddr: '01' })).toMatchObject({ devAddr: '01' });
    const line = { ...status, level: 'ERROR', code: 'UPLINK_MIC', description: 'Bad MIC' };
    expect(chirpstack('log', line)).toMatchObject({ code: 'UPLINK_MIC', text: 'Bad MIC' });
    expect(chirpstack('txack', status)).toBeNull();
  });

  it.each([
    ['no EUI', { deviceInfo: {} }, 'deviceInfo.devEui'],
    ['no time', { time: 'yesterday' }, 'time is not a time'],
  ])('with %s is unreadable', (_, changed, message) => {
    expect(() => chirpstack('up', chirpstackUplink(changed))).toThrow(message);
  });

  it('comes by its topic, or by one of another form', () => {
    const body = Buffer.from(JSON.stringify(chirpstackUplink()));
    expect(filtersOf(CHIRPSTACK)).toEqual([
      'application/app/device/+/event/+',
      'eu868/gateway/+/state/conn',
      'eu868/gateway/+/event/stats',
    ]);
    const topic = 'application/app/device/0101010101010101/event/up';
    expect(eventOfMessage(CHIRPSTACK, topic, body)).toMatchObject({ kind: 'up' });
    const other = { ...CHIRPSTACK, topicTemplate: 'site/{event}/{devEui}' };
    expect(filtersOf(other)[0]).toBe('site/+/+');
    expect(eventOfMessage(other, 'site/up/01', body)).toMatchObject({ kind: 'up' });
    expect(eventOfMessage(other, topic, body)).toBeNull();
  });
});

describe('a gateway of ChirpStack', () => {
  const conn = 'eu868/gateway/0016c001f153a14c/state/conn';
  const stats = 'eu868/gateway/0016c001f153a14c/event/stats';
  const of = (topic: string, payload: Buffer | string) =>
    eventOfMessage(CHIRPSTACK, topic, Buffer.from(payload));

  it('says in JSON and in Protobuf whether it is connected', () => {
    const gateway = { kind: 'gateway', gatewayEui: '0016C001F153A14C', at: null, counts: null };
    const online = { ...gateway, isConnected: true };
    expect(of(conn, '{"gatewayId":"0016c001f153a14c","state":"ONLINE"}')).toEqual(online);
    // ConnState: state = 2 as ONLINE, gateway_id = 3.
    const id = Buffer.from('0016c001f153a14c');
    const proto = Buffer.concat([Buffer.from([0x10, 1, 0x1a, id.length]), id]);
    expect(of(conn, proto)).toEqual(online);
    const offline = { ...gateway, isConnected: false };
    expect(of(conn, proto.subarray(2))).toEqual(offline);
    expect(of(conn, '{"gatewayId":"0016c001f153a14c"}')).toEqual(offline);
  });

  it('says nothing where its retained message is cleared', () => {
    expect(of(conn, '')).toBe(null);
  });

  it('counts in JSON and in Protobuf', () => {
    const at = Date.UTC(2022, 6, 18, 9, 34, 15, 775);
    const counts = { rxReceived: 300, rxOk: 2, txReceived: 0, txEmitted: 1 };
    const json = {
      time: '2022-07-18T09:34:15.775Z',
      rxPacketsReceived: 300,
      rxPacketsReceivedOk: 2,
    };
    const expected = { at, isConnected: true, counts };
    expect(of(stats, JSON.stringify({ ...json, txPacketsEmitted: 1 }))).toMatchObject(expected);
    // GatewayStats: time = 2 (seconds = 1, nanos = 2), rx = 5 and 6, tx = 7 and 8.
    const time = [0x08, ...varint(Math.floor(at / 1_000)), 0x10, ...varint(775_000_001)];
    const proto = [0x12, time.length, ...time, 0x28, ...varint(300), 0x30, 2, 0x40, 1];
    expect(of(stats, Buffer.from(proto))).toMatchObject(expected);
    expect(() => of(stats, Buffer.from([0x12, 200]))).toThrow('the Protobuf is broken');
  });
});

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

describe('an event of The Things Stack', () => {
  it('is an uplink, at the time of a gateway that agrees with the server', () => {
    expect(stack(theThingsStackUplink())).toEqual({
      ...{ kind: 'up', devEui: '0004A30B001C0530', name: 'dev1' },
      at: Date.UTC(2020, 1, 12, 15, 15, 45, 787),
      id: 'as:up:01E0WZGT6Y7657CPFPE5WEYDSQ',
      ...{ devAddr: '00BCB929', fCnt: 6, fPort: 1, bytes: Buffer.from('00e1', 'hex') },
      decoded: { temperature: 1.0, luminosity: 0.64 },
      gateways: [{ id: '9C5C8E00001A05C4', rssi: -35, snr: 5.2 }],
      ...{ spreadingFactor: 7, frequencyMhz: 868.3, battery: null },
    });
  });

  it('has the time of the server where a gateway is more than 10 s off', () => {
    const at = (time: string) =>
      stack(theThingsStackUplink({}, { rx_metadata: [{ gateway_ids: {}, time }] }));
    const received = Date.UTC(2020, 1, 12, 15, 15, 45, 799);
    expect(at('2020-02-12T15:15:35.799Z')).toMatchObject({ at: received - 10_000 });
    expect(at('2020-02-12T15:15:35.798Z')).toMatchObject({ at: received });
  });

  it('has the battery, and is none when it is simulated', () => {
    const battery = { last_battery_percentage: { value: 82.6, received_at: 'x' } };
    expect(stack(theThingsStackUplink({}, battery))).toMatchObject({ battery: 82.6 });
    expect(stack(theThingsStackUplink({ simulated: true }))).toBeNull();
    const { end_device_ids, received_at } = theThingsStackUplink();
    expect(stack({ end_device_ids, received_at, join_accept: {} })).toMatchObject({
      kind: 'join',
      devAddr: '00BCB929',
    });
  });

  it('comes by topics of the application, and of its tenant', () => {
    const settings = { ...CHIRPSTACK, kind: 'THE_THINGS_STACK_V3' as const };
    expect(filtersOf(settings)).toEqual(['v3/app/devices/+/up', 'v3/app/devices/+/join']);
    expect(filtersOf({ ...settings, tenantId: 'ttn' })[0]).toBe('v3/app@ttn/devices/+/up');
  });
});
