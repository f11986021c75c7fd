import type { Incarnation } from '../../nodes/index.ts';
import { isoDateTime } from '../../runtime/index.ts';
import {
  type Queries,
  run,
  type Statement,
  sql,
  statementOf,
  type Transaction,
} from '../../storage/index.ts';

/** A position in the journal: the writer, which is one start of a server, and its batch. */
export interface JournalPosition {
  readonly writer: number;
  readonly id: number;
}

/** An id higher than that of every writer before. */
export async function nextWriterId(db: Queries): Promise<number> {
  const [row] = await run<{ next: number }>(db, sql`select nextval('journal_writers') as next`);
  if (!row) throw new Error('the sequence journal_writers gave no value');
  return row.next;
}

/** Inserts a row into the journal, unless another node has taken over from this one. */
export function journalStatement(
  { writer, id }: JournalPosition,
  data: Buffer,
  node: Incarnation,
): Statement {
  return statementOf(
    sql`insert into journal (writer, id, data)
        select ${writer}, ${id}, ${data} where require_epoch(${node.id}, ${node.epoch})`,
  );
}

/** The id of no commit and of no carried-over row. */
const PROBE_ID = 0;

/** Writes to the journal as a commit does, and leaves nothing behind. */
export function journalProbe(writer: number, node: Incarnation): readonly Statement[] {
  return [
    journalStatement({ writer, id: PROBE_ID }, Buffer.alloc(0), node),
    { sql: 'delete from journal where writer = $1 and id = $2', params: [writer, PROBE_ID] },
  ];
}

/**
 * Inserts a row of carried-over readings. It takes the place of the rows that held them, in the
 * order of commits as well.
 */
export function carriedOverStatement(
  { writer, id }: JournalPosition,
  commitOrder: number,
  data: Buffer,
): Statement {
  const sql = 'insert into journal (writer, id, commit_order, data) values ($1, $2, $3, $4)';
  return { sql, params: [writer, id, commitOrder, data] };
}

export interface JournalRow extends JournalPosition {
  /** Its position among the commits of all writers. */
  readonly commitOrder: number;
  readonly data: Buffer;
}

/** The next rows of a writer after a position, in order. */
export function listJournalRows(
  db: Queries,
  { writer, id }: JournalPosition,
  limit: number,
): Promise<JournalRow[]> {
  return run(
    db,
    sql`select writer, id, commit_order as "commitOrder", data from journal
        where writer = ${writer} and id > ${id} order by id limit ${limit}`,
  );
}

/** The writers that have rows, in ascending order, with one index lookup for each. */
export async function listWriters(db: Queries): Promise<number[]> {
  const rows = await run<{ writer: number }>(
    db,
    sql`with recursive walk (writer) as (
          (select writer from journal order by writer limit 1)
          union all
          select (select writer from journal where journal.writer > walk.writer
            order by writer limit 1) from walk where walk.writer is not null)
        select writer from walk where writer is not null`,
  );
  return rows.map(({ writer }) => writer);
}

/** The last row of a range, and the highest commit order; null where there is none. */
export interface LastRow {
  readonly id: number | null;
  readonly commitOrder: number | null;
}

export async function findLastRow(
  tx: Transaction,
  { writer, from, to }: { readonly writer: number; readonly from: number; readonly to: number },
): Promise<LastRow> {
  const [row] = await run<LastRow>(
    tx,
    sql`select max(id) as id, max(commit_order) as "commitOrder" from journal
        where writer = ${writer} and id between ${from} and ${to}`,
  );
  return row ?? { id: null, commitOrder: null };
}

/** Deletes the first rows of a range. */
export async function deleteJournal(
  tx: Transaction,
  { writer, from, to }: { readonly writer: number; readonly from: number; readonly to: number },
  limit: number,
): Promise<LastRow> {
  const [row] = await run<LastRow>(
    tx,
    sql`with gone as (
          delete from journal where writer = ${writer} and id = any(array(
            select id from journal where writer = ${writer} and id between ${from} and ${to}
            order by id limit ${limit}))
          returning id, commit_order)
        select max(id) as id, max(commit_order) as "commitOrder" from gone`,
  );
  return row ?? { id: null, commitOrder: null };
}

/** Moves a row that cannot be decoded out of the journal, with its bytes and the reason. */
export async function quarantineJournalRow(
  db: Queries,
  { writer, id }: JournalPosition,
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
