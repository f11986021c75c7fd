import { isoDateTime } from '../../runtime/index.ts';
import { all, among, type Queries, run, sql } from '../../storage/index.ts';
import type { BoundVariable, OwnedVariable } from '../stream/index.ts';

export async function findVariables(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<OwnedVariable[]> {
  if (ids.length === 0) return [];
  const where = all([sql`organization_id = ${organizationId}`, among(sql`id`, ids)]);
  return run(db, sql`select id, device_id as "deviceId" from variables where ${where}`);
}

export async function listBoundVariables(
  db: Queries,
  organizationId: string,
  assetIds: readonly string[],
): Promise<BoundVariable[]> {
  if (assetIds.length === 0) return [];
  const where = all([
    sql`asset_variables.organization_id = ${organizationId}`,
    among(sql`asset_variables.asset_id`, assetIds),
  ]);
  return run(
    db,
    sql`select asset_variables.asset_id as "assetId", variables.id,
          variables.device_id as "deviceId"
        from asset_variables join variables
          on variables.organization_id = asset_variables.organization_id
          and variables.id = asset_variables.variable_id
        where ${where}`,
  );
}

export interface SeenDevice {
  readonly id: string;
  readonly lastSeenAt: number;
  readonly isOnline: boolean;
}

/** The Devices that were seen since then, the latest first. */
export function listSeenDevices(
  db: Queries,
  organizationId: string,
  sinceMs: number,
  limit: number,
): Promise<SeenDevice[]> {
  return run(
    db,
    sql`select id, last_seen_at as "lastSeenAt", is_online as "isOnline" from devices
        where organization_id = ${organizationId} and last_seen_at is not null
          and last_seen_at >= ${isoDateTime(sinceMs)}
        order by last_seen_at desc limit ${limit}`,
  );
}
