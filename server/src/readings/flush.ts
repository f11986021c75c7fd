import { type Urgency, Yielder } from '../runtime/index.ts';
import type { Transaction, Transactions } from '../storage/index.ts';
import { type ChunkRow, chunkRows, insertChunks, nextWrite } from './chunks/index.ts';
import { type Columns, settling, sharedColumns } from './columns/index.ts';
import {
  createJournalRow,
  deleteJournal,
  type JournalPlace,
  journalStatement,
  markOf,
} from './journal/index.ts';
import { type ReadingsLimits, tailLid } from './limits.ts';
import { type Generation, type SpareBlocks, Tails } from './memtable/index.ts';
import { type LatestRow, listKnown, saveLatest } from './store.ts';

const CHUNKS_A_STATEMENT = 256;
/** Long texts make large chunks. */
const BYTES_A_STATEMENT = 256 * 1024;
const LATEST_A_STATEMENT = 250;
/** Of the journal, of what is carried on. */
const READINGS_A_ROW = 4_096;
const ROWS_A_DELETE = 128;

export interface Sealing {
  readonly generation: Generation;
  readonly writer: number;
  readonly spare: SpareBlocks;
  readonly urgency: Urgency;
}

/**
 * Turns a generation into chunks, saves the latest values, and deletes the journal it covers: all
 * or nothing. Answers what was too little for a chunk: a few readings a chunk would take ten times
 * the room, so these go back into the journal, in the place of what they came from.
 */
export function seal(
  storage: Transactions,
  sealing: Sealing,
  limits: ReadingsLimits,
): Promise<Tails> {
  const { generation, writer, spare, urgency } = sealing;
  return storage.transaction(async (tx) => {
    const yielder = new Yielder(urgency);
    const carried = new Tails(spare);
    await writeChunks(tx, generation, carried, { limits, yielder });
    await dropUnknown(tx, carried);
    await writeLatest(tx, generation, yielder);
    for (const [each, upTo] of generation.marks) await dropJournal(tx, each, upTo, yielder);
    // Older than all that came since, so its places are before theirs.
    let id = generation.marks.get(writer) ?? 0;
    for (const data of journalRowsOf(carried)) {
      const { sql, params } = journalStatement({ writer, id }, data);
      await tx.query(sql, params);
      id -= 1;
      await yielder.pause();
    }
    return carried;
  });
}

async function writeChunks(
  tx: Transaction,
  generation: Generation,
  carried: Tails,
  { limits, yielder }: { limits: ReadingsLimits; yielder: Yielder },
): Promise<void> {
  const { chunkReadings, carryBelow } = limits;
  const mostCarried = tailLid(limits, generation.variables) / 4;
  const written = await nextWrite(tx);
  const [asCame, inOrder] = [sharedColumns(), sharedColumns()];
  let rows: ChunkRow[] = [];
  let rowBytes = 0;
  for (const seriesId of generation.seriesIds()) {
    const came = generation.came(seriesId, asCame);
    if (!came) continue;
    const tail = await yielder.run(settling(came, inOrder));
    if (tail.times.length < carryBelow && carried.bytes + bytesOf(tail) <= mostCarried) {
      carried.addColumns(seriesId, tail);
      await yielder.step(tail.times.length);
      continue;
    }
    for (const row of chunkRows(seriesId, tail, chunkReadings)) {
      rows.push(row);
      rowBytes += row.data.length;
      if (rows.length >= CHUNKS_A_STATEMENT || rowBytes >= BYTES_A_STATEMENT) {
        await insertChunks(tx, written, rows);
        rows = [];
        rowBytes = 0;
      }
      await yielder.step(row.count);
    }
  }
  if (rows.length > 0) await insertChunks(tx, written, rows);
}

function bytesOf({ times, kind, values }: Columns): number {
  const texts = kind === 'STRING' ? values.reduce((sum, text) => sum + 2 * text.length, 0) : 0;
  return 20 * times.length + texts;
}

/** Those of deleted Variables would be carried on for ever. */
async function dropUnknown(tx: Transaction, carried: Tails): Promise<void> {
  for (const seriesIds of inSlices(carried.seriesIds(), LATEST_A_STATEMENT)) {
    const known = new Set(await listKnown(tx, seriesIds));
    for (const seriesId of seriesIds) if (!known.has(seriesId)) carried.remove(seriesId);
  }
}

async function writeLatest(
  tx: Transaction,
  generation: Generation,
  yielder: Yielder,
): Promise<void> {
  for (const seriesIds of inSlices(generation.seriesIds(), LATEST_A_STATEMENT)) {
    const rows: LatestRow[] = [];
    for (const seriesId of seriesIds) {
      const latest = generation.latest(seriesId);
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
  let place: JournalPlace | undefined = { writer, id: -Number.MAX_SAFE_INTEGER };
  while (place) {
    place = await deleteJournal(tx, place, upTo, ROWS_A_DELETE);
    await yielder.pause();
  }
}

/** Rows of the journal of all that is carried on: none is so large that others wait for it. */
function* journalRowsOf(carried: Tails): Generator<Buffer> {
  let seriesIds: number[] = [];
  let count = 0;
  for (const seriesId of carried.seriesIds()) {
    seriesIds.push(seriesId);
    count += carried.countOf(seriesId);
    if (count < READINGS_A_ROW) continue;
    yield journalRowOf(carried, seriesIds, count);
    seriesIds = [];
    count = 0;
  }
  if (count > 0) yield journalRowOf(carried, seriesIds, count);
}

function journalRowOf(carried: Tails, seriesIds: readonly number[], count: number): Buffer {
  const { columns, placeOf, finish } = createJournalRow(count);
  const make = sharedColumns();
  let at = 0;
  for (const seriesId of seriesIds) {
    const room = make(carried.kindOf(seriesId), carried.countOf(seriesId));
    const { kind, times, values } = carried.read(seriesId, room);
    const end = at + times.length;
    columns.times.set(times, at);
    if (kind === 'STRING') columns.values.set(values.map(placeOf), at);
    else columns.values.set(values, at);
    columns.seriesIds.fill(seriesId, at, end);
    columns.marks.fill(markOf(kind, true), at, end);
    at = end;
  }
  return finish();
}
