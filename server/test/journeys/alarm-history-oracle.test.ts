import { SEVERITIES } from '@fieldwatch/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type EventFilter, listEvents } from '../../src/alarms/history/store.ts';
import type { Storage } from '../../src/storage/index.ts';
import { plansOf } from '../support/explain.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { createRandom } from '../support/random.ts';
import { openHistory, storeVariable } from '../support/readings.ts';
import { openTestStorage } from '../support/storage.ts';

const NAMES = ['Too hot', 'TOO cold', '100% full', 'Under_voltage', 'Straße'];
const START = Date.UTC(2026, 0, 1);
const IDS = Array.from({ length: 6 }, (_, index) => `018f0000-0000-7000-8000-00000000000${index}`);
const EVERYTHING: EventFilter = {
  startTime: 0,
  endTime: 8_640_000_000_000_000,
  severities: [],
  deviceVariableIds: [],
  assetIds: [],
  locationIds: [],
  alarmGroupIds: [],
  search: '',
};

interface Row {
  readonly id: string;
  readonly name: string;
  readonly severity: string;
  readonly assetIds: readonly string[];
  readonly locationIds: readonly string[];
  readonly groupId: string | null;
  readonly raisedAt: number;
  readonly clearedAt: number | null;
}

const random = createRandom(7);
const some = (items: readonly string[], most: number) =>
  items.filter(() => random.below(items.length) < most);

function randomRow(index: number): Row {
  const raisedAt = START + random.below(50) * 100;
  return {
    id: crypto.randomUUID(),
    name: random.pick(NAMES),
    severity: random.pick(SEVERITIES),
    assetIds: some(IDS, 2),
    locationIds: some(IDS, 2),
    groupId: random.pick([null, ...IDS]),
    raisedAt,
    clearedAt: index % 10 === 0 ? null : raisedAt + random.below(20) * 100,
  };
}

async function store(
  storage: Storage,
  { organizationId, id: variableId }: { organizationId: string; id: string },
  rows: readonly Row[],
): Promise<void> {
  await storage.query(
    `insert into alarm_events (organization_id, id, alarm_id, alarm_name, alarm_name_folded,
       severity, operator, device_id, device_name, variable_id, variable_name, asset_ids,
       location_ids, alarm_group_id, raised_at, raised_value, cleared_at, cleared_reason,
       is_acknowledgeable, is_shelved)
     select $1, r.id, gen_random_uuid(), r.name, r.folded, r.severity, 'EQUAL', $2, 'Device', $2,
       'Variable', r.assets, r.locations, r.group_id,
       timestamptz 'epoch' + r.raised * interval '1 ms', '1',
       timestamptz 'epoch' + r.cleared * interval '1 ms',
       case when r.cleared is null then null else 'RECOVERED' end, false, false
     from jsonb_to_recordset($3) as r (id uuid, name text, folded text, severity text,
       assets uuid[], locations uuid[], group_id uuid, raised bigint, cleared bigint)`,
    [
      organizationId,
      variableId,
      JSON.stringify(
        rows.map((row) => ({
          id: row.id,
          name: row.name,
          folded: row.name.toUpperCase().toLowerCase(),
          severity: row.severity,
          assets: row.assetIds,
          locations: row.locationIds,
          group_id: row.groupId,
          raised: row.raisedAt,
          cleared: row.clearedAt,
        })),
      ),
    ],
  );
}

function expected(rows: readonly Row[], filter: EventFilter): string[] {
  const meets = (wanted: readonly string[], had: readonly string[]) =>
    wanted.length === 0 || wanted.some((id) => had.includes(id));
  return rows
    .filter((row) => {
      const until = row.clearedAt ?? Number.POSITIVE_INFINITY;
      return (
        row.raisedAt <= filter.endTime &&
        until >= filter.startTime &&
        meets(filter.severities, [row.severity]) &&
        meets(filter.assetIds, row.assetIds) &&
        meets(filter.locationIds, row.locationIds) &&
        meets(filter.alarmGroupIds, row.groupId === null ? [] : [row.groupId]) &&
        row.name.toLowerCase().includes(filter.search.toLowerCase())
      );
    })
    .sort((one, other) => other.raisedAt - one.raisedAt || (one.id < other.id ? 1 : -1))
    .map(({ id }) => id);
}

function randomFilter(): EventFilter {
  const startTime = START + random.below(60) * 100 - 500;
  const maybe = <T>(make: () => readonly T[]) => (random.below(3) === 0 ? make() : []);
  return {
    startTime,
    endTime: startTime + random.below(30) * 100,
    severities: maybe(() => [random.pick(SEVERITIES), random.pick(SEVERITIES)]),
    deviceVariableIds: [],
    assetIds: maybe(() => [...some(IDS, 2), 'no id']),
    locationIds: maybe(() => [...some(IDS, 2), random.pick(IDS)]),
    alarmGroupIds: maybe(() => [random.pick(IDS), random.pick(IDS)]),
    search: random.pick(['', '', '', 'too', 'TOO ', '%', '_', 'e']),
  };
}

describe('history', () => {
  it('agrees with a plain filter on any filters and any page, and sees no neighbour', async () => {
    const storage = await openHistory();
    const [own, other] = [
      await storeVariable(storage, 'NUMBER'),
      await storeVariable(storage, 'NUMBER'),
    ];
    const rows = Array.from({ length: 300 }, (_, index) => randomRow(index));
    await store(storage, own, rows);
    await store(
      storage,
      other,
      Array.from({ length: 50 }, (_, index) => randomRow(index)),
    );
    let found = 0;
    for (let round = 0; round < 150; round += 1) {
      const filter = round === 0 ? EVERYTHING : randomFilter();
      const page = { skip: random.below(5), take: 1 + random.below(40) };
      const wanted = expected(rows, filter);
      const listed = await listEvents(storage, own.organizationId, filter, page);
      expect([listed.count, listed.rows.map(({ id }) => id)], JSON.stringify(filter)).toEqual([
        wanted.length,
        wanted.slice(page.skip, page.skip + page.take),
      ]);
      found += wanted.length;
    }
    expect(found).toBeGreaterThan(300);
  });

  it('of 20 000 events is found by indexes, whatever the filter', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const storage = await openTestStorage({ databaseUrl: database.url });
    const variable = await storeVariable(storage, 'NUMBER');
    const { organizationId } = variable;
    await storage.query(
      `insert into alarm_events (organization_id, id, alarm_id, alarm_name, alarm_name_folded,
         severity, operator, device_id, device_name, variable_id, variable_name, asset_ids,
         location_ids, alarm_group_id, raised_at, raised_value, cleared_at, cleared_reason,
         is_acknowledgeable, is_shelved)
       select $1, gen_random_uuid(), gen_random_uuid(), 'Alarm ' || n, 'alarm ' || n, 'LOW',
         'EQUAL', $2, 'Device', $2, 'Variable', array[gen_random_uuid()],
         array[gen_random_uuid()], gen_random_uuid(),
         timestamptz '2026-01-01' + n * interval '1 minute', '1',
         timestamptz '2026-01-01' + n * interval '1 minute' + interval '30 seconds', 'RECOVERED',
         false, false
       from generate_series(1, 20000) n`,
      [organizationId, variable.id],
    );
    await storage.query('analyze');
    const plans = (filter: Partial<EventFilter>) =>
      plansOf(storage, (db) =>
        listEvents(db, organizationId, { ...EVERYTHING, ...filter }, { skip: 0, take: 25 }),
      );
    const range = { startTime: START + 3_600_000, endTime: START + 7_200_000 };
    const byIndex = [
      [range, /alarm_events_(span|newest)/],
      [{ search: 'alarm 4711' }, /alarm_event_names_by_name/],
      [{ deviceVariableIds: IDS }, /alarm_events_by_variable/],
      [{ assetIds: IDS }, /alarm_events_by_asset/],
      [{ locationIds: IDS }, /alarm_events_by_location/],
      [{ alarmGroupIds: IDS }, /alarm_events_by_group/],
      [{ ...range, search: 'x', assetIds: IDS, alarmGroupIds: IDS }, /alarm_events_/],
    ] as const;
    for (const [filter, index] of byIndex) {
      for (const plan of await plans(filter)) {
        expect(plan, JSON.stringify(filter)).toMatch(index);
        expect(plan, JSON.stringify(filter)).not.toContain('Seq Scan');
      }
    }
    const [plan = ''] = await plans({});
    const page = plan.slice(plan.indexOf('Limit'));
    expect(page).toContain('alarm_events_newest');
    expect(page).not.toContain('Sort');
  });
});
