import { type Queries, run, type Sql, sql, type Transaction } from '../../storage/index.ts';
import type { ChunkMeta } from '../chunks/index.ts';
import type { Range } from '../reading.ts';

/** A chunk meta with the size of the chunk. */
export interface SizedChunkMeta extends ChunkMeta {
  /** The size as stored. */
  readonly bytes: number;
}

/** The chunks that overlap a range, ordered by first time, then by writeSeq. */
export function listSizedChunkMetas(
  db: Queries,
  seriesId: number,
  { from, to }: Range,
): Promise<SizedChunkMeta[]> {
  return run(
    db,
    sql`select first_at as "firstAt", last_at as "lastAt", written as "writeSeq", count, minimum as min,
          maximum as max, total as sum, first_value as first, last_value as last,
          octet_length(data) + coalesce(octet_length(head), 0) as bytes
        from chunks where variable_number = ${seriesId} and last_at >= ${from} and first_at <= ${to}
        order by first_at, written`,
  );
}

/** Deletes chunks. Throws when one of them no longer exists. */
export async function deleteChunks(
  tx: Transaction,
  seriesId: number,
  metas: readonly ChunkMeta[],
): Promise<void> {
  if (metas.length === 0) return;
  const ends = metas.map(({ lastAt }) => lastAt);
  // The second condition on the ends is redundant, and makes the planner use the index.
  const rows = await run(
    tx,
    sql`delete from chunks using unnest(${ends}::bigint[],
          ${metas.map(({ firstAt }) => firstAt)}::bigint[],
          ${metas.map(({ writeSeq }) => writeSeq)}::bigint[]) as asked (last_at, first_at, written)
        where chunks.variable_number = ${seriesId} and chunks.last_at = asked.last_at
          and chunks.first_at = asked.first_at and chunks.written = asked.written
          and chunks.last_at = any(${ends}::bigint[])
        returning 1`,
  );
  if (rows.length < metas.length) {
    throw new Error(`Chunks of Variable ${seriesId} were changed during compaction.`);
  }
}

/** The next series, by id, that have chunks, with one index lookup for each. */
export async function nextSeriesIds(db: Queries, after: number, most: number): Promise<number[]> {
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

/** Makes the space of replaced chunks free for new ones, unless a vacuum is in progress already. */
export async function vacuumChunks(db: Queries): Promise<void> {
  await run(db, sql`vacuum (skip_locked, truncate false) chunks`);
}
