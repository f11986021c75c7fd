import { type Urgency, Yielder } from '../runtime/index.ts';
import type { Transaction, Transactions } from '../storage/index.ts';
import { type ChunkRow, chunkRows, insertChunks, nextWriteSeq } from './chunks/index.ts';
import { type Columns, sharedColumns, sortUnique } from './columns/index.ts';
import {
  createJournalRow,
  deleteJournal,
  type JournalPosition,
  journalStatement,
  tagOf,
} from './journal/index.ts';
import { memtableLimit, type ReadingsLimits } from './limits.ts';
import { type BlockPool, type Memtable, SeriesBuffers } from './memtable/index.ts';
import { type LatestRow, listKnown, saveLatest } from './store.ts';

const CHUNKS_PER_STATEMENT = 256;
/** A second limit, because chunks of long texts are large. */
const BYTES_PER_STATEMENT = 256 * 1024;
const LATEST_PER_STATEMENT = 250;
/** Readings in one journal row of carried-over series. */
const READINGS_PER_ROW = 4_096;
const ROWS_PER_DELETE = 128;

export interface FlushJob {
  readonly memtable: Memtable;
  readonly writer: number;
  readonly blockPool: BlockPool;
  readonly urgency: Urgency;
}

/**
 * Writes a memtable as chunks, saves its latest values and deletes its journal rows, in one
 * transaction. Returns the carried-over readings: chunks of a few readings would take ten times the
 * space, so that such series stay in memory, and go back into the journal at positions that this
 * transaction freed.
 */
export function flush(
  storage: Transactions,
  job: FlushJob,
  limits: ReadingsLimits,
): Promise<SeriesBuffers> {
  const { memtable, writer, blockPool, urgency } = job;
  return storage.transaction(async (tx) => {
    const yielder = new Yielder(urgency);
    const carriedOver = new SeriesBuffers(blockPool);
    await writeChunks(tx, memtable, carriedOver, { limits, yielder });
    await dropDeleted(tx, carriedOver);
    await writeLatest(tx, memtable, yielder);
    for (const [each, upTo] of memtable.journalEnds) await dropJournal(tx, each, upTo, yielder);
    // Carried-over readings are older than all that arrived since: their ids go down from the end.
    let id = memtable.journalEnds.get(writer) ?? 0;
    for (const data of journalRowsOf(carriedOver)) {
      const { sql, params } = journalStatement({ writer, id }, data);
      await tx.query(sql, params);
      id -= 1;
      await yielder.pause();
    }
    return carriedOver;
  });
}

async function writeChunks(
  tx: Transaction,
  memtable: Memtable,
  carriedOver: SeriesBuffers,
  { limits, yielder }: { limits: ReadingsLimits; yielder: Yielder },
): Promise<void> {
  const { readingsPerChunk, minChunkReadings } = limits;
  const maxCarriedOver = memtableLimit(limits, memtable.seriesCount) / 4;
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
      carriedOver.bytes + bytesOf(sorted) <= maxCarriedOver
    ) {
      carriedOver.addColumns(seriesId, sorted);
      await yielder.step(sorted.times.length);
      continue;
    }
    for (const row of chunkRows(seriesId, sorted, readingsPerChunk)) {
      rows.push(row);
      rowBytes += row.data.length;
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

/** Readings of deleted Variables would be carried over for ever. */
async function dropDeleted(tx: Transaction, carriedOver: SeriesBuffers): Promise<void> {
  for (const seriesIds of inSlices(carriedOver.seriesIds(), LATEST_PER_STATEMENT)) {
    const existing = new Set(await listKnown(tx, seriesIds));
    for (const seriesId of seriesIds) if (!existing.has(seriesId)) carriedOver.remove(seriesId);
  }
}

async function writeLatest(tx: Transaction, memtable: Memtable, yielder: Yielder): Promise<void> {
  for (const seriesIds of inSlices(memtable.seriesIds(), LATEST_PER_STATEMENT)) {
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

async function dropJournal(
  tx: Transaction,
  writer: number,
  upTo: number,
  yielder: Yielder,
): Promise<void> {
  let position: JournalPosition | undefined = { writer, id: -Number.MAX_SAFE_INTEGER };
  while (position) {
    position = await deleteJournal(tx, position, upTo, ROWS_PER_DELETE);
    await yielder.pause();
  }
}

/** The carried-over readings as journal rows, each small enough not to delay other statements. */
function* journalRowsOf(carriedOver: SeriesBuffers): Generator<Buffer> {
  let seriesIds: number[] = [];
  let count = 0;
  for (const seriesId of carriedOver.seriesIds()) {
    seriesIds.push(seriesId);
    count += carriedOver.countOf(seriesId);
    if (count < READINGS_PER_ROW) continue;
    yield journalRowOf(carriedOver, seriesIds, count);
    seriesIds = [];
    count = 0;
  }
  if (count > 0) yield journalRowOf(carriedOver, seriesIds, count);
}

function journalRowOf(
  carriedOver: SeriesBuffers,
  seriesIds: readonly number[],
  count: number,
): Buffer {
  const { columns, indexOf: placeOf, finish } = createJournalRow(count);
  const make = sharedColumns();
  let at = 0;
  for (const seriesId of seriesIds) {
    const room = make(carriedOver.kindOf(seriesId), carriedOver.countOf(seriesId));
    const { kind, times, values } = carriedOver.read(seriesId, room);
    const end = at + times.length;
    columns.times.set(times, at);
    if (kind === 'STRING') columns.values.set(values.map(placeOf), at);
    else columns.values.set(values, at);
    columns.seriesIds.fill(seriesId, at, end);
    columns.tags.fill(tagOf(kind, true), at, end);
    at = end;
  }
  return finish();
}
