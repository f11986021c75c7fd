import type { VariableType } from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';
import { all, among, type Queries, run, sql } from '../../storage/index.ts';
import type { ConnectionState } from '../connections/index.ts';

/** A connection as its session needs it. */
export interface ActiveConnection {
  readonly organizationId: string;
  readonly id: string;
  readonly url: string;
  readonly username: string | null;
  readonly encryptedPassword: Buffer | null;
  readonly discoveryPrefix: string;
  readonly locationIds: string[];
  readonly isActive: boolean;
  readonly revision: number;
}

/** The connections of all organizations after an id, in the order of their ids. */
export function listAllConnections(
  db: Queries,
  after: string,
  max: number,
): Promise<ActiveConnection[]> {
  return run(
    db,
    sql`select organization_id as "organizationId", id, url, username,
          encrypted_password as "encryptedPassword", discovery_prefix as "discoveryPrefix",
          location_ids as "locationIds", is_active as "isActive", revision
        from home_assistant_connections where id > ${after} order by id limit ${max}`,
  );
}

export interface DeviceRow {
  readonly id: string;
  readonly name: string;
  readonly locationName: string | null;
  readonly isOnline: boolean;
}

/** The oldest Devices, which therefore stay the same when there are more than the limit. */
export function listDevices(
  db: Queries,
  organizationId: string,
  locationIds: readonly string[],
  max: number,
): Promise<DeviceRow[]> {
  const given = among(sql`id`, locationIds);
  const located =
    given &&
    sql`devices.location_id in (
      with recursive covered as (
        select id from locations where organization_id = ${organizationId} and ${given}
        union
        select below.id from covered join locations below
          on below.organization_id = ${organizationId} and below.parent_id = covered.id)
      select id from covered)`;
  const where = all([
    sql`devices.organization_id = ${organizationId}`,
    sql`devices.archived_at is null`,
    located,
  ]);
  return run(
    db,
    sql`select devices.id, devices.name, locations.name as "locationName",
          devices.is_online as "isOnline"
        from devices left join locations
          on locations.organization_id = devices.organization_id
          and locations.id = devices.location_id
        where ${where} order by devices.created_at, devices.id limit ${max}`,
  );
}

export interface VariableRow {
  readonly id: string;
  readonly deviceId: string;
  readonly name: string;
  readonly type: VariableType;
  readonly unit: string | null;
  readonly seriesId: number;
}

export function listVariables(
  db: Queries,
  organizationId: string,
  deviceIds: readonly string[],
  max: number,
): Promise<VariableRow[]> {
  return run(
    db,
    sql`select id, device_id as "deviceId", name, type, unit, number as "seriesId"
        from variables
        where organization_id = ${organizationId} and device_id = any(${deviceIds}::uuid[])
          and not is_built_in
        order by created_at, id limit ${max}`,
  );
}

export interface Status {
  readonly state: ConnectionState;
  readonly message: string | null;
  readonly deviceCount: number;
}

/** Not for a later revision: its session writes its own. */
export async function saveStatus(
  db: Queries,
  organizationId: string,
  { id, revision }: Pick<ActiveConnection, 'id' | 'revision'>,
  { state, message, deviceCount }: Status,
  now: number,
): Promise<void> {
  await run(
    db,
    sql`update home_assistant_connections set state = ${state},
          state_at = case when state = ${state} then state_at else ${isoDateTime(now)} end,
          state_message = ${message}, device_count = ${deviceCount}
        where organization_id = ${organizationId} and id = ${id} and revision = ${revision}`,
  );
}
