import { type Device, operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  createDevice,
  type Fields,
  retrieveDevice,
  updateDevice,
} from '../support/device-calls.ts';
import { ingestCalls } from '../support/ingest-calls.ts';
import { startSecondServer, startServer, type TestServer } from '../support/server.ts';
import { openTestStorage } from '../support/storage.ts';

const WAIT = { interval: 20 };
const MEMORY = /^fieldwatch_device_searches_total{source="memory"} (\d+)$/m;

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  await createDevice(server, { name: 'Pump of the load' });
  await answersFromMemory();
});

afterAll(() => server.stop());

async function inMemory(): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(MEMORY.exec(text)?.[1] ?? 0);
}

let unique = 0;
const search = async (text: string, at = server): Promise<Device[]> => {
  // No two requests are equal, so that none is answered by the response cache.
  unique += 1;
  const query = `search=${encodeURIComponent(text)}&take=${100 + unique}`;
  return (await at.call(operations.listDevices, { query })).body.items;
};

/** Searches until the index has loaded. */
async function answersFromMemory(): Promise<void> {
  const before = await inMemory();
  await vi.waitFor(async () => {
    await search('pump');
    expect(await inMemory()).toBeGreaterThan(before);
  }, WAIT);
}

const made = async (fields: Fields): Promise<Device> => (await createDevice(server, fields)).body;
const retrieved = async (id: string) => (await retrieveDevice(server, id)).body;

describe('a search for Devices that is answered from memory', () => {
  it('shows a Device as soon as it was created, renamed, archived, restored or deleted', async () => {
    for (let round = 0; round < 20; round += 1) {
      const before = await inMemory();
      const { id } = await made({ name: `Made ${round} here` });
      expect(await search(`MADE ${round} `)).toEqual([await retrieved(id)]);
      await updateDevice(server, id, { name: `Later ${round} name` });
      expect(await search(`made ${round} `)).toEqual([]);
      expect(await search(`later ${round} `)).toEqual([await retrieved(id)]);
      await server.call(operations.archiveDevice, { params: { deviceId: id } });
      expect(await search(`later ${round} `)).toEqual([]);
      await server.call(operations.restoreDevice, { params: { deviceId: id } });
      expect(await search(`later ${round} `)).toEqual([await retrieved(id)]);
      await server.call(operations.deleteDevice, { params: { deviceId: id } });
      expect(await search(`later ${round} `)).toEqual([]);
      expect(await inMemory()).toBe(before + 6);
    }
  });

  it('shows no Location and no parent Device that was deleted', async () => {
    const { body: location } = await server.call(operations.createLocation, {
      body: { name: 'Plant' },
    });
    const gateway = await made({ name: 'Gateway' });
    const { id } = await made({
      name: 'Referring',
      locationId: location.id,
      parentDeviceId: gateway.id,
    });
    expect(await search('referring')).toMatchObject([{ locationId: location.id }]);
    await server.call(operations.deleteLocation, { params: { locationId: location.id } });
    expect(await search('referring')).toMatchObject([{ locationId: null }]);
    await answersFromMemory();
    await server.call(operations.deleteDevice, { params: { deviceId: gateway.id } });
    expect(await search('referring')).toMatchObject([{ id, parentDeviceId: null }]);
    await answersFromMemory();
  });

  it('shows the presence of now', async () => {
    const calls = ingestCalls(server);
    const device = await calls.newDevice();
    const { name } = await retrieved(device.id);
    expect(await search(name)).toMatchObject([{ isOnline: false, lastSeenDateTime: null }]);
    await calls.newVariable(device.id, 'engine.rpm', { type: 'NUMBER' });
    await calls.write(device.id, { engine: { rpm: 1 } });
    const [found] = await search(name);
    expect(found).toEqual(await retrieved(device.id));
    expect(found?.isOnline).toBe(true);
  });

  it('shows a change that another program made in the database, once it is notified', async () => {
    const { id } = await made({ name: 'Before it' });
    expect(await search('before it')).toHaveLength(1);
    const storage = await openTestStorage({ databaseUrl: server.databaseUrl });
    await storage.query(
      `update devices set name = 'After it', name_folded = 'after it' where id = $1`,
      [id],
    );
    await expect.poll(() => search('after it'), WAIT).toHaveLength(1);
    expect(await search('before it')).toEqual([]);
  });

  it('is left to the database while there is another node', async () => {
    await answersFromMemory();
    const second = await startSecondServer(server);
    try {
      const before = await inMemory();
      const { id } = await made({ name: 'Elsewhere 1' });
      for (let round = 2; round < 10; round += 1) {
        const params = { organizationId: server.organizationId, deviceId: id };
        const body = { type: 'CUSTOM_DEVICE', name: `Elsewhere ${round}` };
        const { status } = await second.call(operations.updateDevice, {
          params,
          body,
          auth: server.key,
        });
        expect(status).toBe(200);
        expect(await search(`elsewhere ${round}`)).toHaveLength(1);
      }
      expect(await inMemory()).toBe(before);
    } finally {
      await second.stop();
    }
    await answersFromMemory();
  });
});
