import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createDevice,
  errorsOf,
  type Fields,
  gateway,
  retrieveDevice,
  sensor,
  updateDevice,
} from '../support/device-calls.ts';
import { joinServer, type TestOrganization } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';

let server: TestOrganization;
let neighbour: TestOrganization;

beforeAll(async () => {
  server = await joinServer();
  neighbour = await joinServer();
});

const create = (body: Fields = {}, at = server) => createDevice(at, body);
const made = async (body: Fields = {}, at = server) => (await create(body, at)).body;
const retrieve = (id: string, auth = server.key) => retrieveDevice(server, id, auth);
const update = (id: string, body: Fields) => updateDevice(server, id, body);

describe('the application key', () => {
  it('is shown to those who may change the Device and masked for others', async () => {
    const { id, configuration } = await made(sensor({ appKey: 'ab'.repeat(16) }));
    expect(configuration.appKey).toBe('AB'.repeat(16));
    const reader = await server.newKey(['ReadAssets']);
    const seen = (await retrieve(id, reader)).body.configuration.appKey;
    expect(seen).toBe('*'.repeat(32));
    const listed = await server.call(operations.listDevices, {
      auth: reader,
      query: 'type=LORAWAN_DEVICE',
    });
    expect(
      new Set(listed.body.items.map((item: Fields) => (item.configuration as Fields).appKey)),
    ).toEqual(new Set([seen]));
    const creator = await server.newKey(['CreateDevice']);
    const created = await server.call(operations.createDevice, {
      auth: creator,
      body: { name: 'Masked', ...sensor() },
    });
    expect(created.body.configuration.appKey).toBe(seen);
  });
});

describe('updating a Device', () => {
  it('changes the given fields and keeps the others', async () => {
    const { credentials: _, ...before } = await made({ description: 'Before' });
    await sleep(5);
    const { status, body } = await update(before.id, { name: 'Renamed', isActive: false });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      name: 'Renamed',
      isActive: false,
      updatedDateTime: body.updatedDateTime,
    });
    expect(body.updatedDateTime > before.updatedDateTime).toBe(true);
    expect((await retrieve(before.id)).body).toEqual(body);
  });

  it.each([
    [{ type: undefined, name: 'Renamed' }, 'type is required'],
    [{ type: 'CONTROLCOM_GATEWAY' }, 'type must be CUSTOM_DEVICE: a Device keeps its type'],
    [{ name: 'abcd' }, 'name must have at least 5 characters'],
    [{ description: null }, 'description must be a string'],
    [{ isOnline: true }, 'isOnline cannot be changed: it is fixed or unknown'],
    [{ id: UNKNOWN }, 'id cannot be changed: it is fixed or unknown'],
    [{ configuration: {} }, 'configuration is only for LoRaWAN types'],
    [
      { parentDeviceId: UNKNOWN },
      `parentDeviceId names nothing that exists in this organization: ${UNKNOWN}`,
    ],
  ])('refuses %j', async (body, message) => {
    const { id } = await made();
    const answer = await update(id, body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  it('merges the configuration and judges the result', async () => {
    const { id } = await made(gateway({ rfRegion: 'US915', subBand: 2 }));
    const change = (configuration: Fields) =>
      update(id, { type: 'LORAWAN_GATEWAY_EDGE', configuration });
    expect((await change({ subBand: 3 })).body.configuration).toMatchObject({
      rfRegion: 'US915',
      subBand: 3,
    });
    expect(errorsOf(await change({ subBand: null }))).toEqual([
      'configuration.subBand is required when rfRegion is US915',
    ]);
    expect((await change({ rfRegion: 'EU868' })).body.configuration).not.toHaveProperty('subBand');
    expect(errorsOf(await change({ subBand: 1 }))).toEqual([
      'configuration.subBand is not allowed when rfRegion is EU868',
    ]);
    expect((await change({ rfRegion: 'US915' })).status).toBe(400);
  });

  it('keeps the tree of parents without loops', async () => {
    const [top, middle, bottom] = await Promise.all([made(), made(), made()]);
    expect((await update(middle.id, { parentDeviceId: top.id })).status).toBe(200);
    expect((await update(bottom.id, { parentDeviceId: middle.id })).body.parentDeviceId).toBe(
      middle.id,
    );
    for (const parentDeviceId of [top.id, middle.id, bottom.id]) {
      expect(errorsOf(await update(top.id, { parentDeviceId }))).toEqual([
        'parentDeviceId would make a loop',
      ]);
    }
    expect((await update(bottom.id, { parentDeviceId: null })).body.parentDeviceId).toBeNull();
  });

  it('keeps two moves at once from making a loop together', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, other] = await Promise.all([made(), made()]);
      const statuses = await Promise.all([
        update(one.id, { parentDeviceId: other.id }),
        update(other.id, { parentDeviceId: one.id }),
      ]);
      expect(statuses.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });
});

describe('deleting a Device', () => {
  it('is for good, and lifts its children to the top', async () => {
    const parent = await made();
    const child = await made({ parentDeviceId: parent.id });
    const remove = () => server.call(operations.deleteDevice, { params: { deviceId: parent.id } });
    const first = await remove();
    expect([first.status, first.text]).toEqual([204, '']);
    expect((await remove()).status).toBe(404);
    expect((await retrieve(parent.id)).status).toBe(404);
    expect((await retrieve(child.id)).body.parentDeviceId).toBeNull();
  });
});

describe('archiving a Device', () => {
  it('takes it out of the lists, keeps it retrievable, and is idempotent both ways', async () => {
    const { id } = await made({ name: 'To be archived' });
    const counts = async () => {
      const scopes = ['active', 'archived', 'all'].map(async (archivedScope) => {
        const query = `search=to%20be%20archived&archivedScope=${archivedScope}`;
        return (await server.call(operations.listDevices, { query })).body.count;
      });
      return Promise.all(scopes);
    };
    const move = (operation: typeof operations.archiveDevice | typeof operations.restoreDevice) =>
      server.call(operation, { params: { deviceId: id } });
    expect(await counts()).toEqual([1, 0, 1]);
    for (let time = 0; time < 2; time += 1)
      expect((await move(operations.archiveDevice)).status).toBe(200);
    expect(await counts()).toEqual([0, 1, 1]);
    expect((await retrieve(id)).status).toBe(200);
    for (let time = 0; time < 2; time += 1)
      expect((await move(operations.restoreDevice)).status).toBe(200);
    expect(await counts()).toEqual([1, 0, 1]);
  });
});

describe('the credentials of a Device', () => {
  it('are new with each rotation and never shown again', async () => {
    const { id, credentials } = await made();
    const { status, body } = await server.call(operations.rotateDeviceCredentials, {
      params: { deviceId: id },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ username: id, topic: credentials.topic });
    expect(body.password).not.toBe(credentials.password);
    expect((await retrieve(id)).text).not.toContain(body.password);
  });
});

describe("a neighbour's Device", () => {
  it('answers like an unknown one in every operation', async () => {
    const theirs = (await made({}, neighbour)).id;
    const own = (await made()).id;
    const params = { deviceId: theirs };
    for (const operation of [
      operations.retrieveDevice,
      operations.deleteDevice,
      operations.archiveDevice,
      operations.restoreDevice,
      operations.rotateDeviceCredentials,
    ]) {
      const answer = await server.call(operation, { params });
      const unknown = await server.call(operation, { params: { deviceId: UNKNOWN } });
      expect([operation.id, answer.status, answer.body.detail]).toEqual([
        operation.id,
        404,
        unknown.body.detail,
      ]);
    }
    expect((await update(theirs, { name: 'Stolen' })).status).toBe(404);
    expect((await create({ parentDeviceId: theirs })).status).toBe(400);
    expect((await update(own, { parentDeviceId: theirs })).status).toBe(400);
    const children = await server.call(operations.listDevices, {
      query: `parentDeviceId=${theirs}`,
    });
    expect(children.body).toEqual({ count: 0, items: [] });
    expect((await neighbour.call(operations.retrieveDevice, { params })).body.name).toBe('Device');
  });
});
