import { isoDateTime } from '../../runtime/index.ts';
import { type Queries, run, type Statement, sql, type Transaction } from '../../storage/index.ts';

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

/** Inserts a row into the journal. */
export function journalStatement({ writer, id }: JournalPosition, data: Buffer): Statement {
  const sql = 'insert into journal (writer, id, data) values ($1, $2, $3)';
  return { sql, params: [writer, id, data] };
}

export interface JournalRow extends JournalPosition {
  readonly data: Buffer;
}

/** The next rows after a position, in order. */
export function listJournalRows(
  db: Queries,
  after: JournalPosition,
  limit: number,
): Promise<JournalRow[]> {
  return run(
    db,
    sql`select writer, id, data from journal where (writer, id) > (${after.writer}, ${after.id})
        order by writer, id limit ${limit}`,
  );
}

/** Deletes the next rows of a writer up to an id. Returns the last, or undefined at the end. */
export async function deleteJournal(
  tx: Transaction,
  { writer, id }: JournalPosition,
  upTo: number,
  limit: number,
): Promise<JournalPosition | undefined> {
  const [row] = await run<{ last: number | null }>(
    tx,
    sql`with gone as (
          delete from journal where writer = ${writer} and id = any(array(
            select id from journal where writer = ${writer} and id > ${id} and id <= ${upTo}
            order by id limit ${limit}))
          returning id)
        select max(id) as last from gone`,
  );
  return row && row.last !== null ? { writer, id: row.last } : undefined;
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
