import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createStillClock } from '../../../test/support/clock.ts';
import { startStorage } from '../../../test/support/device-storage.ts';
import { createRandom } from '../../../test/support/random.ts';
import { createLog, fold } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { deviceRecord, masked } from '../device.ts';
import { type DeviceFilter, listDevices } from '../store.ts';
import { DeviceSearch, type DeviceSearchLimits } from './device-search.ts';

let rig: Awaited<ReturnType<typeof startStorage>>;
let storage: Storage;
let organizationId: string;

beforeAll(async () => {
  rig = await startStorage();
  storage = rig.counted().storage;
  organizationId = (await rig.newDevice({ paths: [] })).organizationId;
});

beforeEach(() => storage.query('delete from devices'));

afterAll(() => rig.stop());

const presence = {
  of: ({ id, lastSeenAt }: { id: string; lastSeenAt: number | null }) => ({
    isOnline: id < '8',
    lastSeenAt: id < '4' ? 1_763_195_400_123 : lastSeenAt,
  }),
};

function open({
  limits,
  isAlone = () => true,
}: {
  limits?: DeviceSearchLimits;
  isAlone?: () => boolean;
} = {}) {
  const clock = createStillClock();
  const log = createLog('silent');
  const search = new DeviceSearch({
    ...{ storage, clock, log, presence, isAlone },
    ...(limits && { limits }),
  });
  return { search, clock };
}

const everything = { types: null, archivedScope: 'all', skip: 0, take: 25 } as const;
const query = (text: string) => ({ ...everything, search: text });
const find = async (search: DeviceSearch, text = 'pump', showsKeys = false) => {
  const json = await search.find(organizationId, query(text), { showsKeys });
  return json && JSON.parse(json);
};

/** Searches until the index answers. */
async function load(search: DeviceSearch): Promise<void> {
  await expect.poll(() => find(search), { timeout: 20_000 }).toBeDefined();
}

async function insert(name: string, fields: Record<string, unknown> = {}): Promise<string> {
  const id = crypto.randomUUID();
  const given = Object.entries({ type: 'CUSTOM_DEVICE', ...fields });
  const columns = given.map(([column]) => `, ${column}`).join('');
  const values = given.map((_, index) => `, $${index + 5}`).join('');
  await storage.query(
    `insert into devices (organization_id, id, name, name_folded, description, password_hash,
       created_at, updated_at${columns}) values ($1, $2, $3, $4, 'Of the test', 'none', now(), now()${values})`,
    [organizationId, id, name, fold(name), ...given.map(([, value]) => value)],
  );
  return id;
}

const rename = (id: string, name: string) =>
  storage.query('update devices set name = $2, name_folded = $3 where id = $1', [
    id,
    name,
    fold(name),
  ]);

const KEY = {
  type: 'LORAWAN_DEVICE',
  dev_eui: '0'.repeat(16),
  app_eui: '0'.repeat(16),
  sealed_app_key: Buffer.from('sealed'),
};

describe('a search for Devices in memory', () => {
  it('gives the bytes that the database would, after any changes', async () => {
    const random = createRandom(42);
    const syllables = [
      'pump',
      'ΣΟΣ',
      'ς',
      'Pü',
      'u\u0308',
      'İx',
      'ß',
      '%',
      '_',
      '\\',
      '"',
      '😀',
      ' 12',
      '3',
    ];
    const nameOf = () =>
      `Name ${Array.from({ length: 1 + random.below(5) }, () => random.pick(syllables)).join('')}`;
    const types = ['CUSTOM_DEVICE', 'CONTROLCOM_GATEWAY'] as const;
    const ids: string[] = [];
    const add = async () => {
      const parent = random.below(3) === 0 && ids.length > 0 ? random.pick(ids) : null;
      ids.push(await insert(nameOf(), { type: random.pick(types), parent_device_id: parent }));
    };
    for (let count = 0; count < 600; count += 1) await add();
    const { search } = open();
    await load(search);
    const changes = [
      add,
      async () => {
        const id = random.pick(ids);
        await rename(id, nameOf());
        search.invalidate(organizationId, id);
      },
      async () => {
        const id = random.pick(ids);
        const at = random.pick([null, '2026-11-16T12:00:00Z']);
        await storage.query('update devices set archived_at = $2 where id = $1', [id, at]);
        search.invalidate(organizationId, id);
      },
      async () => {
        const [id = ''] = ids.splice(random.below(ids.length), 1);
        await storage.query('delete from devices where id = $1', [id]);
        search.invalidate(organizationId, id);
      },
    ];
    let compared = 0;
    for (let round = 0; round < 400; round += 1) {
      const before = ids.length;
      await random.pick(changes)();
      if (ids.length > before) search.invalidate(organizationId, ids.at(-1) ?? '');
      const text = Array.from({ length: 1 + random.below(2) }, () => random.pick(syllables)).join(
        '',
      );
      const filter: DeviceFilter = {
        search: text,
        types: random.pick([null, [random.pick(types)]]),
        parentDeviceId: null,
        archivedScope: random.pick(['active', 'archived', 'all'] as const),
      };
      const page = { skip: random.pick([0, 0, 10, 1_000]), take: random.pick([0, 1, 25]) };
      const json = await search.find(organizationId, { ...filter, ...page }, { showsKeys: false });
      if (!json) {
        await load(search);
        continue;
      }
      compared += 1;
      const { count, rows } = await listDevices(storage, organizationId, filter, page);
      const items = rows.map((row) => deviceRecord(row, presence.of(row), masked));
      expect(json).toBe(JSON.stringify({ count, items }));
    }
    expect(compared).toBeGreaterThan(200);
  }, 120_000);

  it('finds a Device that changed while its organization was loaded', async () => {
    const id = await insert('Pump before');
    const { search } = open();
    expect(await find(search)).toBeUndefined();
    await rename(id, 'Pump after');
    search.invalidate(organizationId, id);
    await load(search);
    expect((await find(search)).items[0].name).toBe('Pump after');
  });

  it('reads a Device again that changed during a reload', async () => {
    const id = await insert('Pump before');
    const { search } = open();
    await load(search);
    search.invalidate(organizationId, id);
    const early = find(search);
    await rename(id, 'Pump after');
    search.invalidate(organizationId, id);
    expect((await find(search)).items[0].name).toBe('Pump after');
    await early;
  });

  it('is left to the database while there are other nodes, and begins again without them', async () => {
    const id = await insert('Pump before');
    let alone = true;
    const { search } = open({ isAlone: () => alone });
    await load(search);
    alone = false;
    expect(await find(search)).toBeUndefined();
    // Another node renames the Device.
    await rename(id, 'Pump after');
    alone = true;
    await load(search);
    expect((await find(search)).items[0].name).toBe('Pump after');
  });

  it('is left to the database after a Location or a parent Device was deleted', async () => {
    const locationId = crypto.randomUUID();
    await storage.query(
      `insert into locations (organization_id, id, name, name_folded, created_at, updated_at)
       values ($1, $2, 'Plant', 'plant', now(), now())`,
      [organizationId, locationId],
    );
    const parent = await insert('Gateway');
    await insert('Pump there', { location_id: locationId });
    await insert('Pump below', { parent_device_id: parent });
    const { search } = open();
    await load(search);
    await storage.query('delete from locations where id = $1', [locationId]);
    search.referenceDeleted(organizationId, locationId);
    expect(await find(search)).toBeUndefined();
    await load(search);
    await storage.query('delete from devices where id = $1', [parent]);
    search.invalidate(organizationId, parent);
    expect(await find(search)).toBeUndefined();
    await load(search);
    const { items } = await find(search);
    expect(items).toMatchObject([{ parentDeviceId: null }, { locationId: null }]);
  });

  it('is left to the database when the page has keys that the caller may see', async () => {
    await insert('Pump with a key', KEY);
    const { search } = open();
    await load(search);
    expect(await find(search, 'pump', true)).toBeUndefined();
    expect((await find(search, 'with a')).items[0].configuration.appKey).toBe('*'.repeat(32));
  });

  it('is left to the database where the Devices take more memory than allowed', async () => {
    await insert('Pump of many');
    const { search } = open({ limits: { maxBytes: 1_000, maxChanges: 10 } });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await find(search)).toBeUndefined();
      await search.loaded();
    }
    expect(search.totals()).toEqual({ memory: 0, database: 5 });
  });

  it('is left to the database after very many changes, and begins again', async () => {
    const ids = [await insert('Pump 1'), await insert('Pump 2'), await insert('Pump 3')];
    const { search } = open({ limits: { maxBytes: 4_000_000, maxChanges: 2 } });
    await load(search);
    for (const id of ids) search.invalidate(organizationId, id);
    expect(await find(search)).toBeUndefined();
    await load(search);
    expect((await find(search)).count).toBe(3);
  });

  it('is dropped after ten minutes without a search', async () => {
    await insert('Pump 1');
    const { search, clock } = open();
    await load(search);
    clock.advance(600_000);
    search.evictIdle();
    expect(await find(search)).toBeDefined();
    clock.advance(600_001);
    search.evictIdle();
    expect(await find(search)).toBeUndefined();
  });
});
