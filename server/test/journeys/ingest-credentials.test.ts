import { operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { basic, call } from '../support/call.ts';
import { type IngestCalls, ingestCalls } from '../support/ingest-calls.ts';
import { joinServer, type TestOrganization } from '../support/server.ts';

let server: TestOrganization;
let neighbour: TestOrganization;
let calls: IngestCalls;

beforeAll(async () => {
  server = await joinServer();
  neighbour = await joinServer();
  calls = ingestCalls(server);
});

const status = async (deviceId: string, auth: string) =>
  (await calls.write(deviceId, { 'engine.rpm': 1 }, auth)).status;

describe("a Device's own credentials", () => {
  it('write its readings, in both forms', async () => {
    const { id, auth } = await calls.newDevice();
    await calls.newVariable(id, 'engine.rpm');
    expect(await status(id, auth)).toBe(200);
    const body = {
      organizationId: server.organizationId,
      deviceId: id,
      dataArray: [{ key: 'engine.rpm', value: 2 }],
    };
    expect((await calls.payload(body, auth)).body.accepted).toBe(1);
    expect((await calls.ingestOf(id)).accepted).toBe(2);
  });

  it('allow no other request', async () => {
    const { id, auth } = await calls.newDevice();
    const params = { deviceId: id };
    for (const operation of [
      operations.retrieveDevice,
      operations.listDevices,
      operations.retrieveDeviceIngest,
      operations.rotateDeviceCredentials,
      operations.deleteDevice,
    ]) {
      expect((await server.call(operation, { auth, params })).status, operation.id).toBe(401);
    }
  });

  it('write readings for child Devices, and for no others', async () => {
    const gateway = await calls.newDevice();
    const child = await calls.newDevice({ parentDeviceId: gateway.id });
    const grandchild = await calls.newDevice({ parentDeviceId: child.id });
    const stranger = await calls.newDevice();
    const foreign = await ingestCalls(neighbour).newDevice();
    const unknown = '018f0000-0000-7000-8000-00000000dead';
    expect(await status(child.id, gateway.auth)).toBe(200);
    for (const other of [grandchild.id, stranger.id, foreign.id, unknown]) {
      const { body } = await calls.write(other, {}, gateway.auth);
      expect(body.code).toBe('PERMISSION_MISSING');
    }
    expect(await status(gateway.id, child.auth)).toBe(403);
    await calls.editDevice(child.id, { parentDeviceId: null });
    expect(await status(child.id, gateway.auth)).toBe(403);
  });

  it('are refused in another organization', async () => {
    const { id, auth } = await calls.newDevice();
    const params = { organizationId: neighbour.organizationId, deviceId: id };
    const { body } = await call(server.url, operations.writeReadings, { auth, params, body: {} });
    expect(body.code).toBe('ORGANIZATION_FORBIDDEN');
  });

  it('are refused at once after a rotation', async () => {
    const { id, auth } = await calls.newDevice();
    expect(await status(id, auth)).toBe(200);
    const { body } = await server.call(operations.rotateDeviceCredentials, {
      params: { deviceId: id },
    });
    expect(await status(id, auth)).toBe(401);
    expect(await status(id, basic(body.username, body.password))).toBe(200);
  });

  it('are refused at once when the Device is inactive, archived or deleted', async () => {
    const { id, auth } = await calls.newDevice();
    const params = { deviceId: id };
    expect(await status(id, auth)).toBe(200);
    await calls.editDevice(id, { isActive: false });
    expect(await status(id, auth)).toBe(401);
    await calls.editDevice(id, { isActive: true });
    expect(await status(id, auth)).toBe(200);
    await server.call(operations.archiveDevice, { params });
    expect(await status(id, auth)).toBe(401);
    await server.call(operations.restoreDevice, { params });
    expect(await status(id, auth)).toBe(200);
    await server.call(operations.deleteDevice, { params });
    expect(await status(id, auth)).toBe(401);
  });

  it('are limited after too many failures, while valid ones from the same address are accepted', async () => {
    const { id, auth } = await calls.newDevice();
    const wrong = basic(id, 'wrong');
    for (let tries = 0; tries < 600; tries += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => status(id, wrong)));
      expect(new Set(answers)).toEqual(new Set([401]));
    }
    expect(await status(id, wrong)).toBe(429);
    expect(await status(id, auth)).toBe(200);
  });
});
