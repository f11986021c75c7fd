// The Devices and Variables of a fleet in the database, as ingest would pass them on.
import { createIds, systemClock } from '../server/dist/runtime/index.js';

const newId = createIds(systemClock);

/** Inserts Devices with their Variables. Returns the Variable of a Device's name and a path. */
export async function insertFleet(storage, devices) {
  const organizationId = newId();
  await storage.query(
    `insert into organizations (id, name, created_at, updated_at) values ($1, 'Bench', now(), now())`,
    [organizationId],
  );
  for (const { name, variables } of devices) {
    const deviceId = newId();
    await storage.query(
      `insert into devices (organization_id, id, type, name, name_folded, description,
         password_hash, created_at, updated_at)
       values ($1, $2, 'CUSTOM_DEVICE', $3, lower($3), '', '', now(), now())`,
      [organizationId, deviceId, name],
    );
    await storage.query(
      `insert into variables (organization_id, id, device_id, topic_property_path,
         topic_property_path_folded, type, name, name_folded, is_logging_enabled, created_at,
         updated_at)
       select $1, id, $2, path, lower(path), type, 'Bench', 'bench', true, now(), now()
       from unnest($3::uuid[], $4::text[], $5::text[]) as made (id, path, type)`,
      [
        organizationId,
        deviceId,
        variables.map(() => newId()),
        variables.map(({ path }) => path),
        variables.map(({ type }) => type),
      ],
    );
  }
  return await findFleet(storage, organizationId);
}

/** The Variables of an organization: those of a Device's name, by path. */
export async function findFleet(storage, organizationId) {
  const rows = await storage.query(
    `select d.name as device, v.id, v.number as "seriesId", v.organization_id as "organizationId",
       v.device_id as "deviceId", v.type, v.is_logging_enabled as "isLoggingEnabled",
       v.topic_property_path as path
     from variables v join devices d on d.id = v.device_id where v.organization_id = $1`,
    [organizationId],
  );
  const byDevice = new Map();
  for (const { device, ...ref } of rows) {
    if (!byDevice.has(device)) byDevice.set(device, new Map());
    byDevice.get(device).set(ref.path, ref);
  }
  return (device, path) => byDevice.get(device).get(path);
}
