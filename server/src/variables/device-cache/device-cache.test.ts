import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStorage } from '../../../test/support/device-storage.ts';
import { createDeviceIndex } from '../../presence/index.ts';
import { DEVICE_CACHE_LIMITS } from './cache-entries.ts';
import { createDeviceCache } from './device-cache.ts';

let rig: Awaited<ReturnType<typeof startStorage>>;

beforeAll(async () => {
  rig = await startStorage();
});

afterAll(() => rig.stop());

function cacheWith(limits: Partial<typeof DEVICE_CACHE_LIMITS> = {}) {
  const { storage, queries } = rig.counted();
  const cache = createDeviceCache({
    storage,
    deviceIndex: createDeviceIndex(),
    limits: { ...DEVICE_CACHE_LIMITS, ...limits },
  });
  return { cache, queries };
}

describe('the device cache', () => {
  it('holds a Device with its Variables by path', async () => {
    const { id, organizationId } = await rig.newDevice({ paths: ['engine.rpm', 'engine.oil'] });
    const { cache } = cacheWith();
    expect(cache.peek(id)).toBeUndefined();
    const device = await cache.get(id);
    expect(device).toMatchObject({
      deviceId: id,
      organizationId,
      parentDeviceId: null,
      takesReadings: true,
    });
    expect(device?.variables.size).toBe(2);
    expect(device?.variables.get('engine.oil')).toMatchObject({ path: 'engine.oil' });
    expect(device?.variables.get('engine')).toBeUndefined();
    const variable = device?.variables.get('engine.rpm');
    expect(variable).toMatchObject({ deviceId: id, organizationId, path: 'engine.rpm' });
    expect(variable?.seriesId).toBeGreaterThan(0);
    expect(cache.peek(id)).toBe(device);
  });

  it('returns the ids of Variables of several Devices with the same paths', async () => {
    const orders = [
      ['path.b', 'path.a', 'path.c'],
      ['path.c', 'path.b', 'path.a'],
    ];
    const made = await Promise.all(orders.map((paths) => rig.newDevice({ paths })));
    const { cache } = cacheWith();
    for (const { id: deviceId } of made) {
      const device = await cache.get(deviceId);
      const rows = await rig
        .counted()
        .storage.query<{ id: string; path: string; seriesId: number }>(
          `select id, topic_property_path as path, number as "seriesId" from variables
           where device_id = $1`,
          [deviceId],
        );
      expect(rows).toHaveLength(3);
      for (const { id, path, seriesId } of rows) {
        const variable = device?.variables.get(path);
        expect({ id: variable?.id, seriesId: variable?.seriesId }).toEqual({ id, seriesId });
      }
    }
  });

  it('loads a Device once for concurrent callers', async () => {
    const { id } = await rig.newDevice({ paths: [] });
    const { cache, queries } = cacheWith();
    const [first, second] = await Promise.all([cache.get(id), cache.get(id)]);
    expect(await cache.get(id)).toBe(first);
    expect(second).toBe(first);
    expect(queries()).toBe(1);
  });

  it('loads Devices that are requested together in one query', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => rig.newDevice({ paths: [`path.${index}`] })),
    );
    const { cache, queries } = cacheWith();
    const unknown = '018f0000-0000-7000-8000-00000000beef';
    const [none, ...loaded] = await Promise.all([
      cache.get(unknown),
      ...made.map(({ id }) => cache.get(id)),
    ]);
    expect(none).toBeNull();
    expect(loaded.map((device) => device?.deviceId)).toEqual(made.map(({ id }) => id));
    for (const [index, device] of loaded.entries()) {
      expect(device?.variables.size).toBe(1);
      expect(device?.variables.get(`path.${index}`)?.deviceId).toBe(device?.deviceId);
    }
    expect(queries()).toBe(1);
  });

  it('remembers ids of no Device until they are invalidated', async () => {
    const { cache, queries } = cacheWith();
    const id = '018f0000-0000-7000-8000-00000000dead';
    expect(await cache.get(id)).toBeNull();
    expect(await cache.get(id)).toBeNull();
    expect(await cache.get('not an id')).toBeNull();
    expect(queries()).toBe(1);
    cache.invalidate(id);
    expect(await cache.get(id)).toBeNull();
    expect(queries()).toBe(2);
  });

  it('reloads a Device that was invalidated, also while it was loading', async () => {
    const { id } = await rig.newDevice({ paths: [] });
    const { cache, queries } = cacheWith();
    const early = cache.get(id);
    // By then the query is in flight.
    await new Promise(setImmediate);
    cache.invalidate(id);
    const late = cache.get(id);
    expect(await late).not.toBe(await early);
    expect(cache.peek(id)).toBe(await late);
    expect(queries()).toBe(2);
  });

  it('reloads every Device after all were invalidated', async () => {
    const made = [
      await rig.newDevice({ paths: ['engine.rpm'] }),
      await rig.newDevice({ paths: [] }),
    ];
    const { cache, queries } = cacheWith({ maxVariables: 1 });
    const missing = '018f0000-0000-7000-8000-00000000dead';
    const load = () => Promise.all([...made.map(({ id }) => cache.get(id)), cache.get(missing)]);
    const early = load();
    cache.invalidateAll();
    await early;
    expect(made.some(({ id }) => cache.peek(id))).toBe(false);
    const before = queries();
    await load();
    expect(queries()).toBe(before + 1);
    cache.invalidateAll();
    await load();
    expect(queries()).toBe(before + 2);
    expect(made.every(({ id }) => cache.peek(id))).toBe(true);
  });

  it('evicts Devices that were not used for a while', async () => {
    const { id } = await rig.newDevice({ paths: [] });
    const { id: other } = await rig.newDevice({ paths: [] });
    const { cache } = cacheWith({ maxIdleRounds: 2 });
    const [, used] = await Promise.all([cache.get(id), cache.get(other)]);
    cache.evictIdle();
    expect(cache.peek(other)).toBe(used);
    cache.evictIdle();
    cache.evictIdle();
    expect(cache.peek(id)).toBeUndefined();
    expect(cache.peek(other)).toBe(used);
  });

  it('returns a Device by its handle until it is invalidated or evicted', async () => {
    const { id } = await rig.newDevice({ paths: [] });
    const { cache, queries } = cacheWith({ maxIdleRounds: 1 });
    const handle = cache.handle(id);
    expect(handle.peek()).toBeUndefined();
    const first = await handle.get();
    expect(handle.peek()).toBe(first);
    cache.invalidate(id);
    expect(handle.peek()).toBeUndefined();
    const second = await cache.get(id);
    expect(second).not.toBe(first);
    cache.evictIdle();
    expect(handle.peek()).toBe(second);
    cache.evictIdle();
    expect(handle.peek()).toBe(second);
    cache.evictIdle();
    cache.evictIdle();
    expect(handle.peek()).toBeUndefined();
    await handle.get();
    expect(queries()).toBe(3);
    cache.invalidateAll();
    expect(handle.peek()).toBeUndefined();
  });

  it('holds one entry for a Device in whichever case its id is written', async () => {
    const { id } = await rig.newDevice({ paths: [] });
    const { cache, queries } = cacheWith();
    const device = await cache.get(id.toUpperCase());
    expect(device?.deviceId).toBe(id);
    expect(await cache.get(id)).toBe(device);
    expect(queries()).toBe(1);
    cache.invalidate(id);
    expect(cache.peek(id.toUpperCase())).toBeUndefined();
  });

  it('keeps the index of a Device when it is reloaded', async () => {
    const made = [await rig.newDevice({ paths: [] }), await rig.newDevice({ paths: [] })];
    const { cache } = cacheWith();
    const indexesOf = () =>
      Promise.all(made.map(async ({ id }) => (await cache.get(id.toUpperCase()))?.index));
    const indexes = await indexesOf();
    expect(new Set(indexes)).toEqual(new Set([0, 1]));
    cache.invalidateAll();
    expect(await indexesOf()).toEqual(indexes);
  });

  it('holds no more Devices and Variables than its limits', async () => {
    const made = await Promise.all(
      ['a', 'b', 'c'].map((name) => rig.newDevice({ paths: [`${name}.first`, `${name}.next`] })),
    );
    const held = async (limits: Partial<typeof DEVICE_CACHE_LIMITS>) => {
      const { cache } = cacheWith(limits);
      for (const { id } of made) expect((await cache.get(id))?.variables.size).toBe(2);
      return made.filter(({ id }) => cache.peek(id)).length;
    };
    expect(await held({})).toBe(3);
    expect(await held({ maxDevices: 2 })).toBe(2);
    expect(await held({ maxVariables: 2 })).toBe(1);
  });
});
