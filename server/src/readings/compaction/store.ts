import { type Queries, run, type Sql, sql, type Transaction } from '../../storage/index.ts';
import type { Piece } from '../chunks/index.ts';
import type { Range } from '../reading.ts';

/** A stored chunk by its place among the others, and how large it is. */
export interface SizedPiece extends Piece {
  /** As stored. */
  readonly bytes: number;
}

/** The chunks that touch a range, in the order of their beginnings. */
export function listSizedPieces(
  db: Queries,
  seriesId: number,
  { from, to }: Range,
): Promise<SizedPiece[]> {
  return run(
    db,
    sql`select first_at as "firstAt", last_at as "lastAt", written, count, minimum as min,
          maximum as max, total as sum, first_value as first, last_value as last,
          octet_length(data) as bytes
        from chunks where variable_number = ${seriesId} and last_at >= ${from} and first_at <= ${to}
        order by first_at, written`,
  );
}

/** Deletes chunks. Fails when one of them is gone already. */
export async function deleteChunks(
  tx: Transaction,
  seriesId: number,
  pieces: readonly Piece[],
): Promise<void> {
  if (pieces.length === 0) return;
  const ends = pieces.map(({ lastAt }) => lastAt);
  // Says the ends twice: the second time in the form that always leads through the index.
  const rows = await run(
    tx,
    sql`delete from chunks using unnest(${ends}::bigint[],
          ${pieces.map(({ firstAt }) => firstAt)}::bigint[],
          ${pieces.map(({ written }) => written)}::bigint[]) as asked (last_at, first_at, written)
        where chunks.variable_number = ${seriesId} and chunks.last_at = asked.last_at
          and chunks.first_at = asked.first_at and chunks.written = asked.written
          and chunks.last_at = any(${ends}::bigint[])
        returning 1`,
  );
  if (rows.length < pieces.length) {
    throw new Error(`Chunks of Variable ${seriesId} were changed while they were folded.`);
  }
}

/** The next series, by id, that have chunks. One walk down the index for each. */
export async function nextVariables(db: Queries, after: number, most: number): Promise<number[]> {
  const next = (than: Sql) => sql`(select variable_number from chunks
    where variable_number > ${than} order by variable_number limit 1)`;
  const rows = await run<{ seriesId: number }>(
    db,
    sql`with recursive walk (series_id) as (
          select ${next(sql`${after}`)}
          union all
          select ${next(sql`walk.series_id`)} from walk where walk.series_id is not null)
        select series_id as "seriesId" from walk where series_id is not null limit ${most}`,
  );
  return rows.map(({ seriesId }) => seriesId);
}
