import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStorage } from '../../../test/support/entries.ts';
import { createPlaces } from '../../presence/index.ts';
import { ENTRY_LIMITS } from './cache-entries.ts';
import { createDeviceEntries } from './device-cache.ts';

let ground: Awaited<ReturnType<typeof startStorage>>;

beforeAll(async () => {
  ground = await startStorage();
});

afterAll(() => ground.stop());

function entriesWith(limits: Partial<typeof ENTRY_LIMITS> = {}) {
  const { storage, queries } = ground.counted();
  const entries = createDeviceEntries({
    storage,
    places: createPlaces(),
    limits: { ...ENTRY_LIMITS, ...limits },
  });
  return { entries, queries };
}

describe('Device entries', () => {
  it('hold the Device and its Variables by path', async () => {
    const { id, organizationId } = await ground.newDevice({ paths: ['engine.rpm', 'engine.oil'] });
    const { entries } = entriesWith();
    expect(entries.peek(id)).toBeUndefined();
    const entry = await entries.get(id);
    expect(entry).toMatchObject({
      deviceId: id,
      organizationId,
      parentDeviceId: null,
      takesReadings: true,
    });
    expect([...(entry?.variables.keys() ?? [])].sort()).toEqual(['engine.oil', 'engine.rpm']);
    const variable = entry?.variables.get('engine.rpm');
    expect(variable).toMatchObject({ deviceId: id, organizationId, path: 'engine.rpm' });
    expect(variable?.seriesId).toBeGreaterThan(0);
    expect(entries.peek(id)).toBe(entry);
  });

  it('load a Device once for all who ask', async () => {
    const { id } = await ground.newDevice({ paths: [] });
    const { entries, queries } = entriesWith();
    const [first, second] = await Promise.all([entries.get(id), entries.get(id)]);
    expect(await entries.get(id)).toBe(first);
    expect(second).toBe(first);
    expect(queries()).toBe(1);
  });

  it('load many Devices in one query when they are asked for together', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => ground.newDevice({ paths: [`path.${index}`] })),
    );
    const { entries, queries } = entriesWith();
    const unknown = '018f0000-0000-7000-8000-00000000beef';
    const [none, ...loaded] = await Promise.all([
      entries.get(unknown),
      ...made.map(({ id }) => entries.get(id)),
    ]);
    expect(none).toBeNull();
    expect(loaded.map((entry) => entry?.deviceId)).toEqual(made.map(({ id }) => id));
    const paths = loaded.flatMap((entry) => [...(entry?.variables.keys() ?? [])]);
    expect(paths).toEqual(made.map((_, index) => `path.${index}`));
    expect(queries()).toBe(1);
  });

  it('remember what is no Device, until they are told of it', async () => {
    const { entries, queries } = entriesWith();
    const id = '018f0000-0000-7000-8000-00000000dead';
    expect(await entries.get(id)).toBeNull();
    expect(await entries.get(id)).toBeNull();
    expect(await entries.get('not an id')).toBeNull();
    expect(queries()).toBe(1);
    entries.forget(id);
    expect(await entries.get(id)).toBeNull();
    expect(queries()).toBe(2);
  });

  it('load again what has changed, also while it was loading', async () => {
    const { id } = await ground.newDevice({ paths: [] });
    const { entries, queries } = entriesWith();
    const early = entries.get(id);
    // By then the query is under way.
    await new Promise(setImmediate);
    entries.forget(id);
    const late = entries.get(id);
    expect(await late).not.toBe(await early);
    expect(entries.peek(id)).toBe(await late);
    expect(queries()).toBe(2);
  });

  it('load everything again when anything may have changed', async () => {
    const made = [
      await ground.newDevice({ paths: ['engine.rpm'] }),
      await ground.newDevice({ paths: [] }),
    ];
    const { entries, queries } = entriesWith({ maxVariables: 1 });
    const missing = '018f0000-0000-7000-8000-00000000dead';
    const load = () =>
      Promise.all([...made.map(({ id }) => entries.get(id)), entries.get(missing)]);
    const early = load();
    entries.forgetAll();
    await early;
    expect(made.some(({ id }) => entries.peek(id))).toBe(false);
    const before = queries();
    await load();
    expect(queries()).toBe(before + 1);
    entries.forgetAll();
    await load();
    expect(queries()).toBe(before + 2);
    expect(made.every(({ id }) => entries.peek(id))).toBe(true);
  });

  it('drop what was not used for a while', async () => {
    const { id } = await ground.newDevice({ paths: [] });
    const { id: other } = await ground.newDevice({ paths: [] });
    const { entries } = entriesWith({ idleSweeps: 2 });
    await Promise.all([entries.get(id), entries.get(other)]);
    entries.sweep();
    expect(entries.peek(other)).toBeDefined();
    entries.sweep();
    entries.sweep();
    expect(entries.peek(id)).toBeUndefined();
    expect(entries.peek(other)).toBeDefined();
  });

  it('are found again by a handle, until they change or are dropped', async () => {
    const { id } = await ground.newDevice({ paths: [] });
    const { entries, queries } = entriesWith({ idleSweeps: 1 });
    const handle = entries.handle(id);
    expect(handle.peek()).toBeUndefined();
    const first = await handle.get();
    expect(handle.peek()).toBe(first);
    entries.forget(id);
    expect(handle.peek()).toBeUndefined();
    const second = await entries.get(id);
    expect(second).not.toBe(first);
    entries.sweep();
    expect(handle.peek()).toBe(second);
    entries.sweep();
    expect(handle.peek()).toBe(second);
    entries.sweep();
    entries.sweep();
    expect(handle.peek()).toBeUndefined();
    await handle.get();
    expect(queries()).toBe(3);
    entries.forgetAll();
    expect(handle.peek()).toBeUndefined();
  });

  it('are one of a Device, however its id is written', async () => {
    const { id } = await ground.newDevice({ paths: [] });
    const { entries, queries } = entriesWith();
    const entry = await entries.get(id.toUpperCase());
    expect(entry?.deviceId).toBe(id);
    expect(await entries.get(id)).toBe(entry);
    expect(queries()).toBe(1);
    entries.forget(id);
    expect(entries.peek(id.toUpperCase())).toBeUndefined();
  });

  it('keep the place of their Device when they are loaded again', async () => {
    const made = [await ground.newDevice({ paths: [] }), await ground.newDevice({ paths: [] })];
    const { entries } = entriesWith();
    const placesOf = () =>
      Promise.all(made.map(async ({ id }) => (await entries.get(id.toUpperCase()))?.place));
    const places = await placesOf();
    expect(new Set(places)).toEqual(new Set([0, 1]));
    entries.forgetAll();
    expect(await placesOf()).toEqual(places);
  });

  it('are so many Devices and Variables at most', async () => {
    const made = await Promise.all(
      ['a', 'b', 'c'].map((name) => ground.newDevice({ paths: [`${name}.first`, `${name}.next`] })),
    );
    const held = async (limits: Partial<typeof ENTRY_LIMITS>) => {
      const { entries } = entriesWith(limits);
      for (const { id } of made) expect((await entries.get(id))?.variables.size).toBe(2);
      return made.filter(({ id }) => entries.peek(id)).length;
    };
    expect(await held({})).toBe(3);
    expect(await held({ maxDevices: 2 })).toBe(2);
    expect(await held({ maxVariables: 2 })).toBe(1);
  });
});
