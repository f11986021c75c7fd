import { setTimeout as sleep } from 'node:timers/promises';
import { type Location, operations } from '@fieldwatch/contract';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { joinServer, type TestOrganization } from '../support/server.ts';
import { cases } from '../support/soak.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const NAMES = ['Plant', 'plant 100%', 'Hall_A', 'HALL-A', "O'Brien \\ Sons", 'Größe 😀', 'ÄÖÜ ß'];
const SEARCHES = [
  '',
  'PLANT',
  'p',
  '%',
  '_',
  '\\',
  "'",
  '"',
  '😀',
  'größe',
  ' ',
  'x'.repeat(500),
  '%'.repeat(500),
];
const RECORDS = 150;
const SEED = 20_261_115;

let server: TestOrganization;
let neighbour: TestOrganization;
let theirs: Location;
const locations: Location[] = [];

const list = (query: string) => server.call(operations.listLocations, { query });

const create = async (body: Record<string, unknown>, at = server): Promise<Location> =>
  (await at.call(operations.createLocation, { body })).body;

beforeAll(async () => {
  server = await joinServer();
  neighbour = await joinServer();
  theirs = await create({ name: 'Plant' }, neighbour);
  await create({ name: 'Plant', parentId: theirs.id }, neighbour);
  const plans = fc.sample(
    fc.record({
      name: fc.constantFrom(...NAMES),
      parent: fc.option(fc.nat({ max: 9 })),
      pauseMs: fc.constantFrom(0, 0, 3),
    }),
    { numRuns: RECORDS, seed: SEED },
  );
  for (const [index, { name, parent, pauseMs }] of plans.entries()) {
    await sleep(pauseMs);
    const parentId = parent === null ? null : (locations[parent]?.id ?? null);
    locations.push(await create({ name: `${name} ${index}`, parentId }));
  }
});

interface Filter {
  readonly search?: string | undefined;
  readonly parentId?: string | undefined;
  readonly skip?: number | undefined;
  readonly take?: number | undefined;
}

/** What the list must answer, by looking at every Location. */
function oracle({ search = '', parentId, skip = 0, take = 25 }: Filter) {
  const matching = locations
    .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
    .filter((location) => parentId === undefined || location.parentId === parentId)
    .sort((a, b) => (a.createdDateTime + a.id < b.createdDateTime + b.id ? 1 : -1));
  return { count: matching.length, items: matching.slice(skip, skip + take) };
}

function queryOf(filter: Filter): string {
  return Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

describe('the list of Locations', () => {
  it('equals what one finds by looking at each, for any filters together', async () => {
    const filters = fc.record({
      search: maybe(fc.constantFrom(...SEARCHES)),
      parentId: maybe(
        fc.oneof(
          fc.nat({ max: 11 }).map((index) => locations[index]?.id ?? ''),
          fc.constantFrom(UNKNOWN, 'none'),
        ),
      ),
      skip: maybe(fc.constantFrom(0, 1, 20, RECORDS - 1, RECORDS, 10_000)),
      take: maybe(fc.constantFrom(1, 7, 25, 1000)),
    });
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        expect((await list(queryOf(filter))).body).toEqual(oracle(filter));
      }),
      { numRuns: cases(500), seed: SEED },
    );
  });

  it.each([
    [`search=${'x'.repeat(501)}`, 'search'],
    ['parentIds[]=x', 'parentIds[]'],
    ['take=0', 'take'],
    ['take=1001', 'take'],
    ['skip=-1', 'skip'],
  ])('refuses %s by the name of the parameter', async (query, path) => {
    const { status, body } = await list(query);
    const paths = body.errors.map((error: { path: string }) => error.path);
    expect([status, paths]).toEqual([400, [path]]);
  });
});

describe("a neighbour's Location", () => {
  it('answers like an unknown one in every operation', async () => {
    const [own] = locations;
    const attempts = (id: string) => [
      server.call(operations.retrieveLocation, { params: { locationId: id } }),
      server.call(operations.deleteLocation, { params: { locationId: id } }),
      server.call(operations.updateLocation, { params: { locationId: id }, body: { name: 'x' } }),
      server.call(operations.createLocation, { body: { name: 'x', parentId: id } }),
      server.call(operations.updateLocation, {
        params: { locationId: own?.id ?? '' },
        body: { parentId: id },
      }),
      list(`parentId=${id}`),
    ];
    const answersTo = async (id: string) =>
      (await Promise.all(attempts(id))).map(({ status, body }) => [
        status,
        body.detail?.replace(id, 'it') ?? body,
      ]);
    const answers = await answersTo(theirs.id);
    expect(answers.map(([status]) => status)).toEqual([404, 404, 404, 400, 400, 200]);
    expect(answers).toEqual(await answersTo(UNKNOWN));
    const params = { locationId: theirs.id };
    const seen = await neighbour.call(operations.retrieveLocation, { params });
    expect(seen.body).toEqual(theirs);
  });
});

describe('the audit log of a Location', () => {
  it('lists what became of it', async () => {
    const { id } = await create({ name: 'Recorded' });
    const params = { locationId: id };
    await server.call(operations.updateLocation, { params, body: { name: 'Renamed' } });
    await server.call(operations.deleteLocation, { params });
    const { body } = await server.call(operations.listAuditLog, { query: `resourceId=${id}` });
    expect(body.items.map((entry: { operation: string }) => entry.operation)).toEqual([
      'deleteLocation',
      'updateLocation',
      'createLocation',
    ]);
    expect(body.items[1].changes).toEqual([{ field: 'name', from: 'Recorded', to: 'Renamed' }]);
  });
});
