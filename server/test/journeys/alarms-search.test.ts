import { ALARM_STATUSES, type Alarm, operations, SEVERITIES } from '@fieldwatch/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fold } from '../../src/runtime/index.ts';
import { alarmBench, errorsOf } from '../support/alarms.ts';
import { rowsIn } from '../support/database.ts';
import { type Neighbours, startNeighbours } from '../support/neighbours.ts';
import type { TestServer } from '../support/server.ts';
import { cases } from '../support/soak.ts';

/** In soak 150. */
const ALARMS = cases(150, 0.4);
const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const LETTERS = ['a', 'B', 'ß', '%', '_', '\\', "'", '"', ' ', '😀', 'É'];

/** What the test knows of an Alarm beyond its record. */
interface Known {
  readonly alarm: Alarm;
  readonly assetIds: readonly string[];
  readonly locationIds: readonly string[];
}

interface Filter {
  search?: string;
  severities?: string[];
  statuses?: string[];
  isTriggered?: boolean;
  deviceVariableIds?: string[];
  assetIds?: string[];
  locationIds?: string[];
  alarmGroupIds?: string[];
  archivedScope?: string;
}

let neighbours: Neighbours;
let server: TestServer;
const own = alarmBench(() => server);
/** Newest first. */
const known: Known[] = [];
const ids = {
  variables: [] as string[],
  assets: [] as string[],
  locations: [] as string[],
  groups: [] as string[],
};

/** The same choices in every run. */
function picker(seed: number): <T>(from: readonly T[]) => T {
  let state = seed;
  return (from) => {
    state = (state * 48_271) % 2_147_483_647;
    return from[state % from.length] as (typeof from)[number];
  };
}

beforeAll(async () => {
  neighbours = await startNeighbours();
  ({ server } = neighbours);
  const pick = picker(7);
  for (let index = 0; index < 4; index += 1) {
    const { body } = await server.call(operations.createLocation, { body: { name: 'Place' } });
    ids.locations.push(body.id);
    ids.groups.push(await own.newGroup());
  }
  const places = [...ids.locations, null];
  const variables: { deviceId: string; deviceVariableId: string; place: string | null }[] = [];
  for (let index = 0; index < 6; index += 1) {
    const place = pick(places);
    const deviceId = await own.newDevice({ locationId: place });
    for (const type of ['NUMBER', 'NUMBER', 'STRING'] as const) {
      variables.push({ ...(await own.newVariable(type, deviceId)), place });
    }
  }
  ids.variables.push(...variables.map(({ deviceVariableId }) => deviceVariableId));
  const assets: { id: string; place: string | null; bound: Set<string> }[] = [];
  for (let index = 0; index < 6; index += 1) {
    const place = pick(places);
    const { body } = await server.call(operations.createAsset, {
      body: { name: 'Asset', locationId: place },
    });
    const bound = new Set([pick(ids.variables), pick(ids.variables), pick(ids.variables)]);
    await server.call(operations.bindVariables, {
      params: { assetId: body.id },
      body: { variableIds: [...bound], action: 'CONNECT' },
    });
    assets.push({ id: body.id, place, bound });
  }
  ids.assets.push(...assets.map(({ id }) => id));
  const made: { id: string; around: Omit<Known, 'alarm'> }[] = [];
  const triggered: string[] = [];
  for (let index = 0; index < ALARMS; index += 1) {
    const { deviceId, deviceVariableId, place } = pick(variables);
    const { body } = await own.create({
      name: `n${pick(LETTERS)}${pick(LETTERS)}${pick(LETTERS)}${pick(LETTERS)}`,
      deviceId,
      deviceVariableId,
      isActive: pick([true, true, false]),
      severity: pick(SEVERITIES),
      alarmGroupId: pick([...ids.groups, null]),
    });
    if (pick([true, false, false])) await own.archive(body.id);
    if (pick([true, false, false])) triggered.push(body.id);
    const bound = assets.filter((asset) => asset.bound.has(deviceVariableId));
    const places = [place, ...bound.map((asset) => asset.place)];
    const locationIds = places.filter((each) => each !== null);
    made.unshift({ id: body.id, around: { assetIds: bound.map(({ id }) => id), locationIds } });
  }
  await trigger(triggered);
  for (const { id, around } of made)
    known.push({ alarm: (await own.retrieve(id)).body, ...around });
}, 120_000);

afterAll(() => neighbours.stop());

async function trigger(alarmIds: readonly string[]): Promise<void> {
  await rowsIn(
    server.databaseUrl,
    `insert into alarm_events (organization_id, id, alarm_id, alarm_name, alarm_name_folded,
       severity, operator, device_id, device_name, variable_id, variable_name, asset_ids,
       location_ids, raised_at, raised_value, is_acknowledgeable, is_shelved)
     select organization_id, gen_random_uuid(), id, name, name_folded, severity, operator,
       device_id, '', variable_id, '', '{}', '{}', $2, '1', false, false
     from alarms where id = any ($1)`,
    [alarmIds, '2026-11-15T08:30:00.123Z'],
  );
}

/** The search as decisions have it, one Alarm at a time. */
function matches({ alarm, assetIds, locationIds }: Known, filter: Filter): boolean {
  const among = (wanted: string[] | undefined, values: readonly (string | null)[]) =>
    wanted === undefined ||
    wanted.length === 0 ||
    wanted.some((each) => values.includes(each.toLowerCase()));
  const { statuses = [], severities = [], archivedScope = 'active' } = filter;
  return (
    fold(alarm.name).includes(fold(filter.search ?? '')) &&
    (severities.length === 0 || severities.includes(alarm.severity)) &&
    (statuses.length === 0 || statuses.includes(alarm.isActive ? 'enabled' : 'disabled')) &&
    (filter.isTriggered === undefined || filter.isTriggered === alarm.isTriggered) &&
    among(filter.deviceVariableIds, [alarm.deviceVariableId]) &&
    among(filter.assetIds, assetIds) &&
    among(filter.locationIds, locationIds) &&
    among(filter.alarmGroupIds, [alarm.alarmGroupId]) &&
    (archivedScope === 'all' || alarm.isArchived === (archivedScope === 'archived'))
  );
}

const someOf = <T>(values: readonly T[], most = 3) =>
  fc.array(fc.constantFrom(...values), { maxLength: most });

/** Ids that exist, in either case, among ids that cannot match. */
const someIds = (existing: () => readonly string[]) =>
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.nat().map((n) => existing()[n % existing().length] as string) },
      {
        weight: 1,
        arbitrary: fc.nat().map((n) => (existing()[n % existing().length] as string).toUpperCase()),
      },
      { weight: 1, arbitrary: fc.constantFrom(UNKNOWN, 'not-a-uuid', '', "' or 1=1 --") },
    ),
    { maxLength: 4 },
  );

const FILTERS = {
  search: fc.oneof(
    someOf(LETTERS).map((letters) => letters.join('')),
    fc.constantFrom('%'.repeat(500), '😀'.repeat(500)),
  ),
  severities: someOf(SEVERITIES),
  statuses: someOf(ALARM_STATUSES),
  isTriggered: fc.boolean(),
  deviceVariableIds: someIds(() => ids.variables),
  assetIds: someIds(() => ids.assets),
  locationIds: someIds(() => ids.locations),
  alarmGroupIds: someIds(() => ids.groups),
  archivedScope: fc.constantFrom('active', 'archived', 'all'),
};

async function agrees(filter: Filter, skip = 0, take = 1000): Promise<void> {
  const expected = known.filter((each) => matches(each, filter)).map(({ alarm }) => alarm);
  const { status, body } = await own.search({ ...filter, skip, take });
  expect([status, body]).toEqual([
    200,
    { count: expected.length, items: expected.slice(skip, skip + take) },
  ]);
}

describe('searching Alarms', () => {
  const names = Object.keys(FILTERS) as (keyof typeof FILTERS)[];
  const pairs = names.flatMap((one, index) => names.slice(index).map((other) => [one, other]));

  it.each(pairs)('agrees with a plain filter on %s and %s', async (one, other) => {
    const parts = { [one as string]: FILTERS[one as 'search'] };
    parts[other as string] = FILTERS[other as 'search'];
    await fc.assert(
      fc.asyncProperty(fc.record(parts), (filter) => agrees(filter)),
      { numRuns: cases(30) },
    );
  });

  it('agrees with a plain filter on any of them, on any page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record(FILTERS, { requiredKeys: [] }),
        fc.nat(ALARMS + 10),
        fc.integer({ min: 1, max: ALARMS + 10 }),
        (filter, skip, take) => agrees(filter as Filter, skip, take),
      ),
      { numRuns: cases(500) },
    );
  });

  it('takes an absent body for an empty one: the first 25 that are active', async () => {
    const active = known.filter(({ alarm }) => !alarm.isArchived).map(({ alarm }) => alarm);
    expect(active.length).toBeGreaterThan(25);
    for (const body of [undefined, {}]) {
      const { status, body: found } = await own.search(body);
      expect([status, found]).toEqual([200, { count: active.length, items: active.slice(0, 25) }]);
    }
  });

  it('returns since when an Alarm is triggered', async () => {
    const { body } = await own.search({ isTriggered: true, archivedScope: 'all' });
    expect(body.count).toBeGreaterThan(0);
    for (const { isTriggered, triggeredDateTime } of body.items) {
      expect([isTriggered, triggeredDateTime]).toEqual([true, '2026-11-15T08:30:00.123Z']);
    }
  });

  it("finds nothing by a neighbour's ids", async () => {
    const theirs = alarmBench(() => neighbours.neighbour);
    const { call } = neighbours.neighbour;
    const place = (await call(operations.createLocation, { body: { name: 'Place' } })).body.id;
    const deviceId = await theirs.newDevice({ locationId: place });
    const variable = await theirs.newVariable('NUMBER', deviceId);
    const asset = (await call(operations.createAsset, { body: { name: 'Asset' } })).body.id;
    await call(operations.bindVariable, {
      params: { assetId: asset },
      body: { variableId: variable.deviceVariableId, action: 'CONNECT' },
    });
    const group = await theirs.newGroup();
    await theirs.create({ ...variable, alarmGroupId: group });
    for (const filter of [
      { deviceVariableIds: [variable.deviceVariableId] },
      { assetIds: [asset] },
      { locationIds: [place] },
      { alarmGroupIds: [group] },
    ]) {
      expect((await theirs.search(filter)).body.count).toBe(1);
      expect((await own.search(filter)).body).toEqual({ count: 0, items: [] });
    }
  });

  const many = (count: number) => Array.from({ length: count }, () => UNKNOWN);
  it.each([
    [{ severities: ['LOUD'] }, `severities[0] must be one of ${SEVERITIES.join(', ')}`],
    [{ statuses: ['enabled', 'on'] }, 'statuses[1] must be one of enabled, disabled'],
    [{ archivedScope: 'none' }, 'archivedScope must be one of active, archived, all'],
    [{ isTriggered: 'true' }, 'isTriggered must be true or false'],
    [{ isTriggered: null }, 'isTriggered must be true or false'],
    [{ deviceVariableIds: UNKNOWN }, 'deviceVariableIds must be an array'],
    [{ assetIds: [5] }, 'assetIds[0] must be a string'],
    [{ deviceVariableIds: many(201) }, 'deviceVariableIds must have at most 200 values'],
    [{ assetIds: many(201) }, 'assetIds must have at most 200 values'],
    [{ locationIds: many(201) }, 'locationIds must have at most 200 values'],
    [{ alarmGroupIds: many(201) }, 'alarmGroupIds must have at most 200 values'],
    [{ search: 'x'.repeat(501) }, 'search must have at most 500 characters'],
    [{ take: 0 }, 'take must be at least 1'],
    [{ take: 1001 }, 'take must be at most 1000'],
    [{ skip: -1 }, 'skip must be at least 0'],
    [{ deviceIds: [] }, 'deviceIds is not a field of this request'],
  ])('refuses %j', async (body, message) => {
    const answer = await own.search(body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  it.each([199, 200])('takes %i values in one filter', async (count) => {
    expect((await own.search({ locationIds: many(count) })).body.count).toBe(0);
  });
});
