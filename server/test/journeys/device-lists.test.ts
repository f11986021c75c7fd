import { DEVICE_TYPES, type Device, type DeviceType, operations } from '@fieldwatch/contract';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { joinServer, type TestOrganization } from '../support/server.ts';
import { cases } from '../support/soak.ts';

const WALKED = cases(1_000, 0.2);
const PAGES_WALKED = 20;
const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const NAMES = ['Pump', 'pump 100%', 'Feeder_A', 'FEEDER-A', "O'Brien \\ Sons", 'Größe 😀', 'ÄÖÜ ß'];
const SEARCHES = [
  '',
  'p',
  'PUMP',
  '%',
  '_',
  '\\',
  "'",
  '"',
  '😀',
  'größe',
  'äöü',
  ' ',
  'x'.repeat(500),
];

let server: TestOrganization;
let devices: Device[];
let archived: Set<string>;

const list = (query: string) => server.call(operations.listDevices, { query });

const configurationOf = (type: DeviceType, index: number) => {
  const eui = index.toString(16).padStart(16, '0');
  if (type === 'LORAWAN_DEVICE') return { devEui: eui, appEui: eui, appKey: eui + eui };
  return type.startsWith('LORAWAN') ? { gatewayEui: eui, rfRegion: 'EU868' } : undefined;
};

/** Makes so many Devices, one after the other, in a random mix of everything that lists filter by. */
async function populate(count: number): Promise<void> {
  const choices = fc.sample(
    fc.record({
      type: fc.constantFrom(...DEVICE_TYPES),
      name: fc.constantFrom(...NAMES),
      parent: fc.option(fc.nat({ max: 9 })),
      isArchived: fc.nat({ max: 4 }).map((one) => one === 0),
    }),
    { numRuns: count, seed: 3 },
  );
  for (const [index, { type, name, parent, isArchived }] of choices.entries()) {
    const { status, body } = await server.call(operations.createDevice, {
      body: {
        type,
        name: `${name} ${index}`,
        parentDeviceId: parent === null ? null : (devices[parent]?.id ?? null),
        configuration: configurationOf(type, index),
      },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    const { credentials: _, ...device } = body;
    devices.push(device);
    if (!isArchived) continue;
    await server.call(operations.archiveDevice, { params: { deviceId: device.id } });
    archived.add(device.id);
  }
}

beforeAll(async () => {
  server = await joinServer();
  devices = [];
  archived = new Set();
  await populate(150);
});

interface Filter {
  search?: string | undefined;
  types?: readonly DeviceType[] | undefined;
  parent?: string | undefined;
  scope?: 'active' | 'archived' | 'all' | undefined;
  skip?: number | undefined;
  take?: number | undefined;
}

/** What the list must answer, by looking at every Device. */
function oracle({ search, types, parent, scope = 'active', skip = 0, take = 25 }: Filter) {
  const matching = devices
    .filter(({ name }) => name.toLowerCase().includes((search ?? '').toLowerCase()))
    .filter(({ type }) => types === undefined || types.includes(type))
    .filter(({ parentDeviceId }) => parent === undefined || parentDeviceId === parent)
    .filter(({ id }) => scope === 'all' || archived.has(id) === (scope === 'archived'))
    .sort((a, b) => (a.createdDateTime + a.id < b.createdDateTime + b.id ? 1 : -1));
  return { count: matching.length, ids: matching.slice(skip, skip + take).map(({ id }) => id) };
}

function queryOf({ search, types, parent, scope, skip, take }: Filter): string {
  const parts = {
    search,
    type: types?.join(','),
    parentDeviceId: parent,
    archivedScope: scope,
    skip,
    take,
  };
  return Object.entries(parts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

describe('the list of Devices', () => {
  it('equals what one finds by looking at each, for any filters together', async () => {
    const filters = fc.record({
      search: maybe(fc.constantFrom(...SEARCHES)),
      types: maybe(fc.uniqueArray(fc.constantFrom(...DEVICE_TYPES), { minLength: 1 })),
      parent: maybe(
        fc.oneof(
          fc.nat({ max: 11 }).map((index) => devices[index]?.id ?? ''),
          fc.constantFrom(UNKNOWN, 'none'),
        ),
      ),
      scope: maybe(fc.constantFrom('active', 'archived', 'all')),
      skip: maybe(fc.constantFrom(0, 1, 20, 149, 150, 10_000)),
      take: maybe(fc.constantFrom(1, 7, 25, 1000)),
    });
    await fc.assert(
      fc.asyncProperty(filters, async (filter: Filter) => {
        const { body } = await list(queryOf(filter));
        const expected = oracle(filter);
        expect({ count: body.count, ids: body.items.map(({ id }: Device) => id) }).toEqual(
          expected,
        );
      }),
      { numRuns: cases(500) },
    );
  });

  it('carries the same record that retrieve answers', async () => {
    const { body } = await list('take=1000&archivedScope=all');
    for (const item of body.items.slice(0, 20)) {
      const { body: one } = await server.call(operations.retrieveDevice, {
        params: { deviceId: item.id },
      });
      expect(item).toEqual(one);
    }
  });

  it.each([
    ['type=TOASTER', 'type'],
    ['type=', 'type'],
    ['type=CUSTOM_DEVICE,', 'type'],
    ['type=custom_device', 'type'],
    ['archivedScope=some', 'archivedScope'],
    ['archivedScope=', 'archivedScope'],
    [`search=${'x'.repeat(501)}`, 'search'],
    ['locationId=x', 'locationId'],
    ['take=0', 'take'],
    ['take=1001', 'take'],
  ])('refuses %s by the name of the parameter', async (query, path) => {
    const { status, body } = await list(query);
    expect([status, body.errors.map((error: { path: string }) => error.path)]).toEqual([
      400,
      [path],
    ]);
  });
});

describe('the listing by cursor', () => {
  const page = (query: string) => server.call(operations.listDevicesByCursor, { query });

  const walk = async (query: string, between: () => Promise<void> = async () => undefined) => {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: Awaited<ReturnType<typeof page>> = await page(
        cursor === '' ? query : `${query}&cursor=${cursor}`,
      );
      ids.push(...body.data.map(({ id }: Device) => id));
      cursor = body.nextCursor;
      await between();
    }
    return ids;
  };

  it('gives every active Device once, newest first, whatever the page', async () => {
    for (const limit of [1, 7, 100]) {
      expect(await walk(`limit=${limit}`)).toEqual(oracle({ take: 1000 }).ids);
    }
    expect(await walk('limit=3&search=PUMP')).toEqual(oracle({ search: 'pump', take: 1000 }).ids);
  });

  it('has pages of 25 unless asked otherwise, and no cursor behind the last', async () => {
    const { body } = await page('');
    expect(body.data).toHaveLength(25);
    expect(typeof body.nextCursor).toBe('string');
    const { body: last } = await page('search=nothing%20like%20this');
    expect(last).toEqual({ data: [], nextCursor: null });
    const total = oracle({ take: 1000 }).count;
    const { body: all } = await page(`limit=${Math.min(100, total)}`);
    expect(all.nextCursor === null).toBe(total <= 100);
  });

  it.each([
    ['limit=0', 400],
    ['limit=1', 200],
    ['limit=100', 200],
    ['limit=101', 400],
    ['cursor=', 400],
    ['cursor=nonsense', 400],
    [`cursor=${'A'.repeat(100)}`, 400],
    [`cursor=${'A'.repeat(501)}`, 400],
    ['skip=1', 400],
  ])('answers %s with %i', async (query, status) => {
    expect((await page(query)).status).toBe(status);
  });

  it('takes a cursor only in the listing that it was given for, and unchanged', async () => {
    const { nextCursor } = (await page('limit=1')).body;
    expect((await page(`cursor=${nextCursor}&search=pump`)).status).toBe(400);
    for (let index = 0; index < nextCursor.length; index += 5) {
      const other = nextCursor[index] === 'A' ? 'B' : 'A';
      const changed = nextCursor.slice(0, index) + other + nextCursor.slice(index + 1);
      expect((await page(`cursor=${changed}`)).status).toBe(400);
    }
    expect((await page(`cursor=${nextCursor}`)).status).toBe(200);
  });

  it('meets each surviving one of many exactly once while others come and go', async () => {
    const create = async (name: string) =>
      (await server.call(operations.createDevice, { body: { type: 'CUSTOM_DEVICE', name } })).body
        .id as string;
    const born: string[] = [];
    for (let first = 0; first < WALKED; first += 20) {
      born.push(...(await Promise.all(Array.from({ length: 20 }, () => create('Walked')))));
    }
    const survivors = new Set(born);
    let turn = 0;
    const seen = await walk(`limit=${WALKED / PAGES_WALKED}&search=walked`, async () => {
      const gone = born.filter((id, index) => index % 40 === turn && survivors.has(id));
      turn += 1;
      await create('Walked, late');
      for (const deviceId of gone) {
        survivors.delete(deviceId);
        await server.call(operations.deleteDevice, { params: { deviceId } });
      }
    });
    expect(new Set(seen).size).toBe(seen.length);
    expect(survivors.size).toBeLessThan(WALKED);
    expect([...survivors].filter((id) => !seen.includes(id))).toEqual([]);
  });
});
