import { Yielder } from '../../runtime/index.ts';
import type { Queries, Transactions } from '../../storage/index.ts';
import {
  type ChunkMeta,
  type ChunkMetaList,
  type ChunkRow,
  chunkRows,
  findFlushHorizon,
  insertChunks,
  listChunkMetas,
  readChunks,
} from '../chunks/index.ts';
import { type Columns, merged, sortUnique, within } from '../columns/index.ts';
import { decodeChunk } from '../slices/index.ts';
import { expiringChunk } from './expiring-chunk.ts';
import { MergeCursor } from './merge-cursor.ts';
import { nextStep } from './merge-step.ts';
import { mergeGroups, overlapRanges } from './overlaps.ts';
import { smallChunkRuns } from './small-chunks.ts';
import { deleteChunks, listSizedChunkMetas, type SizedChunkMeta } from './store.ts';

export interface SeriesCompaction {
  readonly storage: Transactions;
  readonly seriesId: number;
  /** The maximum number of readings in a chunk of this series. */
  readonly readingsPerChunk: number;
  /** The time before which readings are kept no longer; -Infinity where they all are. */
  readonly keptFrom: number;
}

const EVER = { from: -Number.MAX_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };
/** Limits of one transaction. */
const ROWS_PER_TRANSACTION = 64;
const BYTES_PER_TRANSACTION = 4 * 1024 * 1024;

/**
 * Compacts a series in transactions of which each leaves every query result unchanged, except that
 * expired readings disappear, and yields after each how many readings it wrote. Overlapping chunks are
 * merged first; once none overlap, the one in which history ends is trimmed, and small neighbours are
 * merged. Throws when another transaction changed the chunks meanwhile.
 */
export async function* compactSeries(
  compaction: SeriesCompaction,
  found: ChunkMetaList,
): AsyncGenerator<number> {
  const { storage, seriesId } = compaction;
  for (let metas: ChunkMetaList | undefined = found; metas; ) {
    let isDone = true;
    for await (const readings of compactOnce(compaction, metas)) {
      isDone = false;
      yield readings;
    }
    if (isDone) return;
    metas = (await listCompactable(storage, [seriesId])).get(seriesId);
  }
}

/**
 * The metas of all chunks of each series. A series is left out while a flush is in progress whose
 * chunks may belong between them.
 */
export async function listCompactable(
  storage: Queries,
  seriesIds: readonly number[],
): Promise<Map<number, ChunkMetaList>> {
  const horizon = await findFlushHorizon(storage);
  const all = await listChunkMetas(storage, seriesIds, EVER);
  return new Map([...all].filter(([, metas]) => metas.highestWriteSeq() < horizon));
}

async function* compactOnce(
  compaction: SeriesCompaction,
  metas: ChunkMetaList,
): AsyncGenerator<number> {
  const { storage, seriesId } = compaction;
  let hasOverlaps = false;
  for (const range of overlapRanges(metas)) {
    hasOverlaps = true;
    const horizon = await findFlushHorizon(storage);
    const overlapping = await listSizedChunkMetas(storage, seriesId, range);
    if (overlapping.some(({ writeSeq }) => writeSeq >= horizon)) continue;
    for (const group of mergeGroups(overlapping)) yield* mergeOverlaps(compaction, group);
  }
  if (hasOverlaps) return;
  const expiring = expiringChunk(metas, compaction.keptFrom);
  if (expiring) yield await trim(compaction, expiring);
  else yield* mergeSmallChunks(compaction, metas);
}

/** Replaces a chunk by one without its expired readings. Its last reading has not expired. */
async function trim(compaction: SeriesCompaction, meta: ChunkMeta): Promise<number> {
  const { seriesId, readingsPerChunk, keptFrom } = compaction;
  const runs = await load(compaction, [meta]);
  const kept = within(runs[0] as Columns, keptFrom, Infinity);
  const rows = [...chunkRows(seriesId, kept, readingsPerChunk)];
  return await replace(compaction, [meta], rows, meta.writeSeq);
}

/**
 * Merges the chunks of one group in one pass over time. A source that extends beyond the cursor
 * stays unchanged until all of its readings are rewritten, and is deleted in the transaction that
 * writes the last of them: after a kill between two transactions nothing is missing.
 */
async function* mergeOverlaps(
  compaction: SeriesCompaction,
  metas: readonly SizedChunkMeta[],
): AsyncGenerator<number> {
  const { seriesId, readingsPerChunk } = compaction;
  const writeSeq = metas.reduce((most, meta) => Math.max(most, meta.writeSeq), 0);
  const cursor = new MergeCursor();
  const yielder = new Yielder();
  let rows: ChunkRow[] = [];
  let replaced: SizedChunkMeta[] = [];
  for (let next = 0; next < metas.length || cursor.isOpen; ) {
    const step = nextStep(metas, next, cursor);
    next = step.next;
    const runs = await load(compaction, step.metas);
    for (const [index, meta] of step.metas.entries()) cursor.open(meta, runs[index] as Columns);
    const passed = cursor.takeBefore(step.before);
    if (passed) cursor.add(await yielder.run(sortUnique(passed)));
    for (const row of cursor.rows(seriesId, readingsPerChunk, step.isBorder)) {
      rows.push(row);
      await yielder.step(row.count);
    }
    replaced.push(...cursor.takeReplaced());
    if (rows.length < ROWS_PER_TRANSACTION && bytesOf(rows) < BYTES_PER_TRANSACTION) continue;
    yield await replace(compaction, replaced, rows, writeSeq);
    [rows, replaced] = [[], []];
  }
  if (rows.length > 0) yield await replace(compaction, replaced, rows, writeSeq);
}

async function* mergeSmallChunks(
  compaction: SeriesCompaction,
  metas: ChunkMetaList,
): AsyncGenerator<number> {
  const { seriesId, readingsPerChunk } = compaction;
  for (const { start, end } of smallChunkRuns(metas, readingsPerChunk)) {
    const length = end - start;
    const run = Array.from({ length }, (_, index) => metas.metaAt(start + index));
    const runs = await load(compaction, run);
    const writeSeq = run.reduce((most, meta) => Math.max(most, meta.writeSeq), 0);
    const columns = merged(runs[0]?.kind ?? 'NUMBER', runs);
    const rows = [...chunkRows(seriesId, columns, readingsPerChunk)];
    // Readings that do not get denser would otherwise be written again in every cycle.
    if (rows.length < length) yield await replace(compaction, run, rows, writeSeq);
  }
}

async function load(
  { storage, seriesId }: SeriesCompaction,
  metas: readonly ChunkMeta[],
): Promise<Columns[]> {
  if (metas.length === 0) return [];
  const seriesIds = metas.map(() => seriesId);
  const data = await readChunks(storage, seriesIds, metas);
  return metas.map((meta, index) => decodeChunk(seriesId, meta, data[index]));
}

async function replace(
  { storage, seriesId }: SeriesCompaction,
  metas: readonly ChunkMeta[],
  rows: readonly ChunkRow[],
  writeSeq: number,
): Promise<number> {
  await storage.transaction(async (tx) => {
    await deleteChunks(tx, seriesId, metas);
    await insertChunks(tx, writeSeq, rows);
  });
  return rows.reduce((sum, { count }) => sum + count, 0);
}

function bytesOf(rows: readonly ChunkRow[]): number {
  return rows.reduce((sum, { head, data }) => sum + (head?.length ?? 0) + data.length, 0);
}
