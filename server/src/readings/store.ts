import type { VariableType } from '@fieldwatch/contract';
import { isoDateTime } from '../runtime/index.ts';
import { type Queries, run, type Statement, sql, type Transaction } from '../storage/index.ts';
import type { ChunkRow } from './chunk-row.ts';
import type { TimedValue } from './reading.ts';

/** A place in the journal: who wrote it, and where in the order of their batches. */
export interface JournalPlace {
  readonly writer: number;
  readonly id: number;
}

/** A number later than that of every writer before. */
export async function nextWriter(db: Queries): Promise<number> {
  return await nextOf(db, 'journal_writers');
}

/** Puts a row into the journal. */
export function journalStatement({ writer, id }: JournalPlace, data: Buffer): Statement {
  const sql = 'insert into journal (writer, id, data) values ($1, $2, $3)';
  return { sql, params: [writer, id, data] };
}

export interface JournalRow extends JournalPlace {
  readonly data: Buffer;
}

/** The next rows after a place, in order. */
export function listJournalRows(
  db: Queries,
  after: JournalPlace,
  most: number,
): Promise<JournalRow[]> {
  return run(
    db,
    sql`select writer, id, data from journal where (writer, id) > (${after.writer}, ${after.id})
        order by writer, id limit ${most}`,
  );
}

/** Deletes the next rows of a writer after a place, up to an id. Undefined when there are no more. */
export async function deleteJournal(
  tx: Transaction,
  { writer, id }: JournalPlace,
  upTo: number,
  most: number,
): Promise<JournalPlace | undefined> {
  const [row] = await run<{ last: number | null }>(
    tx,
    sql`with gone as (
          delete from journal where writer = ${writer} and id = any(array(
            select id from journal where writer = ${writer} and id > ${id} and id <= ${upTo}
            order by id limit ${most}))
          returning id)
        select max(id) as last from gone`,
  );
  return row && row.last !== null ? { writer, id: row.last } : undefined;
}

/** A number later than that of every sealing before. */
export async function nextWrite(tx: Transaction): Promise<number> {
  return await nextOf(tx, 'chunk_writes');
}

async function nextOf(db: Queries, sequence: string): Promise<number> {
  const [row] = await run<{ next: number }>(db, sql`select nextval(${sequence}) as next`);
  if (!row) throw new Error(`the sequence ${sequence} gave no value`);
  return row.next;
}

/**
 * Of those made, the Variables that exist, so that they stay until the transaction ends. The limit
 * keeps the planner from anything but one walk down the index for each: it would read all Variables.
 */
const KNOWN_VARIABLE = sql`lateral (select 1 from variables where variables.number = made.series_id
  limit 1 for key share) as known`;

/** As PostgreSQL reads it. The driver's own form takes several times as long to write. */
function arrayText(numbers: readonly (number | undefined)[]): string {
  return `{${numbers.map((number) => number ?? 'null').join(',')}}`;
}

/** Those of deleted Variables are left out. */
export async function insertChunks(
  tx: Transaction,
  written: number,
  rows: readonly ChunkRow[],
): Promise<void> {
  const column = (key: 'seriesId' | 'lastAt' | 'firstAt' | 'count') =>
    arrayText(rows.map((row) => row[key]));
  const summary = (key: 'min' | 'max' | 'sum' | 'first' | 'last') =>
    arrayText(rows.map((row) => row.summary?.[key]));
  const data = rows.map((row) => row.data);
  const lengths = data.map(({ length }) => length);
  let end = 1;
  const starts = lengths.map((length) => {
    end += length;
    return end - length;
  });
  // All bytes as one value: an array of them would travel as text of twice their size.
  await run(
    tx,
    sql`insert into chunks (variable_number, last_at, first_at, written, count, minimum, maximum,
          total, first_value, last_value, data)
        select made.series_id, last_at, first_at, ${written}, count, minimum, maximum, total,
          first_value, last_value, substring(${Buffer.concat(data)}::bytea from start for length)
        from unnest(${column('seriesId')}::bigint[], ${column('lastAt')}::bigint[],
          ${column('firstAt')}::bigint[], ${column('count')}::integer[],
          ${summary('min')}::double precision[], ${summary('max')}::double precision[],
          ${summary('sum')}::double precision[], ${summary('first')}::double precision[],
          ${summary('last')}::double precision[], ${arrayText(starts)}::integer[],
          ${arrayText(lengths)}::integer[])
          as made (series_id, last_at, first_at, count, minimum, maximum, total, first_value,
            last_value, start, length)
        cross join ${KNOWN_VARIABLE}`,
  );
}

export interface LatestRow extends TimedValue {
  readonly seriesId: number;
}

/** Keeps the newest of what is stored and what is given. Those of deleted Variables are left out. */
export async function saveLatest(tx: Transaction, rows: readonly LatestRow[]): Promise<void> {
  const only = (type: string) => rows.map(({ value }) => (typeof value === type ? value : null));
  const numbers = arrayText(
    rows.map(({ value }) => (typeof value === 'number' ? value : undefined)),
  );
  await run(
    tx,
    sql`insert into latest_values (variable_number, at, number_value, boolean_value, string_value)
        select made.series_id, at, number_value, boolean_value, string_value
        from unnest(${arrayText(rows.map(({ seriesId }) => seriesId))}::bigint[],
          ${arrayText(rows.map(({ at }) => at))}::bigint[], ${numbers}::double precision[],
          ${only('boolean')}::boolean[], ${only('string')}::text[])
          as made (series_id, at, number_value, boolean_value, string_value)
        cross join ${KNOWN_VARIABLE}
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
export function listLatestFrom(
  db: Queries,
  from: number,
): Promise<{ readonly seriesId: number; readonly at: number }[]> {
  return run(
    db,
    sql`select variable_number as "seriesId", at from latest_values where at >= ${from}::bigint`,
  );
}

/** The first and the last time that chunks of these Variables tell of. */
export async function findBounds(
  db: Queries,
  seriesIds: readonly number[],
): Promise<{ from: number; to: number } | null> {
  const [row] = await run<{ from: number | null; to: number | null }>(
    db,
    sql`select min(first_at) as "from", max(last_at) as "to" from chunks
        where variable_number = any(${seriesIds}::bigint[])`,
  );
  return row && row.from !== null && row.to !== null ? { from: row.from, to: row.to } : null;
}

export interface HistoryVariable {
  readonly id: string;
  readonly seriesId: number;
  readonly type: VariableType;
  readonly name: string;
  readonly deviceName: string;
}

export function findVariables(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<HistoryVariable[]> {
  return run(
    db,
    sql`select v.id, v.number as "seriesId", v.type, v.name, d.name as "deviceName"
        from variables v join devices d on d.id = v.device_id
        where v.organization_id = ${organizationId} and v.id = any(${ids}::uuid[])`,
  );
}

/** Those of the series whose Variables exist. */
export async function listKnown(tx: Transaction, seriesIds: readonly number[]): Promise<number[]> {
  if (seriesIds.length === 0) return [];
  const rows = await run<{ seriesId: number }>(
    tx,
    sql`select number as "seriesId" from variables where number = any(${seriesIds}::bigint[])`,
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

/** Moves a row that cannot be decoded out of the journal, with its bytes and the reason. */
export async function quarantineJournalRow(
  db: Queries,
  { writer, id }: JournalPlace,
  reason: string,
  now: number,
): Promise<void> {
  await run(
    db,
    sql`with damaged as (
          delete from journal where writer = ${writer} and id = ${id} returning writer, id, data)
        insert into journal_quarantine (writer, id, data, reason, quarantined_at)
        select writer, id, data, ${reason}, ${isoDateTime(now)} from damaged`,
  );
}

export async function countQuarantined(db: Queries): Promise<number> {
  const [row] = await run<{ count: number }>(db, sql`select count(*) from journal_quarantine`);
  return row?.count ?? 0;
}
