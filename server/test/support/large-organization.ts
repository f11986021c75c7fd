import type { Queries } from '../../src/storage/index.ts';

export const organizationId = '018f0000-0000-7000-8000-0000000000cc';

/** Devices, each with a Variable that an alarm watches; 20 000 events, 200 of them open. */
export async function populate(db: Queries, deviceCount: number): Promise<void> {
  await db.query(
    `insert into organizations (id, name, created_at, updated_at) values ($1, 'Large', now(), now())`,
    [organizationId],
  );
  await db.query(
    `insert into devices (organization_id, id, type, name, name_folded, description, password_hash,
       created_at, updated_at)
     select $1, gen_random_uuid(), 'CUSTOM_DEVICE', 'Pump ' || n, 'pump ' || n, '', 'none',
       now() - n * interval '1 second', now()
     from generate_series(1, $2::int) n`,
    [organizationId, deviceCount],
  );
  await db.query(
    `insert into variables (organization_id, id, device_id, name, name_folded, topic_property_path,
       topic_property_path_folded, type, is_logging_enabled, created_at, updated_at)
     select organization_id, gen_random_uuid(), id, name, name_folded, 'value', 'value', 'NUMBER',
       true, created_at, created_at
     from devices`,
  );
  await db.query(
    `insert into alarms (organization_id, id, name, name_folded, is_active, device_id, variable_id,
       operator, severity, is_acknowledgeable, created_at, updated_at)
     select organization_id, gen_random_uuid(), name, name_folded, true, device_id, id, 'EQUAL',
       (array['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])[1 + (random() * 4)::int], false,
       created_at, created_at
     from variables`,
  );
  await db.query(
    `insert into alarm_events (organization_id, id, alarm_id, alarm_name, alarm_name_folded,
       severity, operator, device_id, device_name, variable_id, variable_name, asset_ids,
       location_ids, raised_at, raised_value, cleared_at, cleared_reason, is_acknowledgeable,
       is_shelved)
     select organization_id, gen_random_uuid(), id, name, name_folded, severity, operator, device_id,
       '', variable_id, '', '{}', '{}', created_at, '1',
       case when n % 100 > 0 then created_at end, case when n % 100 > 0 then 'RECOVERED' end, false,
       false
     from (select *, row_number() over () as n from alarms) numbered where n <= 20000`,
  );
}

/** Rows are inserted without the indexes: one that is made afterwards takes a fraction of the time. */
export async function withoutIndexes(db: Queries, work: () => Promise<void>): Promise<void> {
  const indexes = await db.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index
     where indrelid = any ('{devices,variables,alarms,alarm_events}'::regclass[])
       and not exists (select from pg_constraint where conindid = indexrelid)`,
  );
  await db.query(`drop index ${indexes.map(({ name }) => name).join(', ')}`);
  await work();
  for (const { definition } of indexes) await db.query(definition);
}
