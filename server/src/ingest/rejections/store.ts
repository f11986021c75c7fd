import { isoDateTime } from '../../runtime/index.ts';
import {
  type Page,
  type PageRequest,
  page,
  type Queries,
  run,
  sql,
  type Transaction,
} from '../../storage/index.ts';
import {
  type DeviceCounts,
  MAX_LAST_REJECTED,
  MAX_UNMATCHED,
  type RejectionReason,
} from './counts.ts';

/**
 * Adds to the stored counts. Devices that were deleted are left out. A Device that is deleted during
 * the statement makes it fail, and the next attempt leaves it out.
 */
export async function addCounts(tx: Transaction, counted: readonly DeviceCounts[]): Promise<void> {
  const added = counted.map(({ deviceId, accepted, rejected, lastRejected }) => ({
    deviceId,
    accepted,
    ...rejected,
    lastRejected,
  }));
  await run(
    tx,
    sql`insert into device_ingest as stored (organization_id, device_id, accepted, unknown_path,
          wrong_type, bad_time, inactive, codec, last_rejected)
        select devices.organization_id, devices.id, added.accepted, added."unknownPath",
          added."wrongType", added."badTime", added.inactive, added.codec,
          added."lastRejected"
        from json_to_recordset(${JSON.stringify(added)}::json) as added ("deviceId" uuid,
            accepted bigint, "unknownPath" bigint, "wrongType" bigint, "badTime" bigint,
            inactive bigint, codec bigint, "lastRejected" jsonb)
          join devices on devices.id = added."deviceId"
        on conflict (organization_id, device_id) do update set
          accepted = stored.accepted + excluded.accepted,
          unknown_path = stored.unknown_path + excluded.unknown_path,
          wrong_type = stored.wrong_type + excluded.wrong_type,
          bad_time = stored.bad_time + excluded.bad_time,
          inactive = stored.inactive + excluded.inactive,
          codec = stored.codec + excluded.codec,
          last_rejected = (
            select coalesce(jsonb_agg(item order by index), '[]')
            from jsonb_array_elements(excluded.last_rejected || stored.last_rejected)
              with ordinality as each (item, index)
            where index <= ${MAX_LAST_REJECTED})`,
  );
}

export interface DevicePath {
  readonly deviceId: string;
  readonly path: string;
  readonly lastValue: string | number | boolean;
  readonly lastAt: number;
  readonly occurrences: number;
}

export async function addUnmatched(tx: Transaction, paths: readonly DevicePath[]): Promise<void> {
  const added = paths.map((each) => ({ ...each, lastAt: isoDateTime(each.lastAt) }));
  await run(
    tx,
    sql`insert into unmatched_paths as stored
          (organization_id, device_id, path, last_value, last_at, occurrences)
        select devices.organization_id, devices.id, added.path, added."lastValue", added."lastAt",
          added.occurrences
        from json_to_recordset(${JSON.stringify(added)}::json) as added ("deviceId" uuid,
            path text, "lastValue" json, "lastAt" timestamptz, occurrences bigint)
          join devices on devices.id = added."deviceId"
        for key share of devices
        on conflict (organization_id, device_id, path) do update set
          occurrences = stored.occurrences + excluded.occurrences,
          last_value = case when excluded.last_at >= stored.last_at
            then excluded.last_value else stored.last_value end,
          last_at = greatest(stored.last_at, excluded.last_at)`,
  );
  await dropOldest(tx, paths);
}

async function dropOldest(tx: Transaction, paths: readonly DevicePath[]): Promise<void> {
  const deviceIds = [...new Set(paths.map(({ deviceId }) => deviceId))];
  await run(
    tx,
    sql`delete from unmatched_paths where ctid = any(array(
          select ranked.ctid
          from (
            select ctid, row_number() over (
              partition by organization_id, device_id order by last_at desc, path) as index
            from unmatched_paths
            where (organization_id, device_id) in (
              select organization_id, id from devices where id = any(${deviceIds}::uuid[]))
          ) ranked
          where index > ${MAX_UNMATCHED}))`,
  );
}

export interface IngestRow {
  readonly accepted: number;
  readonly unknownPath: number;
  readonly wrongType: number;
  readonly badTime: number;
  readonly inactive: number;
  readonly codec: number;
  readonly lastRejected: readonly { key: string; reason: RejectionReason; at: number }[];
}

/** Null when there is no such Device; zeros when it never sent a reading. */
export async function findIngest(
  db: Queries,
  organizationId: string,
  deviceId: string,
): Promise<IngestRow | null> {
  const [row] = await run<IngestRow>(
    db,
    sql`select coalesce(accepted, 0) as accepted, coalesce(unknown_path, 0) as "unknownPath",
          coalesce(wrong_type, 0) as "wrongType", coalesce(bad_time, 0) as "badTime",
          coalesce(inactive, 0) as inactive, coalesce(codec, 0) as codec,
          coalesce(last_rejected, '[]') as "lastRejected"
        from devices left join device_ingest
          on device_ingest.organization_id = devices.organization_id and device_id = devices.id
        where devices.organization_id = ${organizationId} and devices.id = ${deviceId}`,
  );
  return row ?? null;
}

export async function hasDevice(db: Queries, organizationId: string, id: string): Promise<boolean> {
  const rows = await run(
    db,
    sql`select 1 from devices where organization_id = ${organizationId} and id = ${id}`,
  );
  return rows.length > 0;
}

export type UnmatchedRow = Omit<DevicePath, 'deviceId'>;

/** Paths that still belong to no Variable, the one seen last first. */
export async function listUnmatched(
  db: Queries,
  organizationId: string,
  deviceId: string,
  request: PageRequest,
): Promise<Page<UnmatchedRow>> {
  return await page(
    db,
    {
      columns: sql`path, last_value as "lastValue", last_at as "lastAt", occurrences`,
      from: sql`unmatched_paths unmatched`,
      where: sql`organization_id = ${organizationId} and device_id = ${deviceId}
        and not exists (select 1 from variables
          where variables.organization_id = unmatched.organization_id
            and variables.device_id = unmatched.device_id
            and variables.topic_property_path = unmatched.path
            and not variables.is_built_in)`,
      order: sql`last_at desc, path`,
    },
    request,
  );
}
