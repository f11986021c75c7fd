// Gateways, meters and their stored readings, created and counted by a few statements.
import { KEYS } from './meters.mjs';

const { quickHash } = await import('../server/dist/access/secrets/index.js');
const { createIds, systemClock } = await import('../server/dist/runtime/index.js');
const { decodeJournalRow } = await import('../server/dist/readings/journal/journal-row.js');
const newId = createIds(systemClock);

export const PASSWORD = 'a password of the bench';
/** Measured values are numbers; the online Variable is a boolean. */
const KIND_BITS = 3;

const DEVICES_PER_STATEMENT = 10_000;

/**
 * Gateways with Devices below them, in the partition that `partitionOf` says for the number of the
 * gateway, or in any; ten Variables each, every tenth Variable with an Alarm. One in
 * two thousand of the watched readings crosses the threshold, far more than in a real plant.
 */
export async function populate(client, organizationId, { gateways, devicesEach, partitionOf }) {
  await client.query('truncate devices, device_ingest, journal, chunks, latest_values cascade');
  // A Variable costs 80 µs to create, nearly half of it for checks of references and change
  // notifications. The references are correct here, and no server listens yet.
  await client.query('set session_replication_role = replica');
  const passwordHash = quickHash(PASSWORD);
  const fleet = Array.from({ length: gateways }, (_, gateway) => {
    const idOf = () => (partitionOf ? idIn(partitionOf(gateway)) : newId());
    return { id: idOf(), children: Array.from({ length: devicesEach }, idOf) };
  });
  const insert = `insert into devices (organization_id, id, type, name, name_folded, description,
      password_hash, parent_device_id, created_at, updated_at)
    select $1, id, 'CUSTOM_DEVICE', 'Meter', 'meter', '', $2, parent, now(), now()
    from unnest($3::uuid[], $4::uuid[]) as made (id, parent)`;
  const add = (ids, parents) => client.query(insert, [organizationId, passwordHash, ids, parents]);
  await add(
    fleet.map(({ id }) => id),
    fleet.map(() => null),
  );
  await add(
    fleet.flatMap(({ children }) => children),
    fleet.flatMap(({ id, children }) => children.map(() => id)),
  );
  await addOnlineVariables(client);
  const children = fleet.flatMap((gateway) => gateway.children);
  for (let first = 0; first < children.length; first += DEVICES_PER_STATEMENT) {
    const some = children.slice(first, first + DEVICES_PER_STATEMENT);
    await client.query(
      `insert into variables (organization_id, id, device_id, topic_property_path,
         topic_property_path_folded, type, name, name_folded, is_logging_enabled, created_at,
         updated_at)
       select $1, uuidv7(), id, path, lower(path), 'NUMBER', 'Bench', 'bench', true, now(), now()
       from unnest($2::uuid[]) id, unnest($3::text[]) path`,
      [organizationId, some, KEYS],
    );
  }
  await client.query(
    `insert into alarms (organization_id, id, name, name_folded, is_active, device_id, variable_id,
       operator, threshold_number, severity, is_acknowledgeable, created_at, updated_at)
     select organization_id, uuidv7(), 'Too much', 'too much', true, device_id, id,
       'GREATER_THAN', 203.8, 'HIGH', false, now(), now()
     from variables where topic_property_path = 'ampsA'`,
  );
  await client.query('set session_replication_role = origin');
  // Statistics and vacuum, which PostgreSQL would run later, are done before anything is measured.
  await client.query('vacuum (freeze, analyze)');
  await client.query('checkpoint');
  return fleet.map(({ id, children }) => ({
    username: id,
    password: PASSWORD,
    topics: children.map((child) => `fieldwatch/${organizationId}/${child}`),
  }));
}

/** The partition of a Device is the last byte of its id. */
function idIn(partition) {
  return newId().slice(0, -2) + partition.toString(16).padStart(2, '0');
}

/** Every Device has an online Variable. */
export async function addOnlineVariables(client) {
  await client.query(
    `insert into variables (organization_id, id, device_id, topic_property_path,
       topic_property_path_folded, type, name, name_folded, is_logging_enabled, is_built_in,
       created_at, updated_at)
     select organization_id, (left(id::text, 24) || left(md5(id::text), 12))::uuid, id, 'isOnline',
       'isonline', 'BOOLEAN', 'Online', 'online', true, true, now(), now()
     from devices on conflict do nothing`,
  );
}

/** The stored readings of the payloads, in chunks and in the journal. */
export async function countStored(client) {
  const { rows } = await client.query(
    `select coalesce(sum(count), 0)::int8 as count from chunks
       join variables on variables.number = chunks.variable_number where not is_built_in`,
  );
  let count = Number(rows[0].count);
  const journal = await client.query('select writer, id, data from journal');
  for (const { writer, id, data } of journal.rows) {
    const { tags } = decodeJournalRow({ writer, id }, data);
    count += tags.filter((tag) => (tag & KIND_BITS) === 0).length;
  }
  return count;
}
