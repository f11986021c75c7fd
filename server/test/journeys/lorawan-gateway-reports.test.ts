import { ConnState, GatewayStats } from '@chirpstack/chirpstack-api/gw/gw_pb.js';
import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsIn } from '../support/database.ts';
import { type Fields, startLorawanRig, WAIT } from '../support/lorawan-rig.ts';
import { variableCalls } from '../support/variable-calls.ts';

const STATISTICS_MS = 30_000;
const MINUTE = 60_000;

let rig: Awaited<ReturnType<typeof startLorawanRig>>;

beforeAll(async () => {
  rig = await startLorawanRig();
});

afterAll(() => rig.stop());

async function newGateway() {
  const { server } = rig;
  const gatewayEui = rig.newEui();
  const configuration = { gatewayEui, rfRegion: 'EU868' };
  const body = { type: 'LORAWAN_GATEWAY_EDGE', name: 'Gateway on the roof', configuration };
  const { body: gateway } = await server.call(operations.createDevice, { body });
  const params = { deviceId: gateway.id as string };
  const path = { topicPropertyPath: 'lorawan.isConnected', type: 'BOOLEAN' };
  const { id } = await variableCalls(server).made(gateway.id, path);
  const received = { topicPropertyPath: 'lorawan.rxReceived', type: 'NUMBER' };
  const { id: receivedId } = await variableCalls(server).made(gateway.id, received);
  const latestOf = async (variableId: string) => {
    const query = `ids[]=${variableId}`;
    return (await server.call(operations.listLatestValues, { query })).body.items[0]?.value;
  };
  const send = (leaf: string, payload: Buffer, retain = false) => {
    const topic = `eu868/gateway/${gatewayEui}/${leaf}`;
    return rig.networkServer.publishAsync(topic, payload, { qos: 1, retain });
  };
  const json = (message: Fields) => Buffer.from(JSON.stringify(message));
  const retrieve = async () => (await server.call(operations.retrieveDevice, { params })).body;
  return {
    ...{ id: params.deviceId, gatewayEui, send },
    state: async () => ({
      ...{ isConnected: await latestOf(id), isOnline: (await retrieve()).isOnline },
    }),
    received: () => latestOf(receivedId),
    isOnline: async () => (await retrieve()).isOnline,
    seen: async () => (await retrieve()).lastSeenDateTime,
    window: async () => (await server.call(operations.retrieveOnlineWindow, { params })).body,
    say: (state: string) => send('state/conn', json({ state }), true),
    count: (fields: Fields = {}) => send('event/stats', json({ rxPacketsReceived: 3, ...fields })),
    write: () => server.call(operations.writeReadings, { params, body: { data: { any: 1 } } }),
  };
}

/** What is recorded of the Device of a gateway. */
async function recordOf(deviceId: string) {
  const query = `select is_online, online_held_until is not null as is_held
    from devices where id = '${deviceId}'`;
  return (await rowsIn(rig.server.databaseUrl, query))[0];
}

/** Statistics with the time of the server, as many as show the interval. */
async function countRegularly(gateway: Awaited<ReturnType<typeof newGateway>>): Promise<void> {
  for (const _ of [1, 2, 3, 4]) {
    rig.server.clock.advance(STATISTICS_MS);
    await gateway.count({ time: new Date(rig.server.clock.now()).toISOString() });
  }
  await expect.poll(gateway.window, WAIT).toEqual({ onlineMinutes: null, learnedOnlineMinutes: 2 });
}

it('a gateway is online by its state and its statistics, and offline as soon as it is lost', async () => {
  const networkId = await rig.connected();
  const gateway = await newGateway();
  await gateway.say('ONLINE');
  await expect.poll(gateway.state, WAIT).toEqual({ isConnected: true, isOnline: true });
  await expect.poll(async () => (await rig.radioOf(gateway.id)).networkId, WAIT).toBe(networkId);
  const seen = await gateway.seen();
  rig.server.clock.advance(1_000);
  await gateway.say('OFFLINE');
  await expect.poll(gateway.state, WAIT).toEqual({ isConnected: false, isOnline: false });
  expect(await gateway.seen()).toBe(seen);
  rig.server.clock.advance(1_000);
  await gateway.count();
  await expect.poll(gateway.state, WAIT).toEqual({ isConnected: true, isOnline: true });
  await rig.remove(networkId);
});

it('a gateway that a retained message calls connected is not online by it, but one that is lost is offline', async () => {
  const [gone, lost, counting] = [await newGateway(), await newGateway(), await newGateway()];
  await gone.say('ONLINE');
  await lost.say('OFFLINE');
  await lost.write();
  expect((await lost.state()).isOnline).toBe(true);
  rig.server.clock.advance(1_000);
  const networkId = await rig.connected();
  await expect.poll(lost.state, WAIT).toEqual({ isConnected: false, isOnline: false });
  // Messages are handled one after the other.
  await counting.count();
  await expect.poll(counting.state, WAIT).toEqual({ isConnected: true, isOnline: true });
  expect(await gone.state()).toEqual({ isConnected: undefined, isOnline: false });
  await rig.remove(networkId);
});

it('a gateway is online for three intervals of its statistics, unless it has a window of its own', async () => {
  const networkId = await rig.connected();
  const gateway = await newGateway();
  await gateway.count();
  await expect.poll(async () => (await rig.radioOf(gateway.id)).networkId, WAIT).toBe(networkId);
  // A network of another application of the same region receives the statistics, too.
  const otherId = await rig.connected({ name: 'Other', applicationId: 'other' });
  await countRegularly(gateway);
  rig.server.clock.advance(1.5 * MINUTE);
  expect(await gateway.isOnline()).toBe(true);
  rig.server.clock.advance(MINUTE);
  expect(await gateway.isOnline()).toBe(false);
  const params = { deviceId: gateway.id };
  const body = { onlineMinutes: 5 };
  await rig.server.call(operations.updateOnlineWindow, { params, body });
  expect(await gateway.isOnline()).toBe(true);
  expect(await rig.radioOf(gateway.id)).toMatchObject({ networkId, uplinkIntervalSeconds: null });
  for (const id of [networkId, otherId]) await rig.remove(id);
});

it('a gateway has its window once more after the connection to the broker was lost', async () => {
  const networkId = await rig.connected();
  const gateway = await newGateway();
  await countRegularly(gateway);
  const record = () => recordOf(gateway.id);
  await expect.poll(record, WAIT).toEqual({ is_online: true, is_held: false });
  const isConnected = async () => (await rig.stateOf(networkId)).isConnected;
  const set = (isActive: boolean) =>
    rig.server.call(operations.updateLorawanNetwork, { params: { networkId }, body: { isActive } });
  await set(false);
  await expect.poll(isConnected, WAIT).toBe(false);
  rig.server.clock.advance(1.5 * MINUTE);
  await set(true);
  await expect.poll(isConnected, WAIT).toBe(true);
  await expect.poll(record, WAIT).toEqual({ is_online: true, is_held: true });
  rig.server.clock.advance(MINUTE);
  await expect.poll(gateway.isOnline, WAIT).toBe(true);
  rig.server.clock.advance(2 * MINUTE);
  await expect.poll(gateway.isOnline, WAIT).toBe(false);
  await rig.remove(networkId);
});

it('a gateway reports in Protobuf, as the classes of ChirpStack encode it', async () => {
  const networkId = await rig.connected();
  const gateway = await newGateway();
  const connection = new ConnState();
  connection.setGatewayId(gateway.gatewayEui);
  connection.setState(ConnState.State.ONLINE);
  await gateway.send('state/conn', Buffer.from(connection.serializeBinary()));
  await expect.poll(gateway.state, WAIT).toEqual({ isConnected: true, isOnline: true });

  const statistics = new GatewayStats();
  statistics.setGatewayId(gateway.gatewayEui);
  statistics.setRxPacketsReceived(300);
  await gateway.send('event/stats', Buffer.from(statistics.serializeBinary()));
  await expect.poll(gateway.received, WAIT).toBe(300);
  rig.server.clock.advance(1_000);
  connection.setState(ConnState.State.OFFLINE);
  await gateway.send('state/conn', Buffer.from(connection.serializeBinary()));
  await expect.poll(gateway.state, WAIT).toEqual({ isConnected: false, isOnline: false });
  await rig.remove(networkId);
});
