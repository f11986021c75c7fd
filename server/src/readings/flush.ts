import { type Urgency, Yielder } from '../runtime/index.ts';
import type { Transaction, Transactions } from '../storage/index.ts';
import { type ChunkRow, chunkRows, insertChunks, nextWriteSeq } from './chunks/index.ts';
import { type Columns, sharedColumns, sortUnique } from './columns/index.ts';
import {
  carriedOverStatement,
  deleteJournal,
  findLastRow,
  type JournalRange,
  type RowForm,
  type SeriesColumns,
  seriesRow,
} from './journal/index.ts';
import { memtableLimit, type ReadingsLimits } from './limits.ts';
import { type BlockPool, type Memtable, SeriesBuffers } from './memtable/index.ts';
import { ALL_TIMES } from './reading.ts';
import type { ExpiryOf } from './retention.ts';
import { type LatestRow, listInPartitions, listKnown, saveLatest } from './store.ts';

const CHUNKS_PER_STATEMENT = 256;
/** A second limit, because chunks of long texts are large. */
const BYTES_PER_STATEMENT = 256 * 1024;
const SERIES_PER_STATEMENT = 250;
/** Readings in one journal row of carried-over series. */
const READINGS_PER_ROW = 4_096;
/** The maximum number of such rows of one flush; above it they are larger. */
const MAX_CARRIED_OVER_ROWS = 1_024;
const ROWS_PER_DELETE = 128;

/**
 * The distance between the ids of two commits. The ids between them are for rows that a flush carries
 * over: these come after the last commit of its memtable and before the next one. A flush that is
 * repeated because its outcome is unknown takes further ids of the same interval.
 */
export const IDS_PER_COMMIT = 8_192;

/** The ids between a commit and the next one. */
export function carriedOverRange(writer: number, journalEnd: number): JournalRange {
  return { writer, from: journalEnd + 1, to: journalEnd + IDS_PER_COMMIT - 1 };
}

export interface FlushJob {
  /** Partitions that another node owns next: nothing of them is carried over. */
  readonly leaving?: readonly number[] | 'ALL';
  readonly memtable: Memtable;
  readonly writer: number;
  /** Of the rows that it carries over. */
  readonly form: RowForm;
  readonly blockPool: BlockPool;
  readonly urgency: Urgency;
  /** Of readings that would be carried over. */
  readonly expiryOf: ExpiryOf;
}

/**
 * Writes a memtable as chunks, saves its latest values and deletes its journal rows, in one
 * transaction. Returns the carried-over readings: chunks of a few readings would take ten times the
 * space, so that such series stay in memory, and go back into the journal under new ids.
 */
export function flush(
  storage: Transactions,
  job: FlushJob,
  limits: ReadingsLimits,
): Promise<SeriesBuffers> {
  const { memtable, blockPool, urgency, expiryOf, leaving = [] } = job;
  return storage.transaction(async (tx) => {
    const yielder = new Yielder(urgency);
    const carriedOver = new SeriesBuffers(blockPool, memtable.startedAt);
    const maxCarriedOver = leaving === 'ALL' ? 0 : memtableLimit(limits, memtable.seriesCount) / 4;
    const left = leaving === 'ALL' ? NONE : await seriesIn(tx, memtable, leaving);
    await writeChunks(tx, memtable, carriedOver, { limits, maxCarriedOver, left, yielder });
    await dropExpired(tx, carriedOver, expiryOf);
    await writeLatest(tx, memtable, yielder);
    await replaceJournal(tx, job, carriedOver, yielder);
    return carriedOver;
  });
}

const NONE: ReadonlySet<number> = new Set();

/** The series of a memtable whose Devices are in these partitions. */
async function seriesIn(
  tx: Transaction,
  memtable: Memtable,
  partitions: readonly number[],
): Promise<ReadonlySet<number>> {
  if (partitions.length === 0) return NONE;
  const found = new Set<number>();
  for (const seriesIds of inSlices(memtable.seriesIds(), SERIES_PER_STATEMENT)) {
    for (const seriesId of await listInPartitions(tx, seriesIds, partitions)) found.add(seriesId);
  }
  return found;
}

/** Deletes the journal rows of a memtable, and writes rows of the carried-over readings. */
async function replaceJournal(
  tx: Transaction,
  { memtable, writer, form }: FlushJob,
  carriedOver: SeriesBuffers,
  yielder: Yielder,
): Promise<void> {
  const range = carriedOverRange(writer, memtable.journalEnd);
  // Read before rows are deleted: an id that was used is not used again.
  const used = await findLastRow(tx, range);
  let id = used.id ?? range.from - 1;
  let commitOrder = used.commitOrder ?? 0;
  for (const each of memtable.journal.ranges()) {
    commitOrder = Math.max(commitOrder, await dropJournal(tx, each, yielder));
  }
  for (const data of journalRowsOf(carriedOver, form)) {
    id += 1;
    if (id > range.to) throw new Error('The ids between two commits are used up.');
    const { sql, params } = carriedOverStatement({ writer, id }, commitOrder, data);
    await tx.query(sql, params);
    await yielder.pause();
  }
}

async function writeChunks(
  tx: Transaction,
  memtable: Memtable,
  carriedOver: SeriesBuffers,
  options: {
    limits: ReadingsLimits;
    maxCarriedOver: number;
    left: ReadonlySet<number>;
    yielder: Yielder;
  },
): Promise<void> {
  const { limits, maxCarriedOver, left, yielder } = options;
  const { readingsPerChunk, minChunkReadings } = limits;
  const writeSeq = await nextWriteSeq(tx);
  const [arrivalRoom, sortRoom] = [sharedColumns(), sharedColumns()];
  let rows: ChunkRow[] = [];
  let rowBytes = 0;
  for (const seriesId of memtable.seriesIds()) {
    const arrived = memtable.arrived(seriesId, arrivalRoom);
    if (!arrived) continue;
    const sorted = await yielder.run(sortUnique(arrived, sortRoom));
    if (
      sorted.times.length < minChunkReadings &&
      !left.has(seriesId) &&
      carriedOver.bytes + bytesOf(sorted) <= maxCarriedOver
    ) {
      carriedOver.addColumns(seriesId, sorted);
      await yielder.step(sorted.times.length);
      continue;
    }
    for (const row of chunkRows(seriesId, sorted, readingsPerChunk)) {
      rows.push(row);
      rowBytes += row.data.length + (row.head?.length ?? 0);
      if (rows.length >= CHUNKS_PER_STATEMENT || rowBytes >= BYTES_PER_STATEMENT) {
        await insertChunks(tx, writeSeq, rows);
        rows = [];
        rowBytes = 0;
      }
      await yielder.step(row.count);
    }
  }
  if (rows.length > 0) await insertChunks(tx, writeSeq, rows);
}

function bytesOf({ times, kind, values }: Columns): number {
  const texts = kind === 'STRING' ? values.reduce((sum, text) => sum + 2 * text.length, 0) : 0;
  return 20 * times.length + texts;
}

/** Readings of deleted Variables, and those that have expired, would be carried over for ever. */
async function dropExpired(
  tx: Transaction,
  carriedOver: SeriesBuffers,
  expiryOf: ExpiryOf,
): Promise<void> {
  for (const seriesIds of inSlices(carriedOver.seriesIds(), SERIES_PER_STATEMENT)) {
    const known = new Map((await listKnown(tx, seriesIds)).map((each) => [each.seriesId, each]));
    for (const seriesId of seriesIds) {
      const series = known.get(seriesId);
      if (series) carriedOver.removeBefore(seriesId, expiryOf(series));
      else carriedOver.remove(seriesId);
    }
  }
}

async function writeLatest(tx: Transaction, memtable: Memtable, yielder: Yielder): Promise<void> {
  for (const seriesIds of inSlices(memtable.seriesIds(), SERIES_PER_STATEMENT)) {
    const rows: LatestRow[] = [];
    for (const seriesId of seriesIds) {
      const latest = memtable.latest(seriesId);
      if (latest) rows.push({ seriesId, ...latest });
    }
    if (rows.length > 0) await saveLatest(tx, rows);
    await yielder.pause();
  }
}

function* inSlices(seriesIds: Iterable<number>, length: number): Generator<number[]> {
  let slice: number[] = [];
  for (const seriesId of seriesIds) {
    slice.push(seriesId);
    if (slice.length < length) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

/** Deletes a range of rows. Returns their highest commit order, or 0. */
async function dropJournal(
  tx: Transaction,
  { writer, from, to }: JournalRange,
  yielder: Yielder,
): Promise<number> {
  let highest = 0;
  for (let next: number | null = from; next !== null && next <= to; ) {
    const { id, commitOrder } = await deleteJournal(
      tx,
      { writer, from: next, to },
      ROWS_PER_DELETE,
    );
    highest = Math.max(highest, commitOrder ?? 0);
    next = id === null ? null : id + 1;
    await yielder.pause();
  }
  return highest;
}

/** The carried-over readings as journal rows, each small enough not to delay other statements. */
function* journalRowsOf(carriedOver: SeriesBuffers, form: RowForm): Generator<Buffer> {
  let all = 0;
  for (const seriesId of carriedOver.seriesIds()) all += carriedOver.countOf(seriesId);
  const readingsPerRow = Math.max(READINGS_PER_ROW, Math.ceil(all / MAX_CARRIED_OVER_ROWS));
  let seriesIds: number[] = [];
  let count = 0;
  for (const seriesId of carriedOver.seriesIds()) {
    seriesIds.push(seriesId);
    count += carriedOver.countOf(seriesId);
    if (count < readingsPerRow) continue;
    yield seriesRow(count, carriedOverColumns(carriedOver, seriesIds), form);
    seriesIds = [];
    count = 0;
  }
  if (count > 0) yield seriesRow(count, carriedOverColumns(carriedOver, seriesIds), form);
}

function* carriedOverColumns(
  carriedOver: SeriesBuffers,
  seriesIds: readonly number[],
): Generator<SeriesColumns> {
  const make = sharedColumns();
  for (const seriesId of seriesIds) {
    const count = carriedOver.countOf(seriesId);
    const columns = make(carriedOver.kindOf(seriesId), count);
    carriedOver.read(seriesId, ALL_TIMES, columns, 0, count);
    yield { seriesId, columns };
  }
}
