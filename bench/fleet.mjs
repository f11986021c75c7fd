// 100 000 Devices of one organization, each with a Variable and an Alarm, created by a few statements.
import { randomUUID } from 'node:crypto';

/** Repeated often enough that most come from the response cache. */
export const SEARCHES = Array.from({ length: 200 }, (_, index) => `pump ${1000 + index * 37}`);

const KIND_ENDINGS = [
  ...['pump', 'ump', 'mp', 'feeder', 'eeder', 'eder', 'der'],
  ...['generator', 'enerator', 'nerator', 'erator', 'rator', 'sensor', 'ensor', 'nsor'],
];

/** 13 500 searches, each of which finds 27 Devices or a few more; neighbours have little in common. */
export const UNASKED_SEARCHES = Array.from({ length: 900 }, (_, index) =>
  KIND_ENDINGS.map((ending) => `${ending} ${100 + ((index * 511) % 900)}`),
).flat();

/** Returns the ids for an Alarm search with every filter set, which finds 30 Alarms of one Asset. */
export async function populate(client, organizationId) {
  const ids = { location: randomUUID(), asset: randomUUID(), group: randomUUID() };
  const statements = [
    [
      `insert into locations (organization_id, id, name, name_folded, created_at, updated_at)
       values ($1, $2, 'Plant', 'plant', now(), now())`,
      [organizationId, ids.location],
    ],
    [
      `insert into devices (organization_id, id, type, name, name_folded, description,
         password_hash, location_id, created_at, updated_at)
       select $1, gen_random_uuid(), 'CUSTOM_DEVICE', kind || ' ' || n, lower(kind || ' ' || n),
         'Made for the bench', 'none', case when n <= 1000 then $2::uuid end, at, at
       from (select n, (array['Pump', 'Feeder', 'Generator', 'Sensor'])[1 + n % 4] as kind,
               timestamptz '2026-01-01' + n * interval '1 second' as at
             from generate_series(1, 100000) n) made`,
      [organizationId, ids.location],
    ],
    [
      `insert into variables (organization_id, id, device_id, name, name_folded,
         topic_property_path, topic_property_path_folded, type, is_logging_enabled,
         created_at, updated_at)
       select organization_id, gen_random_uuid(), id, name, name_folded, 'value', 'value', 'NUMBER',
         true, created_at, created_at from devices`,
      [],
    ],
    [
      `insert into alarm_groups (organization_id, id, name, name_folded, created_at, updated_at)
       values ($1, $2, 'Group', 'group', now(), now())`,
      [organizationId, ids.group],
    ],
    [
      `insert into alarms (organization_id, id, name, name_folded, is_active, device_id,
         variable_id, operator, severity, is_acknowledgeable, alarm_group_id, created_at, updated_at)
       select organization_id, gen_random_uuid(), name, name_folded, true, device_id, id, 'EQUAL',
         'HIGH', false, $1, created_at, created_at from variables`,
      [ids.group],
    ],
    [
      `insert into assets (organization_id, id, name, name_folded, classification_type,
         location_id, created_at, updated_at)
       values ($1, $2, 'Pumps', 'pumps', 'GENERIC', $3, now(), now())`,
      [organizationId, ids.asset, ids.location],
    ],
    [
      `insert into asset_variables (organization_id, asset_id, variable_id)
       select organization_id, $1, id from variables
       where name_folded like 'pump %' order by created_at limit 30`,
      [ids.asset],
    ],
    ['analyze', []],
  ];
  for (const [statement, values] of statements) await client.query(statement, values);
  const { rows } = await client.query('select variable_id as id from asset_variables');
  return {
    search: 'pump',
    severities: ['HIGH', 'CRITICAL'],
    statuses: ['enabled'],
    isTriggered: false,
    deviceVariableIds: rows.map(({ id }) => id),
    assetIds: [ids.asset],
    locationIds: [ids.location],
    alarmGroupIds: [ids.group],
    archivedScope: 'all',
  };
}
