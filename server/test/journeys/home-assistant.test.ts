import { operations } from '@fieldwatch/contract';
import { connectAsync, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discoveryProblems } from '../support/home-assistant.ts';
import { type Mosquitto, requireMosquitto, startMosquitto } from '../support/mosquitto.ts';
import { mqttCalls } from '../support/mqtt.ts';
import { startNeighbour, startServer, type TestServer } from '../support/server.ts';
import { variableCalls } from '../support/variable-calls.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const WAIT = { timeout: 10_000, interval: 50 };

type Fields = Record<string, unknown>;

let broker: Mosquitto;
let server: TestServer;
/** Home Assistant, as far as the broker is concerned. */
let home: MqttClient;
/** What a new subscriber would get, by topic. */
const retained = new Map<string, string>();

beforeAll(async () => {
  requireMosquitto();
  broker = await startMosquitto();
  server = await startServer({ env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' } });
  home = await follow();
});

afterAll(async () => {
  await home.endAsync(true);
  await server.stop();
  await broker.stop();
});

async function follow(): Promise<MqttClient> {
  const client = await connectAsync(broker.url, { protocolVersion: 5, reconnectPeriod: 20 });
  client.on('message', (topic, payload) => {
    if (payload.length === 0) retained.delete(topic);
    else retained.set(topic, payload.toString());
  });
  await client.subscribeAsync(['homeassistant/#', 'fieldwatch-home-assistant/#']);
  return client;
}

const create = (body: Fields = {}, at = server) =>
  at.call(operations.createHomeAssistantConnection, {
    body: { name: 'Home', url: broker.url, ...body },
  });
const update = (connectionId: string, body: Fields) =>
  server.call(operations.updateHomeAssistantConnection, { params: { connectionId }, body });
const remove = (connectionId: string) =>
  server.call(operations.deleteHomeAssistantConnection, { params: { connectionId } });
const statusOf = async (connectionId: string) => {
  const answer = await server.call(operations.retrieveHomeAssistantConnection, {
    params: { connectionId },
  });
  return answer.body.status;
};
const errorsOf = ({ body }: { body: { errors?: { path: string; message: string }[] } }) =>
  (body.errors ?? []).map(({ path, message }) => `${path} ${message}`);

const configTopic = (deviceId: string) => `homeassistant/device/fieldwatch_${deviceId}/config`;
const configOf = (deviceId: string) => JSON.parse(retained.get(configTopic(deviceId)) ?? 'null');
const topicOf = (connectionId: string, deviceId: string, leaf: string) =>
  `fieldwatch-home-assistant/${connectionId}/${deviceId}/${leaf}`;

describe('a Device that is published to Home Assistant', () => {
  it('is discovered, follows its values and its presence, and goes when it is deleted', async () => {
    const calls = mqttCalls(server);
    const device = await calls.newDevice({ name: 'Generator 1' });
    const deviceId = device.username;
    const { made, update: edit, remove: removeVariable } = variableCalls(server);
    const power = await made(deviceId, { topicPropertyPath: 'power', name: 'Power', unit: 'kW' });
    const running = await made(deviceId, { topicPropertyPath: 'running', type: 'BOOLEAN' });
    const session = await calls.signIn(device);
    await session.publishAsync(device.topic, '{"power":1.5,"running":true}', { qos: 1 });

    const { body: connection, status } = await create();
    expect([status, connection.status.state]).toEqual([201, 'CONNECTING']);
    const state = (leaf: string) => retained.get(topicOf(connection.id, deviceId, leaf));
    await expect.poll(() => state(power.id), WAIT).toBe('1.5');
    await expect.poll(() => state('availability'), WAIT).toBe('online');
    expect(state(running.id)).toBe('ON');
    expect(retained.get(`fieldwatch-home-assistant/${connection.id}/status`)).toBe('online');
    expect(discoveryProblems(retained.get(configTopic(deviceId)) ?? '')).toEqual([]);
    expect(configOf(deviceId).cmps[power.id]).toMatchObject({
      p: 'sensor',
      name: 'Power',
      unit_of_measurement: 'kW',
      device_class: 'power',
      state_topic: topicOf(connection.id, deviceId, power.id),
    });
    await expect
      .poll(() => statusOf(connection.id), WAIT)
      .toMatchObject({ state: 'CONNECTED', message: null, deviceCount: 1 });

    await session.publishAsync(device.topic, '{"power":2.5}', { qos: 1 });
    await edit(power.id, { name: 'Active power' });
    await expect.poll(() => state(power.id), WAIT).toBe('2.5');
    await expect.poll(() => configOf(deviceId).cmps[power.id].name, WAIT).toBe('Active power');

    const removals: string[] = [];
    home.on('message', (topic, payload) => {
      if (topic === configTopic(deviceId)) removals.push(payload.toString());
    });
    await removeVariable(deviceId, running.id);
    await expect.poll(() => configOf(deviceId).cmps, WAIT).not.toHaveProperty(running.id);
    expect(JSON.parse(removals[0] ?? '').cmps[running.id]).toEqual({ p: 'binary_sensor' });
    await expect.poll(() => state(running.id), WAIT).toBeUndefined();

    await session.endAsync();
    server.clock.advance(10 * 60_000);
    await expect.poll(() => state('availability'), WAIT).toBe('offline');

    await server.call(operations.deleteDevice, { params: { deviceId } });
    await expect.poll(() => retained.has(configTopic(deviceId)), WAIT).toBe(false);
    await expect.poll(() => state('availability'), WAIT).toBeUndefined();
    expect(state(power.id)).toBeUndefined();
    await remove(connection.id);
  });

  it('is sent again when Home Assistant starts, and after the broker lost everything', async () => {
    const { newDevice } = variableCalls(server);
    const deviceId = await newDevice();
    const { body: connection } = await create({ discoveryPrefix: 'ha/test' });
    const topic = `ha/test/device/fieldwatch_${deviceId}/config`;
    await home.subscribeAsync('ha/test/#');
    await expect.poll(() => retained.has(topic), WAIT).toBe(true);
    await expect.poll(async () => (await statusOf(connection.id)).state, WAIT).toBe('CONNECTED');

    retained.delete(topic);
    await home.publishAsync('ha/test/status', 'online', { qos: 1 });
    await expect.poll(() => retained.has(topic), WAIT).toBe(true);

    retained.clear();
    await broker.restart();
    await expect.poll(() => retained.has(topic), WAIT).toBe(true);
    await remove(connection.id);
    await expect.poll(() => retained.has(topic), WAIT).toBe(false);
  });

  it('belongs to one of the Locations, and what was published before is cleared', async () => {
    const location = async (body: Fields) =>
      (await server.call(operations.createLocation, { body })).body.id as string;
    const plant = await location({ name: 'Plant' });
    const room = await location({ name: 'Room', parentId: plant });
    const { newDevice } = mqttCalls(server);
    const inside = (await newDevice({ name: 'Inside', locationId: room })).username;
    const outside = (await newDevice({ name: 'Outside' })).username;
    const { body: connection } = await create({ locationIds: [plant], isActive: false });
    expect(connection.status.state).toBe('INACTIVE');
    // Left by an earlier start that ended before it could clear them.
    const leftOver = topicOf(connection.id, outside, 'availability');
    for (const topic of [configTopic(outside), leftOver]) {
      await home.publishAsync(topic, '{}', { qos: 1, retain: true });
    }
    await update(connection.id, { isActive: true });
    await expect.poll(() => configOf(inside)?.dev.sa, WAIT).toBe('Room');
    await expect.poll(() => retained.has(leftOver), WAIT).toBe(false);
    expect(retained.has(configTopic(outside))).toBe(false);

    await update(connection.id, { isActive: false });
    const status = `fieldwatch-home-assistant/${connection.id}/status`;
    await expect.poll(() => retained.get(status), WAIT).toBe('offline');
    expect(retained.has(configTopic(inside))).toBe(true);
    await remove(connection.id);
  });
});

describe('a connection to Home Assistant', () => {
  it('reports why it has none, and keeps the password to itself', async () => {
    const { body: connection } = await create({
      url: 'mqtt://10.255.0.1',
      username: 'fieldwatch',
      password: 'a secret of the broker',
    });
    expect(connection).toMatchObject({ username: 'fieldwatch', hasPassword: true });
    expect(JSON.stringify(connection)).not.toContain('secret of the broker');
    await expect
      .poll(() => statusOf(connection.id), WAIT)
      .toMatchObject({
        state: 'FAILED',
        message: 'the address is not a public one, and not allowed',
      });
    const elsewhere = { url: 'mqtt://10.255.0.2' };
    expect(errorsOf(await update(connection.id, elsewhere))).toEqual([
      'password is required with another url',
    ]);
    const moved = await update(connection.id, { ...elsewhere, password: null });
    expect(moved.body).toMatchObject({ ...elsewhere, hasPassword: false });
    const { body: log } = await server.call(operations.listAuditLog, {
      query: `resourceId=${connection.id}`,
    });
    expect(JSON.stringify(log)).toContain('"password"');
    expect(JSON.stringify(log)).not.toContain('secret of the broker');
    expect((await remove(connection.id)).status).toBe(204);
  });

  it.each([
    'http://broker.example.com',
    'mqtt://',
    'mqtt://user@broker.example.com',
    'mqtt://broker.example.com/path',
    'mqtt://broker.example.com:99999',
    'broker.example.com',
  ])('refuses the URL %j', async (url) => {
    expect(errorsOf(await create({ url }))).toEqual([
      'url must be an mqtt or mqtts URL of a host, without credentials',
    ]);
  });

  it('names every field that is wrong', async () => {
    const body = { discoveryPrefix: 'a/#', username: '', locationIds: ['x'], name: ' ' };
    const errors = errorsOf(await create(body)).map((error) => error.split(' ')[0]);
    expect(errors.sort()).toEqual(['discoveryPrefix', 'locationIds[0]', 'name', 'username']);
    expect(errorsOf(await create({ locationIds: [UNKNOWN] }))).toEqual([
      `locationIds[0] names nothing that exists in this organization: ${UNKNOWN}`,
    ]);
  });

  it('is one of at most five, and unknown to another organization', async () => {
    const neighbour = await startNeighbour(server);
    const inactive = { isActive: false };
    const created = [];
    for (let count = 0; count < 6; count += 1) created.push(await create(inactive));
    expect(created.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 409]);
    const [first] = created;
    const params = { connectionId: first?.body.id };
    for (const operation of [
      operations.retrieveHomeAssistantConnection,
      operations.updateHomeAssistantConnection,
      operations.deleteHomeAssistantConnection,
    ]) {
      const body = operation.method === 'PATCH' ? { name: 'Other' } : undefined;
      expect((await neighbour.call(operation, { params, body })).status).toBe(404);
    }
    expect((await create(inactive, neighbour)).status).toBe(201);
    for (const { body } of created.slice(0, 5)) await remove(body.id);
  });
});
