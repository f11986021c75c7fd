// 100 000 Devices of one organization, made with one statement.
export const SEARCHES = Array.from({ length: 200 }, (_, index) => `pump ${1000 + index * 37}`);

export async function populate(client, organizationId) {
  await client.query(
    `insert into devices (organization_id, id, type, name, name_folded, description, password_hash,
       dev_eui, app_eui, sealed_app_key, created_at, updated_at)
     select $1, gen_random_uuid(), type, kind || ' ' || n, lower(kind || ' ' || n), 'Made for the bench', 'none',
       case when type = 'LORAWAN_DEVICE' then lpad(upper(to_hex(n)), 16, '0') end,
       case when type = 'LORAWAN_DEVICE' then lpad(upper(to_hex(n)), 16, '0') end,
       null, at, at
     from (select n, (array['Pump', 'Feeder', 'Generator', 'Sensor'])[1 + n % 4] as kind,
             'CUSTOM_DEVICE' as type, timestamptz '2026-01-01' + n * interval '1 second' as at
           from generate_series(1, 100000) n) made`,
    [organizationId],
  );
  await client.query('analyze');
}
