import type { Variable } from '@fieldwatch/contract';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { joinServer, type TestOrganization } from '../support/server.ts';
import { cases } from '../support/soak.ts';
import { type VariableCalls, variableCalls } from '../support/variable-calls.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const VARIABLES = 150;
const LONGEST = 500;

/** Texts in which every character that a pattern or a statement gives a meaning to stands for itself. */
const WORDS = ['Pump', 'pump', '100%', 'a_b', 'a\\b', "o'neil", '"quoted"', 'ÄRGER', '😀', '$1;--'];
const NASTY = ['%', '_', '\\', "'", '"', '\\%', '%%', '__', "' or 1=1 --", '[a-z]', '(', '.*', '?'];

let server: TestOrganization;
let calls: VariableCalls;
let all: Variable[] = [];
const deviceIds: string[] = [];
const folderIds: string[] = [];
/** The Assets, each with the Variables that are bound to it. */
const bound = new Map<string, readonly string[]>();

function randomTexts(count: number): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: count })
    .map((words) => words.join(' '));
}

const someVariable = fc.record({
  device: fc.nat({ max: 4 }),
  folder: fc.nat({ max: 4 }),
  name: randomTexts(3).filter((text) => [...text].length >= 2),
  path: randomTexts(3).map((text) => text.replaceAll(' ', '/')),
  description: fc.option(randomTexts(4)),
});

beforeAll(async () => {
  server = await joinServer();
  calls = variableCalls(server);
  for (let index = 0; index < 5; index += 1) deviceIds.push(await calls.newDevice());
  for (let index = 0; index < 4; index += 1) folderIds.push(await calls.newFolder());
  const bodies = fc.sample(someVariable, { numRuns: VARIABLES, seed: 42 });
  for (let first = 0; first < bodies.length; first += 10) {
    const made = bodies.slice(first, first + 10).map(({ device, folder, ...body }, index) =>
      calls.made(deviceIds[device] ?? '', {
        name: body.name,
        topicPropertyPath: `dev/${body.path}/${first + index}`,
        description: body.description,
        folderId: folderIds[folder] ?? null,
      }),
    );
    all.push(...(await Promise.all(made)));
  }
  const longest = 'x'.repeat(LONGEST);
  all.push(await calls.made(deviceIds[0] ?? '', { description: longest }));
  for (let index = 0; index < 4; index += 1) {
    const assetId = await calls.newAsset();
    const members = all.filter((_, position) => position % (index + 2) === 0).map(({ id }) => id);
    await calls.bind(assetId, members);
    bound.set(assetId, members);
  }
  all = all.sort((a, b) => (newestFirst(a) < newestFirst(b) ? 1 : -1));
});

const newestFirst = ({ createdDateTime, id }: Variable) => `${createdDateTime} ${id}`;
const folded = (text: string) => text.normalize('NFC').toLowerCase();

interface Filter {
  readonly search?: string;
  readonly deviceIds?: readonly string[];
  readonly assetIds?: readonly string[];
  readonly folderIds?: readonly string[];
  readonly skip?: number;
  readonly take?: number;
}

function queryOf({ search, skip, take, ...lists }: Filter): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ search, skip, take })) {
    if (value !== undefined) params.append(name, String(value));
  }
  for (const [name, ids] of Object.entries(lists)) {
    for (const id of ids ?? []) params.append(`${name}[]`, id);
  }
  return params.toString();
}

/** What a list must answer: every record looked at, one by one. */
function expected(filter: Filter, records: readonly Variable[], texts = nameOnly) {
  const among = (ids: readonly string[] | undefined, id: string | null) =>
    ids === undefined || ids.length === 0 || (id !== null && ids.includes(id));
  const isBound = (id: string) =>
    filter.assetIds === undefined ||
    filter.assetIds.length === 0 ||
    filter.assetIds.some((assetId) => bound.get(assetId)?.includes(id));
  const found = records.filter(
    (record) =>
      texts(record).some((text) => folded(text).includes(folded(filter.search ?? ''))) &&
      among(filter.deviceIds, record.deviceId) &&
      among(filter.folderIds, record.folderId) &&
      isBound(record.id),
  );
  const { skip = 0, take = 25 } = filter;
  return { count: found.length, items: found.slice(skip, skip + take) };
}

const nameOnly = ({ name }: Variable) => [name];
const everyText = ({ name, topicPropertyPath, description }: Variable) => [
  name,
  topicPropertyPath,
  description ?? '',
];

const someSearch = fc.oneof(
  fc.constantFrom(...WORDS, ...NASTY, '', 'p', 'ärger', 'PUMP', 'zzz', 'Pump 100%'),
  fc.constantFrom(...WORDS).map((word) => word.toUpperCase()),
);
const someIds = (known: () => readonly string[]) =>
  fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.nat({ max: 4 }).map((index) => known()[index] ?? UNKNOWN) },
      { weight: 1, arbitrary: fc.constantFrom(UNKNOWN, 'not-a-uuid', '', "'") },
    ),
    { maxLength: 4 },
  );
const somePage = { skip: fc.nat({ max: 160 }), take: fc.integer({ min: 1, max: 60 }) };

describe('the list of all Variables', () => {
  it('answers any mix of filters and pages like a look at every record', async () => {
    const someFilter = fc.record(
      {
        search: someSearch,
        deviceIds: someIds(() => deviceIds),
        assetIds: someIds(() => [...bound.keys()]),
        folderIds: someIds(() => folderIds),
        ...somePage,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(someFilter, async (filter) => {
        expect(await calls.list(queryOf(filter))).toEqual(expected(filter, all));
      }),
      { numRuns: cases(500) },
    );
  });

  it('applies each filter alone and in pairs', async () => {
    const single: Filter[] = [
      { search: 'pump' },
      { deviceIds: deviceIds.slice(0, 2) },
      { assetIds: [...bound.keys()].slice(2) },
      { folderIds: folderIds.slice(1, 3) },
    ];
    for (const one of single) {
      for (const other of single) {
        const filter = { ...one, ...other, take: 1000 };
        const answer = expected(filter, all);
        expect(answer.count).toBeGreaterThan(0);
        expect(answer.count).toBeLessThan(all.length);
        expect(await calls.list(queryOf(filter))).toEqual(answer);
      }
    }
  });

  it('is newest first, ties by id, and holds 25 unless asked otherwise', async () => {
    expect(await calls.list()).toEqual({ count: all.length, items: all.slice(0, 25) });
    expect(await calls.list('take=1000')).toEqual({ count: all.length, items: all });
    expect(await calls.list('skip=1000')).toEqual({ count: all.length, items: [] });
  });

  it.each([...NASTY, 'z'.repeat(LONGEST), 'path', '😀'])(
    'takes the search %j literally, and looks at names alone',
    async (search) => {
      const filter = { search, take: 1000 };
      expect(await calls.list(queryOf(filter))).toEqual(expected(filter, all));
    },
  );

  it('takes ids in every form of an array, and in either case', async () => {
    const [first = '', second = ''] = deviceIds;
    const answer = expected({ deviceIds: [first, second] }, all);
    for (const query of [
      `deviceIds[]=${first}&deviceIds[]=${second}`,
      `deviceIds[0]=${first}&deviceIds[1]=${second}`,
      `deviceIds=${first}&deviceIds=${second}`,
      `deviceIds%5B%5D=${first.toUpperCase()}&deviceIds[]=${second}&deviceIds[]=${second}`,
    ]) {
      expect(await calls.list(query)).toEqual(answer);
    }
  });

  it.each(['deviceIds', 'assetIds', 'folderIds'])(
    'matches nothing when no value of %s is an id, and takes 200 values',
    async (name) => {
      expect(await calls.list(`${name}[]=x`)).toEqual({ count: 0, items: [] });
      expect(await calls.list(`${name}[]=${UNKNOWN}`)).toEqual({ count: 0, items: [] });
      const many = (count: number) => Array.from({ length: count }, () => `${name}[]=x`).join('&');
      expect((await calls.list(many(200))).count).toBe(0);
      expect((await calls.list(many(201))).errors).toMatchObject([{ path: name }]);
    },
  );

  it.each(['type=NUMBER', 'deviceId=x', 'archivedScope=all'])(
    'refuses the parameter %s, which it does not have',
    async (query) => {
      expect((await calls.list(query)).errors).toMatchObject([{ path: query.split('=')[0] }]);
    },
  );
});

describe('the list of the Variables of a Device', () => {
  it('answers any search and page like a look at every record', async () => {
    const someRequest = fc.record(
      { search: someSearch, ...somePage, skip: fc.nat({ max: 40 }) },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 4 }), someRequest, async (device, filter) => {
        const deviceId = deviceIds[device] ?? '';
        const { body } = await calls.listOfDevice(deviceId, queryOf(filter));
        expect(body).toEqual(expected({ ...filter, deviceIds: [deviceId] }, all, everyText));
      }),
      { numRuns: cases(500) },
    );
  });

  it.each([...NASTY, 'x'.repeat(LONGEST), 'PATH', '/', 'Pump'])(
    'takes the search %j literally, in name, path and description',
    async (search) => {
      for (const deviceId of deviceIds) {
        const filter = { search, take: 1000 };
        const { body } = await calls.listOfDevice(deviceId, queryOf(filter));
        expect(body).toEqual(expected({ ...filter, deviceIds: [deviceId] }, all, everyText));
      }
    },
  );

  it('finds a Variable by each of the three texts, in any case', async () => {
    const deviceId = await calls.newDevice();
    const variable = await calls.made(deviceId, {
      name: 'Motor',
      topicPropertyPath: 'Engine/Speed',
      description: 'Übersetzung',
    });
    for (const search of ['mOTOR', 'engine/', 'üBER', 'r']) {
      const { body } = await calls.listOfDevice(deviceId, queryOf({ search }));
      expect(body).toEqual({ count: 1, items: [variable] });
    }
    const { body } = await calls.listOfDevice(deviceId, queryOf({ search: 'Motor Engine' }));
    expect(body.count).toBe(0);
    await calls.update(variable.id, { description: null });
    expect((await calls.listOfDevice(deviceId, queryOf({ search: 'über' }))).body.count).toBe(0);
    await calls.remove(deviceId, variable.id);
    expect((await calls.listOfDevice(deviceId)).body).toEqual({ count: 0, items: [] });
  });

  it('answers 404 on a Device that does not exist', async () => {
    for (const deviceId of [UNKNOWN, 'not-a-uuid']) {
      expect((await calls.listOfDevice(deviceId)).status).toBe(404);
    }
  });

  it('takes a search of 500 characters and none longer', async () => {
    const [deviceId = ''] = deviceIds;
    const statusOf = async (length: number) =>
      (await calls.listOfDevice(deviceId, queryOf({ search: '😀'.repeat(length) }))).status;
    expect([await statusOf(499), await statusOf(500), await statusOf(501)]).toEqual([
      200, 200, 400,
    ]);
  });
});
