import { setTimeout as sleep } from 'node:timers/promises';
import { ASSET_TYPES, type Asset, type AssetType } from '@fieldwatch/contract';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AssetCalls, assetCalls } from '../support/asset-calls.ts';

import { joinServer, type TestOrganization } from '../support/server.ts';
import { cases } from '../support/soak.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const NAMES = ['Pump', 'pump 100%', 'Feeder_A', 'FEEDER-A', "O'Brien \\ Sons", 'Größe 😀', 'ÄÖÜ ß'];
const SEARCHES = [
  '',
  'PUMP',
  'p',
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
  '_'.repeat(500),
];
const RECORDS = 150;
const SEED = 20_261_115;

let server: TestOrganization;
let neighbour: TestOrganization;
let calls: AssetCalls;
const locations: string[] = [];
const assets: Asset[] = [];

async function populate(): Promise<void> {
  for (let index = 0; index < 4; index += 1) locations.push(await calls.newLocation());
  const device = await calls.newDevice();
  const variables: string[] = [];
  for (let index = 0; index < 10; index += 1) {
    variables.push((await calls.newVariable({ name: `Variable ${index % 3}` }, device)).id);
  }
  const plans = fc.sample(
    fc.record({
      name: fc.constantFrom(...NAMES),
      classificationType: fc.constantFrom(...ASSET_TYPES),
      locationId: fc.constantFrom(null, ...locations.slice(0, 3)),
      bound: fc.subarray(variables),
      pauseMs: fc.constantFrom(0, 0, 3),
    }),
    { numRuns: RECORDS, seed: SEED },
  );
  for (const [index, { name, bound, pauseMs, ...fields }] of plans.entries()) {
    await sleep(pauseMs);
    const asset = await calls.made({ name: `${name} ${index}`, ...fields });
    assets.push(bound.length === 0 ? asset : (await calls.bindMany(asset.id, bound)).body);
  }
}

beforeAll(async () => {
  server = await joinServer();
  neighbour = await joinServer();
  calls = assetCalls(server);
  await assetCalls(neighbour).made({ name: 'Pump' });
  await populate();
});

interface Filter {
  readonly search?: string | undefined;
  readonly types?: readonly AssetType[] | undefined;
  readonly locationIds?: readonly string[] | undefined;
  readonly skip?: number | undefined;
  readonly take?: number | undefined;
}

/** What the list must answer, by looking at every Asset. */
function oracle({ search = '', types, locationIds, skip = 0, take = 25 }: Filter) {
  const matching = assets
    .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
    .filter(({ classificationType }) => types?.includes(classificationType) ?? true)
    .filter(({ locationId }) => locationIds?.includes(locationId ?? '') ?? true)
    .sort((a, b) => (a.createdDateTime + a.id < b.createdDateTime + b.id ? 1 : -1));
  return { count: matching.length, items: matching.slice(skip, skip + take) };
}

function queryOf({ search, types = [], locationIds = [], skip, take }: Filter): string {
  const pairs = [
    ...Object.entries({ search, skip, take }),
    ...types.map((type) => ['types[]', type] as const),
    ...locationIds.map((id) => ['locationIds[]', id] as const),
  ];
  return pairs
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

describe('the list of Assets', () => {
  it('equals what one finds by looking at each, for any filters together', async () => {
    const filters = fc.record({
      search: maybe(fc.constantFrom(...SEARCHES)),
      types: maybe(fc.uniqueArray(fc.constantFrom(...ASSET_TYPES), { minLength: 1 })),
      locationIds: maybe(
        fc.uniqueArray(fc.constantFrom(...locations, UNKNOWN, 'none', "'"), { minLength: 1 }),
      ),
      skip: maybe(fc.constantFrom(0, 1, 20, RECORDS - 1, RECORDS, 10_000)),
      take: maybe(fc.constantFrom(1, 7, 25, 1000)),
    });
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        expect((await calls.list(queryOf(filter))).body).toEqual(oracle(filter));
      }),
      { numRuns: cases(500), seed: SEED },
    );
  });

  it('has each filter alone, and each pair, as one finds by looking at each', async () => {
    const alone: Filter[] = [
      ...SEARCHES.map((search) => ({ search })),
      ...ASSET_TYPES.map((type) => ({ types: [type] })),
      ...[...locations, UNKNOWN, 'none'].map((id) => ({ locationIds: [id] })),
    ];
    const pairs = alone.flatMap((one) =>
      alone
        .filter((other) => Object.keys(one)[0] !== Object.keys(other)[0])
        .map((other) => ({ ...one, ...other })),
    );
    const some = fc.sample(fc.constantFrom(...pairs), { numRuns: 100, seed: SEED });
    for (const filter of [...alone, ...some]) {
      expect((await calls.list(queryOf(filter))).body, queryOf(filter)).toEqual(oracle(filter));
    }
  });

  it.each([
    ['types[0]=GENERIC&types[1]=ELECTRICAL_ATS'],
    ['types=GENERIC&types=ELECTRICAL_ATS'],
    ['types[]=GENERIC&types[]=ELECTRICAL_ATS&types[]=GENERIC'],
  ])('takes the array as %s', async (query) => {
    expect((await calls.list(query)).body).toEqual(
      oracle({ types: ['GENERIC', 'ELECTRICAL_ATS'] }),
    );
  });

  it('carries the same record that retrieve answers', async () => {
    const { items } = (await calls.list('take=20')).body;
    for (const item of items) expect((await calls.retrieve(item.id)).body).toEqual(item);
  });

  it.each([
    ['types[]=TOASTER', 'types[0]'],
    ['types[]=GENERIC&types[]=', 'types[1]'],
    ['types[]=generic', 'types[0]'],
    [`${'types[]=GENERIC&'.repeat(201)}`, 'types'],
    [`${'locationIds[]=x&'.repeat(201)}`, 'locationIds'],
    [`search=${'x'.repeat(501)}`, 'search'],
    ['parentId=x', 'parentId'],
    ['take=0', 'take'],
    ['take=1001', 'take'],
    ['skip=-1', 'skip'],
  ])('refuses %s by the name of the parameter', async (query, path) => {
    const { status, body } = await calls.list(query);
    const paths = body.errors.map((error: { path: string }) => error.path);
    expect([status, paths]).toEqual([400, [path]]);
  });

  it('takes 200 values in a filter', async () => {
    const query = `${'locationIds[]=x&'.repeat(199)}locationIds[]=${locations[0]}&take=1000`;
    expect((await calls.list(query)).body).toEqual(
      oracle({ locationIds: locations.slice(0, 1), take: 1000 }),
    );
  });
});
