import type { SeriesTime } from '../presence/index.ts';
import { type Queries, run, sql, type Transaction } from '../storage/index.ts';
import { arrayLiteral, EXISTING_VARIABLE } from './chunks/index.ts';
import type { TimedValue } from './reading.ts';

export interface LatestRow extends TimedValue {
  readonly seriesId: number;
}

/** Keeps the newest of what is stored and what is given. Those of deleted Variables are left out. */
export async function saveLatest(tx: Transaction, rows: readonly LatestRow[]): Promise<void> {
  const booleans = rows.map(({ value }) => (typeof value === 'boolean' ? value : null));
  const strings = rows.map(({ value }) => (typeof value === 'string' ? value : null));
  const numbers = arrayLiteral(
    rows.map(({ value }) => (typeof value === 'number' ? value : undefined)),
  );
  await run(
    tx,
    sql`insert into latest_values (variable_number, at, number_value, boolean_value, string_value)
        select made.series_id, at, number_value, boolean_value, string_value
        from unnest(${arrayLiteral(rows.map(({ seriesId }) => seriesId))}::bigint[],
          ${arrayLiteral(rows.map(({ at }) => at))}::bigint[], ${numbers}::double precision[],
          ${booleans}::boolean[], ${strings}::text[])
          as made (series_id, at, number_value, boolean_value, string_value)
        cross join ${EXISTING_VARIABLE}
        on conflict (variable_number) do update set at = excluded.at,
          number_value = excluded.number_value, boolean_value = excluded.boolean_value,
          string_value = excluded.string_value
        where latest_values.at <= excluded.at`,
  );
}

export function listLatest(db: Queries, seriesIds: readonly number[]): Promise<LatestRow[]> {
  return run(
    db,
    sql`select variable_number as "seriesId", at,
          coalesce(to_json(number_value), to_json(boolean_value), to_json(string_value)) as value
        from latest_values where variable_number = any(${seriesIds}::bigint[])`,
  );
}

/** The newest stored time of each Variable that has one at or after a time. */
export function listLatestFrom(db: Queries, from: number): Promise<SeriesTime[]> {
  return run(
    db,
    sql`select variable_number as "seriesId", at from latest_values where at >= ${from}::bigint`,
  );
}

/** A series whose Variable exists, and how long its organization keeps history; null for ever. */
export interface KnownSeries {
  readonly seriesId: number;
  readonly organizationId: string;
  readonly retentionDays: number | null;
}

/** Those of the series whose Variables exist. */
export async function listKnown(db: Queries, seriesIds: readonly number[]): Promise<KnownSeries[]> {
  if (seriesIds.length === 0) return [];
  return await run(
    db,
    sql`select number as "seriesId", organization_id as "organizationId",
          retention_days as "retentionDays"
        from variables join organizations on organizations.id = organization_id
        where number = any(${seriesIds}::bigint[])`,
  );
}

/** Those of the series whose Devices are in the partitions. */
export async function listInPartitions(
  db: Queries,
  seriesIds: readonly number[],
  partitions: readonly number[],
): Promise<number[]> {
  const rows = await run<{ seriesId: number }>(
    db,
    sql`select number as "seriesId" from variables where number = any(${seriesIds}::bigint[])
          and partition_of(device_id) = any(${partitions}::smallint[])`,
  );
  return rows.map(({ seriesId }) => seriesId);
}

export interface RetentionRow {
  readonly organizationId: string;
  readonly retentionDays: number;
  readonly newestAt: number;
}

/** Organizations that keep history for a while, with the newest reading that their Devices sent. */
export function listRetention(db: Queries): Promise<RetentionRow[]> {
  return run(
    db,
    sql`select organizations.id as "organizationId", retention_days as "retentionDays",
          max(latest_values.at) as "newestAt"
        from organizations
        join variables on variables.organization_id = organizations.id
          and not variables.is_built_in
        join latest_values on latest_values.variable_number = variables.number
        where retention_days is not null
        group by organizations.id, retention_days`,
  );
}

/** Deletes some of the chunks of an organization that end before a time. Returns how many. */
export async function deleteExpiredChunks(
  db: Queries,
  organizationId: string,
  before: number,
  most: number,
): Promise<number> {
  const rows = await run(
    db,
    sql`delete from chunks where ctid = any(array(
          select chunks.ctid from variables
          join chunks on chunks.variable_number = variables.number
            and chunks.last_at < ${before}::bigint
          where variables.organization_id = ${organizationId}
          limit ${most}))
        returning 1`,
  );
  return rows.length;
}
