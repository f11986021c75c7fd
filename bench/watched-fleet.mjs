// Devices with an Alarm on every Variable, created by a few statements.
import { randomUUID } from 'node:crypto';
import { addOnlineVariables, PASSWORD } from './metered-fleet.mjs';
import { organizationId } from './service.mjs';

const { quickHash } = await import('../server/dist/access/secrets/index.js');

/** Gateways with Devices that have an Alarm on every Variable. Returns the topics of each gateway. */
export async function populateWatched(
  client,
  { gateways = 1, devices, points, alarmGroupId = null },
) {
  const fleet = Array.from({ length: gateways }, () => ({
    id: randomUUID(),
    children: Array.from({ length: devices / gateways }, () => randomUUID()),
  }));
  const ids = [...fleet.map(({ id }) => id), ...fleet.flatMap(({ children }) => children)];
  const parents = [
    ...fleet.map(() => null),
    ...fleet.flatMap(({ id, children }) => children.map(() => id)),
  ];
  await client.query(
    `insert into devices (organization_id, id, type, name, name_folded, description, password_hash,
       parent_device_id, created_at, updated_at)
     select $1, id, 'CUSTOM_DEVICE', 'Watched', 'watched', '', $2, parent, now(), now()
     from unnest($3::uuid[], $4::uuid[]) as made (id, parent)`,
    [organizationId, quickHash(PASSWORD), ids, parents],
  );
  await client.query(
    `with points as (
       insert into variables (organization_id, id, device_id, topic_property_path,
         topic_property_path_folded, type, name, name_folded, is_logging_enabled, created_at,
         updated_at)
       select $1, gen_random_uuid(), device, 'point.' || n, 'point.' || n, 'NUMBER', 'Point',
         'point', true, now(), now()
       from unnest($2::uuid[]) device, generate_series(1, $3) n
       returning organization_id, device_id, id)
     insert into alarms (organization_id, id, name, name_folded, is_active, device_id, variable_id,
       operator, threshold_number, severity, is_acknowledgeable, alarm_group_id, created_at,
       updated_at)
     select organization_id, gen_random_uuid(), 'Too hot', 'too hot', true, device_id, id,
       'GREATER_THAN', 50, 'HIGH', false, $4, now(), now() from points`,
    [organizationId, fleet.flatMap(({ children }) => children), points, alarmGroupId],
  );
  await addOnlineVariables(client);
  await client.query('analyze');
  return fleet;
}
