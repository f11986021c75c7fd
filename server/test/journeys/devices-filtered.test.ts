import { type Device, operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevice } from '../support/device-calls.ts';
import { type IngestCalls, ingestCalls } from '../support/ingest-calls.ts';
import { startNeighbour, startServer, type TestServer } from '../support/server.ts';

const HOUR_MS = 3_600_000;

let server: TestServer;
let neighbour: TestServer;
let calls: IngestCalls;
const locations: Record<string, string> = {};
const ids: Record<string, string> = {};

async function newLocation(name: string, parentId: string | null): Promise<void> {
  const body = { name, ...(parentId ? { parentId } : {}) };
  locations[name] = (await server.call(operations.createLocation, { body })).body.id;
}

async function newDevice(name: string, rest: object = {}): Promise<string> {
  const { body } = await createDevice(server, { name, ...rest });
  ids[name] = body.id;
  await calls.newVariable(body.id, 'engine.rpm');
  return body.id;
}

const report = (name: string) => calls.write(ids[name] ?? '', { 'engine.rpm': 1 });

/** Alpha is offline since two hours, Beta since one, Gamma is online, Delta never seen, Omega inactive. */
beforeAll(async () => {
  server = await startServer({ env: { FIELDWATCH_ONLINE_MINUTES: '2' } });
  neighbour = await startNeighbour(server);
  calls = ingestCalls(server);
  await newLocation('Plant', null);
  await newLocation('Hall', locations.Plant ?? null);
  await newLocation('Cellar', locations.Hall ?? null);
  await newLocation('Harbour', null);
  await newDevice('Alpha pump', { locationId: locations.Cellar });
  await newDevice('beta pump', { locationId: locations.Plant });
  await newDevice('Gamma fan', { locationId: locations.Harbour });
  await newDevice('Delta fan', { type: 'CONTROLCOM_GATEWAY' });
  await newDevice('Omega fan', { parentDeviceId: ids['Delta fan'] });
  await report('Alpha pump');
  server.clock.advance(HOUR_MS);
  await report('beta pump');
  server.clock.advance(HOUR_MS);
  await server.call(operations.updateDevice, {
    params: { deviceId: ids['Omega fan'] ?? '' },
    body: { type: 'CUSTOM_DEVICE', isActive: false },
  });
  await report('Gamma fan');
});

afterAll(() => server.stop());

const find = (body: object, on: TestServer = server) => on.call(operations.searchDevices, { body });

async function names(body: object): Promise<string[]> {
  const answer = await find(body);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.count).toBe(answer.body.items.length);
  return answer.body.items.map(({ name }: Device) => name);
}

describe('searching Devices', () => {
  it('lists all of them by name without a filter', async () => {
    const byName = ['Alpha pump', 'beta pump', 'Delta fan', 'Gamma fan', 'Omega fan'];
    expect(await names({})).toEqual(byName);
    expect(await names({ sortDirection: 'DESCENDING' })).toEqual(byName.toReversed());
  });

  it('finds each Device under exactly one state, as its record reports it', async () => {
    expect(await names({ states: ['ONLINE'] })).toEqual(['Gamma fan']);
    expect(await names({ states: ['OFFLINE'] })).toEqual(['Alpha pump', 'beta pump']);
    expect(await names({ states: ['NEVER_SEEN'] })).toEqual(['Delta fan']);
    expect(await names({ states: ['INACTIVE'] })).toEqual(['Omega fan']);
    expect(await names({ states: ['NEVER_SEEN', 'OFFLINE'] })).toHaveLength(3);
    const [gamma] = (await find({ states: ['ONLINE'] })).body.items;
    expect(gamma.isOnline).toBe(true);
  });

  it('finds a Device as online right after its reading, and as offline when its window ends', async () => {
    const id = await newDevice('Epsilon');
    expect(await names({ search: 'epsilon', states: ['NEVER_SEEN'] })).toEqual(['Epsilon']);
    await report('Epsilon');
    expect(await names({ search: 'epsilon', states: ['ONLINE'] })).toEqual(['Epsilon']);
    server.clock.advance(2 * 60_000 + 1);
    expect(await names({ search: 'epsilon', states: ['ONLINE'] })).toEqual([]);
    await expect.poll(() => names({ search: 'epsilon', states: ['OFFLINE'] })).toEqual(['Epsilon']);
    await server.call(operations.deleteDevice, { params: { deviceId: id } });
  });

  it('sorts by the time last seen with those never seen last, and by the time of creation', async () => {
    const seen = { sortBy: 'LAST_SEEN', search: 'a' };
    const asc = ['Alpha pump', 'beta pump', 'Gamma fan', 'Delta fan', 'Omega fan'];
    await expect.poll(() => names(seen)).toEqual(asc);
    expect(await names({ ...seen, sortDirection: 'DESCENDING' })).toEqual([
      'Gamma fan',
      'beta pump',
      'Alpha pump',
      'Omega fan',
      'Delta fan',
    ]);
    const created = ['Alpha pump', 'beta pump', 'Gamma fan', 'Delta fan', 'Omega fan'];
    expect(await names({ sortBy: 'CREATED' })).toEqual(created);
    expect(await names({ sortBy: 'CREATED', sortDirection: 'DESCENDING' })).toEqual(
      created.toReversed(),
    );
  });

  it('filters by the time last seen, which leaves out those never seen', async () => {
    const now = server.clock.now();
    await expect
      .poll(() => names({ lastSeenBefore: now - 0.5 * HOUR_MS }))
      .toEqual(['Alpha pump', 'beta pump']);
    expect(await names({ lastSeenAfter: now - 1.5 * HOUR_MS })).toEqual(['beta pump', 'Gamma fan']);
    const both = { lastSeenAfter: now - 1.5 * HOUR_MS, lastSeenBefore: now - 0.5 * HOUR_MS };
    expect(await names(both)).toEqual(['beta pump']);
    expect(await names({ lastSeenAfter: 8_640_000_000_000_000 })).toEqual([]);
  });

  it('finds Devices at a Location and at those below it', async () => {
    expect(await names({ locationIds: [locations.Plant] })).toEqual(['Alpha pump', 'beta pump']);
    expect(await names({ locationIds: [locations.Hall] })).toEqual(['Alpha pump']);
    const two = { locationIds: [locations.Hall, locations.Harbour] };
    expect(await names(two)).toEqual(['Alpha pump', 'Gamma fan']);
    expect(await names({ locationIds: ['nowhere'] })).toEqual([]);
  });

  it('filters by type, parent, name and archived scope together', async () => {
    expect(await names({ types: ['CONTROLCOM_GATEWAY'] })).toEqual(['Delta fan']);
    expect(await names({ parentDeviceId: ids['Delta fan'] })).toEqual(['Omega fan']);
    expect(await names({ search: 'PUMP', locationIds: [locations.Plant] })).toHaveLength(2);
    await server.call(operations.archiveDevice, { params: { deviceId: ids['Omega fan'] ?? '' } });
    expect(await names({ search: 'fan' })).toEqual(['Delta fan', 'Gamma fan']);
    expect(await names({ search: 'fan', archivedScope: 'archived' })).toEqual(['Omega fan']);
    await server.call(operations.restoreDevice, { params: { deviceId: ids['Omega fan'] ?? '' } });
  });

  it('pages in a stable order and counts all', async () => {
    for (const search of ['', 'a']) {
      const pages = [];
      for (let skip = 0; skip < 6; skip += 2) {
        const { body } = await find({ search, skip, take: 2, sortBy: 'LAST_SEEN' });
        expect(body.count).toBe(5);
        pages.push(...body.items.map(({ name }: Device) => name));
      }
      expect(new Set(pages).size).toBe(5);
    }
    expect((await find({ skip: 9 })).body).toEqual({ count: 5, items: [] });
  });

  it('takes at most 200 Locations and 1,000 records a page', async () => {
    const many = (count: number) => Array.from({ length: count }, () => locations.Plant);
    expect((await find({ locationIds: many(200) })).status).toBe(200);
    expect((await find({ locationIds: many(201) })).status).toBe(400);
    expect((await find({ take: 1_000 })).status).toBe(200);
    expect((await find({ take: 1_001 })).status).toBe(400);
    expect((await find({ states: ['AWAY'] })).status).toBe(400);
  });

  it('finds nothing of a neighbour, and nothing by the id of its Location', async () => {
    expect((await find({}, neighbour)).body).toEqual({ count: 0, items: [] });
    const own = await createDevice(neighbour, { name: 'Foreign' });
    expect(own.status).toBe(201);
    const found = await find({ locationIds: [locations.Plant] }, neighbour);
    expect(found.body).toEqual({ count: 0, items: [] });
    expect(await names({ search: 'foreign' })).toEqual([]);
  });
});
