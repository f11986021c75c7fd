import { Yielder } from '../../runtime/index.ts';
import type { Queries, Transactions } from '../../storage/index.ts';
import {
  type ChunkRow,
  chunkRows,
  insertChunks,
  listPiecesOf,
  type Piece,
  type PieceList,
  readChunks,
} from '../chunks/index.ts';
import { type Columns, merged, settling } from '../columns/index.ts';
import { decodeChunk } from '../slices/index.ts';
import { Front } from './merge-cursor.ts';
import { nextStep } from './merge-step.ts';
import { groupsOf, overlapRanges } from './overlaps.ts';
import { neighbourRuns } from './small-chunks.ts';
import { deleteChunks, listSizedPieces, type SizedPiece } from './store.ts';

export interface Folding {
  readonly storage: Transactions;
  /** Of the Variable. */
  readonly seriesId: number;
  /** Readings in a chunk, at most. */
  readonly chunkReadings: number;
}

const EVER = { from: -Number.MAX_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };
/** In one transaction. */
const ROWS_AT_ONCE = 64;
const BYTES_AT_ONCE = 4 * 1024 * 1024;

/**
 * Folds all there is to fold of a Variable, of which these chunks were found, a transaction at a
 * time, each of which leaves the same readings. Answers after each how many were written. Overlaps go first; where nothing overlaps,
 * neighbours with few readings are joined. Fails when chunks are changed meanwhile.
 */
export async function* folds(folding: Folding, found: PieceList): AsyncGenerator<number> {
  const { storage, seriesId } = folding;
  for (let pieces: PieceList | undefined = found; pieces; ) {
    let isDone = true;
    for await (const readings of pass(folding, pieces)) {
      isDone = false;
      yield readings;
    }
    if (isDone) return;
    pieces = (await listAllPieces(storage, [seriesId])).get(seriesId);
  }
}

/** All chunks of each Variable. */
export function listAllPieces(
  storage: Queries,
  seriesIds: readonly number[],
): Promise<Map<number, PieceList>> {
  return listPiecesOf(storage, seriesIds, EVER);
}

async function* pass(folding: Folding, pieces: PieceList): AsyncGenerator<number> {
  const { storage, seriesId } = folding;
  let hasOverlaps = false;
  for (const range of overlapRanges(pieces)) {
    hasOverlaps = true;
    const overlapping = await listSizedPieces(storage, seriesId, range);
    for (const group of groupsOf(overlapping)) yield* sweep(folding, group);
  }
  if (!hasOverlaps) yield* join(folding, pieces);
}

/**
 * One walk through time over chunks of one group. What is behind is written anew; a chunk that
 * reaches further stays as it is until the walk has passed it, so that nothing is missing in between.
 */
async function* sweep(folding: Folding, pieces: readonly SizedPiece[]): AsyncGenerator<number> {
  const { seriesId, chunkReadings } = folding;
  const written = pieces.reduce((most, piece) => Math.max(most, piece.written), 0);
  const front = new Front();
  const yielder = new Yielder();
  let rows: ChunkRow[] = [];
  let replaced: SizedPiece[] = [];
  for (let next = 0; next < pieces.length || front.isOpen; ) {
    const step = nextStep(pieces, next, front);
    next = step.next;
    const layers = await load(folding, step.pieces);
    for (const [index, piece] of step.pieces.entries()) front.open(piece, layers[index] as Columns);
    const behind = front.takeBefore(step.before);
    if (behind) front.add(await yielder.run(settling(behind)));
    for (const row of front.rows(seriesId, chunkReadings, step.isBorder)) {
      rows.push(row);
      await yielder.step(row.count);
    }
    replaced.push(...front.takeReplaced());
    if (rows.length < ROWS_AT_ONCE && bytesOf(rows) < BYTES_AT_ONCE) continue;
    yield await replace(folding, replaced, rows, written);
    [rows, replaced] = [[], []];
  }
  if (rows.length > 0) yield await replace(folding, replaced, rows, written);
}

async function* join(folding: Folding, pieces: PieceList): AsyncGenerator<number> {
  const { seriesId, chunkReadings } = folding;
  for (const { start, end } of neighbourRuns(pieces, chunkReadings)) {
    const length = end - start;
    const run = Array.from({ length }, (_, index) => pieces.pieceAt(start + index));
    const layers = await load(folding, run);
    const written = run.reduce((most, piece) => Math.max(most, piece.written), 0);
    const columns = merged(layers[0]?.kind ?? 'NUMBER', layers);
    yield await replace(folding, run, [...chunkRows(seriesId, columns, chunkReadings)], written);
  }
}

async function load({ storage, seriesId }: Folding, pieces: readonly Piece[]): Promise<Columns[]> {
  if (pieces.length === 0) return [];
  const seriesIds = pieces.map(() => seriesId);
  const data = await readChunks(storage, seriesIds, pieces);
  return pieces.map((piece, index) => decodeChunk(seriesId, piece, data[index]));
}

async function replace(
  { storage, seriesId }: Folding,
  pieces: readonly Piece[],
  rows: readonly ChunkRow[],
  written: number,
): Promise<number> {
  await storage.transaction(async (tx) => {
    await deleteChunks(tx, seriesId, pieces);
    await insertChunks(tx, written, rows);
  });
  return rows.reduce((sum, { count }) => sum + count, 0);
}

function bytesOf(rows: readonly ChunkRow[]): number {
  return rows.reduce((sum, { data }) => sum + data.length, 0);
}
