import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Storage, Transaction } from '../storage/index.ts';
import { type ChunkRow, chunkRows } from './chunk-row.ts';
import type { Columns } from './codec/index.ts';
import { valueAt } from './columns.ts';
import type { Generation } from './generation.ts';
import type { JournalReading } from './journal-reading.ts';
import { encodeJournalRow } from './journal-row.ts';
import type { ReadingsLimits } from './limits.ts';
import {
  deleteJournal,
  insertChunks,
  insertJournalRow,
  type LatestRow,
  listKnown,
  nextWrite,
  saveLatest,
} from './store.ts';

const CHUNKS_A_STATEMENT = 128;
/** Long texts make large chunks. */
const BYTES_A_STATEMENT = 4 * 1024 * 1024;
const LATEST_A_STATEMENT = 2_000;

type Carried = Map<number, Columns>;

/**
 * Turns a generation into chunks, saves the latest values, and deletes the journal it covers: all
 * or nothing. Answers what was too little for a chunk: a few readings a chunk would take ten times
 * the room, so these go back into the journal, in the place of what they came from.
 */
export function seal(
  storage: Storage,
  { generation, writer }: { readonly generation: Generation; readonly writer: number },
  limits: ReadingsLimits,
): Promise<ReadonlyMap<number, Columns>> {
  return storage.transaction(async (tx) => {
    const carried = await writeChunks(tx, generation, limits);
    const known = new Set(await listKnown(tx, [...carried.keys()]));
    // Those of deleted Variables would be carried on for ever.
    for (const number of carried.keys()) if (!known.has(number)) carried.delete(number);
    await writeLatest(tx, generation);
    for (const [each, id] of generation.marks) await deleteJournal(tx, { writer: each, id });
    if (carried.size > 0) {
      const readings = [...carriedReadings(carried)];
      // Older than all that came since, so its place is before theirs.
      const row = encodeJournalRow(readings, readings.length);
      await insertJournalRow(tx, { writer, id: generation.marks.get(writer) ?? 0 }, row);
    }
    return carried;
  });
}

async function writeChunks(
  tx: Transaction,
  generation: Generation,
  { chunkReadings, carryBelow, tailBytes }: ReadingsLimits,
): Promise<Carried> {
  const carried: Carried = new Map();
  let carriedBytes = 0;
  let rows: ChunkRow[] = [];
  let rowBytes = 0;
  const written = await nextWrite(tx);
  for (const number of generation.numbers()) {
    const tail = generation.tail(number);
    if (!tail) continue;
    const bytes = bytesOf(tail);
    if (tail.times.length < carryBelow && carriedBytes + bytes <= tailBytes / 4) {
      carried.set(number, tail);
      carriedBytes += bytes;
      if (carried.size % LATEST_A_STATEMENT === 0) await nextTurn();
      continue;
    }
    for (const row of chunkRows(number, tail, chunkReadings)) {
      rows.push(row);
      rowBytes += row.data.length;
      if (rows.length < CHUNKS_A_STATEMENT && rowBytes < BYTES_A_STATEMENT) continue;
      await insertChunks(tx, written, rows);
      rows = [];
      rowBytes = 0;
    }
  }
  if (rows.length > 0) await insertChunks(tx, written, rows);
  return carried;
}

function bytesOf({ times, kind, values }: Columns): number {
  const texts = kind === 'STRING' ? values.reduce((sum, text) => sum + 2 * text.length, 0) : 0;
  return 20 * times.length + texts;
}

async function writeLatest(tx: Transaction, generation: Generation): Promise<void> {
  let rows: LatestRow[] = [];
  for (const number of generation.numbers()) {
    const latest = generation.latest(number);
    if (latest) rows.push({ number, ...latest });
    if (rows.length < LATEST_A_STATEMENT) continue;
    await saveLatest(tx, rows);
    rows = [];
  }
  if (rows.length > 0) await saveLatest(tx, rows);
}

function* carriedReadings(carried: Carried): Generator<JournalReading> {
  for (const [number, columns] of carried) {
    const { kind, times } = columns;
    for (let index = 0; index < times.length; index += 1) {
      const at = times[index] as number;
      yield { number, kind, isHistory: true, at, value: valueAt(columns, index) };
    }
  }
}
