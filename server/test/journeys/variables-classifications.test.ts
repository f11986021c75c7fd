import { CLASSIFIED_ASSET_TYPES, type Classification, operations } from '@fieldwatch/contract';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { joinServer, type TestOrganization } from '../support/server.ts';
import { cases } from '../support/soak.ts';
import { variableCalls } from '../support/variable-calls.ts';

let server: TestOrganization;
let all: Classification[];

beforeAll(async () => {
  server = await joinServer();
  all = (await list('take=1000')).items;
});

const list = async (query = '') =>
  (await server.call(operations.listClassifications, { query })).body;

const ASSET_TYPES = ['GENERIC', ...CLASSIFIED_ASSET_TYPES];

describe('the list of classifications', () => {
  it('is the catalogue, page by page, 25 unless asked otherwise', async () => {
    expect(await list()).toEqual({ count: all.length, items: all.slice(0, 25) });
    expect(await list('skip=20&take=10')).toEqual({ count: all.length, items: all.slice(20, 30) });
    expect(await list('skip=1000')).toEqual({ count: all.length, items: [] });
    expect(all.find((each) => each.classificationType === 'ELECTRICAL_GENERATOR_KW')).toEqual({
      classificationType: 'ELECTRICAL_GENERATOR_KW',
      name: 'Real power',
      unit: 'kW',
      type: 'NUMBER',
      assetClassificationType: 'ELECTRICAL_GENERATOR',
      description: 'Real power of all phases together.',
    });
  });

  it('answers any mix of filters and pages like a look at every entry', async () => {
    const request = fc.record(
      {
        search: fc.constantFrom(
          '',
          'kw',
          'VOLTAGE',
          '_',
          '%',
          '\\',
          "'",
          'oil',
          'a',
          'z'.repeat(500),
        ),
        assetTypes: fc.array(fc.constantFrom(...ASSET_TYPES), { maxLength: 3 }),
        skip: fc.nat({ max: 300 }),
        take: fc.integer({ min: 1, max: 100 }),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(request, async ({ search = '', assetTypes = [], skip = 0, take = 25 }) => {
        const query = new URLSearchParams({ search, skip: String(skip), take: String(take) });
        for (const type of assetTypes) query.append('assetClassificationTypes[]', type);
        const found = all.filter(
          ({ name, classificationType, assetClassificationType }) =>
            (assetTypes.length === 0 || assetTypes.includes(assetClassificationType)) &&
            `${name}\n${classificationType}`.toLowerCase().includes(search.toLowerCase()),
        );
        expect(await list(String(query))).toEqual({
          count: found.length,
          items: found.slice(skip, skip + take),
        });
      }),
      { numRuns: cases(500) },
    );
  });

  it('refuses a kind of Asset that there is not', async () => {
    const { status, errors } = await list('assetClassificationTypes[]=ELECTRICAL_TOASTER');
    expect([status, errors]).toEqual([
      400,
      [
        {
          path: 'assetClassificationTypes[0]',
          message: `must be one of ${ASSET_TYPES.join(', ')}`,
        },
      ],
    ]);
  });

  it('holds nothing that a Variable cannot be given', async () => {
    const calls = variableCalls(server);
    const deviceId = await calls.newDevice();
    for (const { classificationType, name, unit, type } of all) {
      const body = { classificationType, name, type, ...(unit === null ? {} : { unit }) };
      const made = await calls.create(deviceId, body);
      expect(made.status, classificationType).toBe(201);
    }
  });
});
