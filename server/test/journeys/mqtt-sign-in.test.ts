import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CodedError,
  type Credentials,
  closing,
  mqttCalls,
  VERSIONS,
} from '../support/mqtt.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let calls: ReturnType<typeof mqttCalls>;

beforeAll(async () => {
  server = await startServer({
    env: { FIELDWATCH_MQTT_MAX_CLIENTS: '8' },
    environment: { hasMqttThread: true },
  });
  calls = mqttCalls(server);
});

afterAll(async () => {
  await calls.endAll();
  await server.stop();
});

const WRONG = { 4: 4, 5: 0x86 };
const NOT_ALLOWED = { 4: 5, 5: 0x87 };
const UNAVAILABLE = { 4: 3, 5: 0x88 };

type Change = (deviceId: string) => Promise<unknown>;

const rotate: Change = (deviceId) =>
  server.call(operations.rotateDeviceCredentials, { params: { deviceId } });
const deactivate: Change = (deviceId) =>
  server.call(operations.updateDevice, {
    params: { deviceId },
    body: { type: 'CUSTOM_DEVICE', isActive: false },
  });
const archive: Change = (deviceId) =>
  server.call(operations.archiveDevice, { params: { deviceId } });
const remove: Change = (deviceId) => server.call(operations.deleteDevice, { params: { deviceId } });

describe.each(VERSIONS)('signing in with MQTT version %i', (protocolVersion) => {
  async function refusalOf(credentials: Pick<Credentials, 'username' | 'password'>) {
    const refused = calls.signIn(credentials, { protocolVersion });
    return refused.then(
      () => undefined,
      (error: CodedError) => error.code,
    );
  }

  it('is refused with a wrong password, an unknown Device or no credentials', async () => {
    const device = await calls.newDevice();
    const wrong = [
      { ...device, password: 'wrong' },
      { ...device, username: '018f0000-0000-7000-8000-000000000001' },
      { ...device, username: 'admin' },
      { ...device, username: '' },
    ];
    for (const credentials of wrong) {
      expect(await refusalOf(credentials), credentials.username).toBe(WRONG[protocolVersion]);
    }
  });

  it.each([
    ['deactivated', deactivate],
    ['archived', archive],
  ])('is refused to a Device that is %s', async (_, change) => {
    const device = await calls.newDevice();
    await change(device.username);
    expect(await refusalOf(device)).toBe(NOT_ALLOWED[protocolVersion]);
  });

  it.each([
    ['its password is rotated', rotate, 0x87],
    ['it is deactivated', deactivate, 0x98],
    ['it is archived', archive, 0x98],
    ['it is deleted', remove, 0x87],
  ])('ends at once when %s', async (_, change, reasonCode) => {
    const device = await calls.newDevice();
    const bystander = await calls.signIn(await calls.newDevice(), { protocolVersion });
    const client = await calls.signIn(device, { protocolVersion });
    const closed = closing(client);
    await change(device.username);
    expect(await closed).toBe(protocolVersion === 5 ? reasonCode : undefined);
    expect(await refusalOf(device)).toBeDefined();
    expect(bystander.connected).toBe(true);
    await bystander.endAsync();
  });

  it('survives changes that do not affect the credentials', async () => {
    const device = await calls.newDevice();
    const client = await calls.signIn(device, { protocolVersion });
    await server.call(operations.updateDevice, {
      params: { deviceId: device.username },
      body: { type: 'CUSTOM_DEVICE', name: 'Another name' },
    });
    await client.publishAsync(device.topic, '{"x":1}', { qos: 1 });
    expect(client.connected).toBe(true);
    await client.endAsync();
  });

  it('takes over the session of the same Device with the same identifier only', async () => {
    const options = { protocolVersion, clientId: 'meter' };
    const device = await calls.newDevice();
    const first = await calls.signIn(device, options);
    const neighbour = await calls.signIn(await calls.newDevice(), options);
    await first.publishAsync(device.topic, '{"x":1}', { qos: 1 });
    expect(first.connected).toBe(true);
    const closed = closing(first);
    const second = await calls.signIn(device, options);
    expect(await closed).toBe(protocolVersion === 5 ? 0x8e : undefined);
    expect(neighbour.connected).toBe(true);
    await Promise.all([second.endAsync(), neighbour.endAsync()]);
  });

  it('is refused when the maximum number of clients is signed in', async () => {
    const device = await calls.newDevice();
    const clients = await Promise.all(
      Array.from({ length: 8 }, () => calls.signIn(device, { protocolVersion })),
    );
    expect(await refusalOf(device)).toBe(UNAVAILABLE[protocolVersion]);
    const [one, ...others] = clients;
    await one?.endAsync();
    await expect.poll(() => refusalOf(device)).toBeUndefined();
    await Promise.all(others.map((client) => client.endAsync()));
    await calls.endAll();
  });

  it('is limited after too many failures, and still accepts the right password', async () => {
    const device = await calls.newDevice();
    const wrong = { ...device, password: 'wrong' };
    for (let round = 0; round < 60; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => refusalOf(wrong)));
    }
    expect(await refusalOf(wrong)).toBe(NOT_ALLOWED[protocolVersion]);
    expect(await refusalOf(device)).toBeUndefined();
    await calls.endAll();
  });
});
