import type { Clock, Log } from '../../runtime/index.ts';
import type { Queries, Storage } from '../../storage/index.ts';
import type { JournalColumns } from './journal-columns.ts';
import { DamagedJournal, decodeJournalRow, plainBytes } from './journal-row.ts';
import {
  type JournalPosition,
  type JournalRow,
  listJournalRows,
  quarantineJournalRow,
} from './store.ts';

export interface ReplayDeps {
  readonly storage: Pick<Storage, 'ingest'>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface ReplayedRow {
  readonly position: JournalPosition;
  readonly columns: JournalColumns;
  readonly bytes: number;
}

const ROWS_PER_PAGE = 32;
const BEFORE_ALL = -Number.MAX_SAFE_INTEGER;

/**
 * The rows of several journals in the order in which they count: those of one journal by id, and
 * journals among each other by commit order. A batch that was acknowledged before another was sent
 * precedes it, whichever servers committed them. A row that cannot be decoded is quarantined.
 */
export async function* replayJournals(
  deps: ReplayDeps,
  writers: readonly number[],
): AsyncGenerator<ReplayedRow> {
  for await (const { writer, id, data } of orderedRows(deps.storage.ingest, writers)) {
    const columns = await decoded(deps, { writer, id }, data);
    if (columns) yield { position: { writer, id }, columns, bytes: plainBytes(columns) };
  }
}

async function decoded(
  { storage, clock, log }: ReplayDeps,
  position: JournalPosition,
  data: Buffer,
): Promise<JournalColumns | undefined> {
  try {
    return decodeJournalRow(position, data);
  } catch (error) {
    if (!(error instanceof DamagedJournal)) throw error;
    const quarantined = { ...position, bytes: data.length };
    log.error(quarantined, `${error.message} It is in the table journal_quarantine now.`);
    await quarantineJournalRow(storage.ingest, position, error.reason, clock.now());
    return undefined;
  }
}

async function* orderedRows(db: Queries, writers: readonly number[]): AsyncGenerator<JournalRow> {
  const open: Cursor[] = [];
  for (const writer of writers) {
    const cursor = new Cursor(db, writer);
    if (await cursor.advance()) open.push(cursor);
  }
  for (;;) {
    const first = open.reduce<Cursor | undefined>(
      (least, each) => (least && least.order <= each.order ? least : each),
      undefined,
    );
    if (!first?.row) return;
    yield first.row;
    if (!(await first.advance())) open.splice(open.indexOf(first), 1);
  }
}

/** The next row of one journal. */
class Cursor {
  readonly #db: Queries;
  #last: JournalPosition;
  #page: JournalRow[] = [];
  #isLastPage = false;

  constructor(db: Queries, writer: number) {
    this.#db = db;
    this.#last = { writer, id: BEFORE_ALL };
  }

  row: JournalRow | undefined;

  get order(): number {
    return this.row?.commitOrder ?? Infinity;
  }

  /** False at the end of the journal. */
  async advance(): Promise<boolean> {
    if (this.#page.length === 0 && !this.#isLastPage) {
      const page = await listJournalRows(this.#db, this.#last, ROWS_PER_PAGE);
      this.#isLastPage = page.length < ROWS_PER_PAGE;
      this.#page = page;
    }
    this.row = this.#page.shift();
    if (this.row) this.#last = this.row;
    return this.row !== undefined;
  }
}
