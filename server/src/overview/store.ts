import { type Queries, run, sql } from '../storage/index.ts';

export interface OfflineRow {
  readonly id: string;
  readonly name: string;
  readonly lastSeenAt: number | null;
}

export interface OverviewRow {
  readonly deviceCount: number;
  readonly onlineDeviceCount: number;
  readonly inactiveDeviceCount: number;
  readonly acceptedReadingCount: number;
}

/** Counts stored state: a Device is online as its online Variable reports. */
export async function countAll(db: Queries, organizationId: string): Promise<OverviewRow> {
  const [row] = await run<OverviewRow>(
    db,
    sql`select count(*) as "deviceCount",
          count(*) filter (where is_online and is_active) as "onlineDeviceCount",
          count(*) filter (where not is_active) as "inactiveDeviceCount",
          (select coalesce(sum(accepted), 0)::bigint from device_ingest
           where organization_id = ${organizationId}) as "acceptedReadingCount"
        from devices where organization_id = ${organizationId} and archived_at is null`,
  );
  if (!row) throw new Error('a count returned no row');
  return row;
}

/** Active Devices that are offline, the last seen first and those never seen last. */
export function listOffline(
  db: Queries,
  organizationId: string,
  max: number,
): Promise<readonly OfflineRow[]> {
  return run<OfflineRow>(
    db,
    sql`select id, name, last_seen_at as "lastSeenAt" from devices
        where organization_id = ${organizationId} and archived_at is null
          and is_active and not is_online
        order by last_seen_at desc nulls last, id desc
        limit ${max}`,
  );
}
