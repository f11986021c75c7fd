import { type Queries, sql } from '../../storage/index.ts';
import { arrayLiteral, type ChunkMeta, readPacked } from '../chunks/index.ts';
import type { DataPart } from '../codec/index.ts';

/** A part of the data of a stored chunk. */
export interface ChunkPart extends DataPart {
  readonly seriesId: number;
  readonly meta: ChunkMeta;
}

/** Parts of chunks in the order of the request; undefined for chunks that no longer exist. */
export function readChunkParts(
  db: Queries,
  parts: readonly ChunkPart[],
): Promise<(Buffer | undefined)[]> {
  const column = (of: (part: ChunkPart) => number) => arrayLiteral(parts.map(of));
  const found = sql`(select asked.ordinal, found.data
        from unnest(${column(({ seriesId }) => seriesId)}::bigint[],
          ${column(({ meta }) => meta.lastAt)}::bigint[],
          ${column(({ meta }) => meta.firstAt)}::bigint[],
          ${column(({ meta }) => meta.writeSeq)}::bigint[],
          ${column(({ offset }) => offset + 1)}::integer[],
          ${column(({ length }) => length)}::integer[])
          with ordinality as asked (series_id, last_at, first_at, written, start, length, ordinal)
        cross join lateral (select substring(data from asked.start for asked.length) as data
          from chunks where chunks.variable_number = asked.series_id
          and chunks.last_at = asked.last_at and chunks.first_at = asked.first_at
          and chunks.written = asked.written limit 1) as found) as chunks`;
  return readPacked(db, found, parts.length);
}
