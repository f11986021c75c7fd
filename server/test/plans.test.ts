import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listLeftOpen } from '../src/alarms/engine/store.ts';
import { type AlarmFilter, searchAlarms } from '../src/alarms/store.ts';
import { type FilteredSearch, searchDevices } from '../src/devices/filtered/store.ts';
import { listDevices, listOnlineWindows } from '../src/devices/store.ts';
import { listSites } from '../src/overview/sites/store.ts';
import { insertChunks } from '../src/readings/chunks/index.ts';
import { saveLatest } from '../src/readings/store.ts';
import { createLog, systemClock } from '../src/runtime/index.ts';
import { openStorage, type Storage } from '../src/storage/index.ts';
import { plansOf } from './support/explain.ts';
import { organizationId, populate, withoutIndexes } from './support/large-organization.ts';
import { createTestDatabase } from './support/postgres.ts';
import { openHistory } from './support/readings.ts';
import { cases } from './support/soak.ts';

/** So many that a plan that reads a whole table would be chosen only by mistake. */
const COUNT = cases(100_000, 0.75);
const someIds = Array.from({ length: 3 }, () => crypto.randomUUID());
const firstPage = { skip: 0, take: 25 };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let storage: Storage;

beforeAll(async () => {
  database = await createTestDatabase();
  storage = await openStorage({
    databaseUrl: database.url,
    dataDir: '/nowhere',
    postgresBin: null,
    log: createLog('silent'),
    clock: systemClock,
    onProgress: () => undefined,
  });
  await storage.transaction(async (tx) => {
    // The rows refer to each other correctly; checking each of them would take most of the time.
    await tx.query('set local session_replication_role = replica');
    await withoutIndexes(tx, () => populate(tx, COUNT));
  });
  await storage.query('analyze');
}, 120_000);

afterAll(async () => {
  await storage.stop();
  await database.drop();
});

const devices = (filter: Partial<Parameters<typeof listDevices>[2]>) =>
  plansOf(storage, (db) =>
    listDevices(
      db,
      organizationId,
      { search: '', types: null, parentDeviceId: null, archivedScope: 'active', ...filter },
      firstPage,
    ),
  );

const filteredDevices = (filter: Partial<FilteredSearch>) =>
  plansOf(storage, (db) =>
    searchDevices(
      db,
      organizationId,
      {
        search: '',
        types: [],
        states: [],
        locationIds: [],
        parentDeviceIds: [],
        lastSeenBefore: null,
        lastSeenAfter: null,
        archivedScope: 'active',
        sortBy: 'NAME',
        isDescending: false,
        ...filter,
      },
      firstPage,
    ),
  );

const alarms = (filter: Partial<AlarmFilter>, on: Storage = storage) =>
  plansOf(on, (db) =>
    searchAlarms(
      db,
      organizationId,
      {
        search: '',
        severities: [],
        statuses: [],
        isTriggered: null,
        deviceVariableIds: [],
        assetIds: [],
        locationIds: [],
        alarmGroupIds: [],
        archivedScope: 'active',
        ...filter,
      },
      firstPage,
    ),
  );

describe(`of ${COUNT} Devices`, () => {
  it('a search by name and type goes through the index of names once, for page and count', async () => {
    const plans = await devices({ search: 'pump 4711', types: ['CUSTOM_DEVICE'] });
    expect(plans).toHaveLength(1);
    expect(plans[0]?.match(/on devices_by_name/g)).toHaveLength(1);
    expect(plans[0]).not.toContain('Seq Scan');
  });

  it('the first page without a search comes in order from an index', async () => {
    const [plan = ''] = await devices({});
    const page = plan.slice(plan.indexOf('Limit'));
    expect(page).toMatch(/Index Scan .*using devices_/);
    expect(page).not.toContain('Sort');
  });

  it.each([
    ['NAME', false, 'devices_by_folded_name'],
    ['NAME', true, 'devices_by_folded_name'],
    ['CREATED', false, 'devices_newest'],
    ['CREATED', true, 'devices_newest'],
  ] as const)(
    'the first page by %s comes in order from an index (descending: %s)',
    async (sortBy, isDescending, index) => {
      const [plan = ''] = await filteredDevices({ sortBy, isDescending });
      const page = plan.slice(plan.indexOf('Limit'));
      expect(page).toContain(index);
      expect(page).not.toContain('Sort');
    },
  );

  it('a filtered search by name goes through the index of names once, whatever its order', async () => {
    const states = ['OFFLINE', 'NEVER_SEEN'] as const;
    const [plan = ''] = await filteredDevices({ search: 'pump 4711', states, sortBy: 'LAST_SEEN' });
    expect(plan.match(/on devices_by_name/g)).toHaveLength(1);
    expect(plan).not.toContain('Seq Scan on devices');
  });

  it('those at Locations are found by these', async () => {
    const [plan = ''] = await filteredDevices({ locationIds: someIds, sortBy: 'LAST_SEEN' });
    expect(plan).toContain('devices_by_location');
  });

  it('those with an online window of their own come from an index', async () => {
    const [plan] = await plansOf(storage, (db) => listOnlineWindows(db, organizationId, firstPage));
    expect(plan).toContain('devices_with_online_window');
  });

  it('the children of one are found by its id', async () => {
    const plans = await devices({ parentDeviceId: someIds[0] ?? null });
    for (const plan of plans) expect(plan).toContain('devices_by_parent');
  });
});

describe(`of ${COUNT} Variables`, () => {
  it('those whose readings are sealed are found by their series ids, however many', async () => {
    const seriesIds = Array.from({ length: 2_000 }, (_, index) => index + 1);
    const data = Buffer.from('some');
    const plans = await plansOf(storage, async (db) => {
      const tx = { ...db, inTransaction: true, afterCommit: () => undefined } as const;
      await saveLatest(
        tx,
        seriesIds.map((seriesId) => ({ seriesId, at: 1, value: 1 })),
      );
      const rows = seriesIds.map((seriesId) => ({
        seriesId,
        firstAt: 1,
        lastAt: 1,
        count: 1,
        summary: undefined,
        head: undefined,
        data,
      }));
      await insertChunks(tx, 1, rows);
    });
    expect(plans).toHaveLength(2);
    for (const plan of plans) {
      expect(plan).toContain('variables_number_unique');
      expect(plan).not.toContain('Seq Scan');
    }
  });
});

describe(`of ${COUNT} alarms`, () => {
  it('a search with every filter set touches no table from end to end', async () => {
    const plans = await alarms({
      search: 'pump 4711',
      severities: ['HIGH', 'CRITICAL'],
      statuses: ['enabled'],
      isTriggered: false,
      deviceVariableIds: someIds,
      assetIds: someIds,
      locationIds: someIds,
      alarmGroupIds: someIds,
      archivedScope: 'all',
    });
    expect(plans).toHaveLength(1);
    for (const plan of plans) {
      expect(plan).toMatch(/alarms_by_(variable|group|name)/);
      expect(plan).not.toMatch(/Seq Scan on (alarms|variables|devices)/);
    }
  });

  it.each([
    [{ search: 'pump 4711' }, 'alarms_by_name'],
    [{ deviceVariableIds: someIds }, 'alarms_by_variable'],
    [{ alarmGroupIds: someIds }, 'alarms_by_group'],
    [{ isTriggered: true }, 'alarm_events_one_open'],
  ])('a search by %j goes through its index', async (filter, index) => {
    for (const plan of await alarms(filter)) expect(plan).toContain(index);
  });
});

it('sites read active alarms, classified Variables and presence changes by their indexes', async () => {
  const filter = { search: '', states: [], maySeeAlarms: true, changedSince: 0 };
  const [plan] = await plansOf(storage, (db) =>
    // The plan has no rows, of which the statement always has one.
    listSites(db, organizationId, filter, firstPage).catch(() => undefined),
  );
  for (const index of ['alarm_events_one_open', 'variables_classified', 'devices_online_changed'])
    expect(plan).toContain(index);
  expect(plan).not.toContain('Seq Scan on alarm_events');
});

it('alarms in a location are found Variable by Variable, also before their tables are counted', async () => {
  const fresh = await openHistory();
  for (const table of ['devices', 'variables', 'alarms']) {
    await fresh.query(`alter table ${table} set (autovacuum_enabled = false)`);
  }
  await populate(fresh, 2_000);
  const plans = await alarms({ locationIds: someIds }, fresh);
  expect(plans).toHaveLength(1);
  expect(plans[0]?.match(/using alarms_by_variable/g)).toHaveLength(2);
  expect(plans[0]).not.toContain('Join Filter: (alarms');
});

it('events that were left open are found among the open ones', async () => {
  const after = { organizationId, alarmId: crypto.randomUUID() };
  const [first, next] = await plansOf(storage, async (db) => {
    await listLeftOpen(db, { after: null, limit: 1_000 });
    await listLeftOpen(db, { after, limit: 1_000 });
  });
  for (const plan of [first, next]) {
    expect(plan).toContain('alarm_events_one_open');
    expect(plan).not.toContain('Seq Scan on alarm_events');
  }
});
