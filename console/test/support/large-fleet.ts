import { operations } from '@fieldwatch/contract';
import { rowsIn } from '../../../server/test/support/database.ts';
import type { TestServer } from '../../../server/test/support/server.ts';

const DEVICE_COUNT = 5_000;
const SITE_COUNT = 40;
/** Every so many, a Device is silent; every so many of those was never seen. */
const DEVICES_PER_SILENT = 42;
const SILENT_PER_NEVER_SEEN = 10;
const DEVICES_PER_INACTIVE = 500;
/** So many Devices have latest values. */
const VALUED_DEVICE_COUNT = 1_000;
const ALARM_COUNT = 12;

/** What the filled server has. */
export interface LargeFleet {
  readonly deviceCount: number;
  readonly variableCount: number;
  readonly siteCount: number;
  /** Active Devices that are offline, the never seen included. */
  readonly silentCount: number;
  readonly neverSeenCount: number;
  /** Active alarms, one on each of the first sites. */
  readonly alarmCount: number;
}

const SITES = `insert into locations (organization_id, id, name, name_folded, address, latitude,
    longitude, time_zone, created_at, updated_at)
  select $1, gen_random_uuid(), 'Site ' || lpad(n::text, 2, '0'), 'site ' || lpad(n::text, 2, '0'),
    'Station road ' || n, 46.5 + (n % 8) * 0.3, 9.8 + (n % 13) * 0.5, 'Europe/Vienna',
    now() - n * interval '1 hour', now()
  from generate_series(1, $2::int) n`;

const DEVICES = `insert into devices (organization_id, id, type, name, name_folded, description,
    is_active, is_online, last_seen_at, online_minutes, location_id, password_hash, created_at,
    updated_at)
  select $1, gen_random_uuid(), 'CUSTOM_DEVICE', named.name, lower(named.name), '',
    not is_inactive, not is_silent and not is_inactive,
    case
      when is_silent and n % ($3::int * $4::int) = 0 then null
      when is_silent then now() - interval '2 hours' - n * interval '1 minute'
      else now() - (n % 50) * interval '1 second'
    end,
    case when is_silent then null else 10080 end,
    sites.id, 'none', now() - n * interval '1 minute', now()
  from generate_series(1, $2::int) n
    cross join lateral (select n % $3::int = 0 as is_silent, n % $5::int = 1 as is_inactive) state
    cross join lateral (select
      (array['Generator', 'Transfer switch', 'Fuel tank', 'Feeder', 'Battery'])[1 + n % 5]
        || ' ' || lpad(n::text, 4, '0') as name) named
    join (select id, row_number() over (order by name) as number from locations
          where organization_id = $1) sites on sites.number = 1 + n % $6::int`;

const VARIABLES = `insert into variables (organization_id, id, device_id, topic_property_path,
    topic_property_path_folded, type, name, name_folded, unit, is_logging_enabled, created_at,
    updated_at)
  select organization_id, gen_random_uuid(), devices.id, path, path, 'NUMBER', label, lower(label),
    unit, true, created_at, created_at
  from devices cross join (values ('power.kw', 'Real power', 'kW'),
    ('engine.oil', 'Oil pressure', 'bar'), ('fuel.level', 'Fuel level', '%'),
    ('battery.volts', 'Battery voltage', 'V')) kinds (path, label, unit)
  where organization_id = $1`;

const ONLINE_VARIABLES = `insert into variables (organization_id, id, device_id,
    topic_property_path, topic_property_path_folded, type, name, name_folded, is_logging_enabled,
    is_built_in, created_at, updated_at)
  select organization_id, (left(id::text, 24) || left(md5(id::text), 12))::uuid, id, 'isOnline',
    'isonline', 'BOOLEAN', 'Online', 'online', true, true, created_at, created_at
  from devices where organization_id = $1`;

const LATEST_VALUES = `insert into latest_values (variable_number, at, number_value)
  select variables.number, (extract(epoch from now()) * 1000)::bigint - 60000,
    round((20 + 60 * random())::numeric, 1)
  from variables join (select id from devices where organization_id = $1 order by created_at desc
    limit $2::int) valued on valued.id = variables.device_id
  where not variables.is_built_in`;

/** 5 000 Devices at 40 sites with 20 000 Variables, written by SQL, with a few active alarms. */
export async function fillLargeFleet(server: TestServer): Promise<LargeFleet> {
  await insertAll(server);
  await raiseAlarms(server);
  const silentCount = Math.floor(DEVICE_COUNT / DEVICES_PER_SILENT);
  return {
    deviceCount: DEVICE_COUNT,
    variableCount: 4 * DEVICE_COUNT,
    siteCount: SITE_COUNT,
    silentCount,
    neverSeenCount: Math.floor(silentCount / SILENT_PER_NEVER_SEEN),
    alarmCount: ALARM_COUNT,
  };
}

async function insertAll({ databaseUrl, organizationId }: TestServer): Promise<void> {
  const query = (statement: string, params: readonly unknown[] = []) =>
    rowsIn(databaseUrl, statement, params);
  await query(SITES, [organizationId, SITE_COUNT]);
  await query(DEVICES, [
    organizationId,
    DEVICE_COUNT,
    DEVICES_PER_SILENT,
    SILENT_PER_NEVER_SEEN,
    DEVICES_PER_INACTIVE,
    SITE_COUNT,
  ]);
  await query(VARIABLES, [organizationId]);
  await query(ONLINE_VARIABLES, [organizationId]);
  await query(LATEST_VALUES, [organizationId, VALUED_DEVICE_COUNT]);
  await query('analyze locations, devices, variables, latest_values');
}

/** Low oil pressure on some Devices, each at another site. */
async function raiseAlarms(server: TestServer): Promise<void> {
  const call = async (operation: Parameters<TestServer['call']>[0], body: object, params = {}) => {
    const reply = await server.call(operation, { body, params, auth: server.administrator });
    if (reply.status >= 300) throw new Error(`${operation.id}: ${reply.text}`);
    return reply.body;
  };
  const group = await call(operations.createAlarmGroup, { name: 'Operators', subscriptions: [] });
  const { items } = await call(operations.searchVariables, {
    search: 'oil pressure generator',
    take: ALARM_COUNT,
  });
  for (const [index, { id, deviceId, deviceName }] of items.entries()) {
    await call(operations.createAlarm, {
      name: `Oil pressure low, ${deviceName}`,
      isActive: true,
      deviceId,
      deviceVariableId: id,
      operator: 'LESS_THAN',
      thresholdValueNumber: 2,
      severity: (['CRITICAL', 'HIGH', 'MEDIUM'] as const)[index % 3],
      isAcknowledgeable: true,
      alarmGroupId: group.id,
    });
    await call(operations.writeReadings, { data: { engine: { oil: 1.4 } } }, { deviceId });
  }
}
