import { type Queries, run, type Sql, sql, type Transaction } from '../../storage/index.ts';
import type { Range } from '../reading.ts';
import { PieceList } from './chunk-meta-list.ts';
import type { ChunkRow, Piece } from './chunk-row.ts';
import { unpackChunks } from './packed-chunks.ts';

/**
 * Which chunks of numbers come with their bytes when they are listed: those across the border of
 * two parts of the range that are each so long, at most so many of each Variable that end within the
 * range, the earliest ones. A guess of what will be needed, which saves asking again; what it misses
 * is read later.
 */
export interface BytesWish {
  readonly partMs: number;
  readonly most: number;
}

/** As the length of parts: every chunk. */
export const ALL_BYTES = 0;

/**
 * What is known of the chunks that touch a range, by series. They come
 * packed: a row each would take longer to read than the chunks that a chart needs.
 */
export async function listPiecesOf(
  db: Queries,
  seriesIds: readonly number[],
  range: Range,
  wish?: BytesWish,
): Promise<Map<number, PieceList>> {
  const packed = sql`(select string_agg(int8send(first_at) || int8send(last_at)
      || int8send(written) || int4send(count) || float8send(coalesce(minimum, 'NaN'))
      || float8send(coalesce(maximum, 'NaN')) || float8send(coalesce(total, 'NaN'))
      || float8send(coalesce(first_value, 'NaN')) || float8send(coalesce(last_value, 'NaN'))
      || ${bytesOf(range, wish)}, '') as packed
    from chunks where ${touches(range)})`;
  const rows = await run<PackedPart & { seriesId: number }>(
    db,
    sql`select asked.series_id as "seriesId", ${PART} from unnest(${seriesIds}::bigint[]) as asked (series_id)
        cross join lateral ${packed} as whole cross join lateral ${PARTS}`,
  );
  return new Map(
    seriesIds.map((seriesId) => {
      const parts = rows.filter((row) => row.seriesId === seriesId);
      return [seriesId, new PieceList(joined(parts))];
    }),
  );
}

function touches({ from, to }: Range): Sql {
  return sql`variable_number = asked.series_id and last_at >= ${from} and first_at <= ${to}`;
}

/** The length and the bytes of a chunk, or a length of 0. */
function bytesOf(range: Range, wish: BytesWish | undefined): Sql {
  if (!wish) return sql`int4send(0)`;
  const isWished = isAcross(range, wish);
  return sql`case when ${isWished} and total is not null and last_at < ${endOf(range, wish)}
    then int4send(length(data)) || data else int4send(0) end`;
}

/**
 * Before which chunks must end to come with their bytes. The key alone tells it, in a walk along the
 * index that stops where the range does. Of those that end behind it, the first one may come too.
 */
function endOf({ from, to }: Range, wish: BytesWish): Sql {
  const own = sql`from chunks where variable_number = asked.series_id`;
  return sql`coalesce(
    (select last_at ${own} and last_at between ${from} and ${to} and ${isAcross({ from, to }, wish)}
      order by last_at offset ${wish.most} limit 1),
    (select last_at + 1 ${own} and last_at > ${to} order by last_at limit 1), ${to + 1})`;
}

/** Its last reading is less far into its part than the chunk is long, or behind the range. */
function isAcross({ from, to }: Range, { partMs }: BytesWish): Sql {
  if (partMs === ALL_BYTES) return sql`true`;
  return sql`((last_at - ${from}) % ${partMs} < last_at - first_at or last_at > ${to})`;
}

/**
 * A packed value goes over the wire in parts, in base64: the driver knows no binary results, and
 * one long text takes it half as long again. Parts of this length end where base64 needs no filling.
 */
const PART_BYTES = 98_304;
const PARTS = sql`generate_series(0, (length(packed) - 1) / ${sql.lit(PART_BYTES)}) as part`;
const PART = sql`part, length(packed) as length, encode(substring(packed from
  1 + part * ${sql.lit(PART_BYTES)} for ${sql.lit(PART_BYTES)}), 'base64') as text`;

interface PackedPart {
  readonly part: number;
  /** Of the whole. */
  readonly length: number;
  readonly text: string;
}

function joined(parts: readonly PackedPart[]): Buffer {
  const whole = Buffer.allocUnsafe(parts[0]?.length ?? 0);
  for (const { part, text } of parts) whole.write(text, part * PART_BYTES, 'base64');
  return whole;
}

interface PlacedChunk {
  readonly place: number;
  readonly data: Buffer;
}

/**
 * The bytes of chunks, in the order asked; those that are gone are undefined. Numbers come as one
 * packed value, and in the text that is shortest and fastest to read: a row each takes longer than
 * to decode them. Strings may be too much for one value.
 */
export async function readChunks(
  db: Queries,
  seriesIds: readonly number[],
  pieces: readonly Piece[],
): Promise<(Buffer | undefined)[]> {
  const chunks = foundChunks(seriesIds, pieces);
  if (pieces.some(({ sum }) => sum === null)) {
    const found = new Array<Buffer | undefined>(pieces.length).fill(undefined);
    const rows = await run<PlacedChunk>(db, sql`select place, data from ${chunks}`);
    for (const { place, data } of rows) found[place - 1] = data;
    return found;
  }
  const packed = sql`(select string_agg(int4send(place::integer) || int4send(length(data)) || data,
      '') as packed from ${chunks})`;
  const parts = await run<PackedPart>(
    db,
    sql`select ${PART} from ${packed} as whole cross join lateral ${PARTS}`,
  );
  return unpackChunks(joined(parts), pieces.length);
}

function foundChunks(seriesIds: readonly number[], pieces: readonly Piece[]): Sql {
  // The limit keeps the planner from anything but one walk down the index for each.
  return sql`(select asked.place, found.data
        from unnest(${seriesIds}::bigint[], ${pieces.map(({ lastAt }) => lastAt)}::bigint[],
          ${pieces.map(({ firstAt }) => firstAt)}::bigint[],
          ${pieces.map(({ written }) => written)}::bigint[])
          with ordinality as asked (series_id, last_at, first_at, written, place)
        cross join lateral (select data from chunks where chunks.variable_number = asked.series_id
          and chunks.last_at = asked.last_at and chunks.first_at = asked.first_at
          and chunks.written = asked.written limit 1) as found) as chunks`;
}

/** A number later than that of every sealing before. */
export async function nextWrite(tx: Transaction): Promise<number> {
  const [row] = await run<{ next: number }>(tx, sql`select nextval('chunk_writes') as next`);
  if (!row) throw new Error('the sequence chunk_writes gave no value');
  return row.next;
}

/**
 * Of those made, the Variables that exist, so that they stay until the transaction ends. The limit
 * keeps the planner from anything but one walk down the index for each: it would read all Variables.
 */
export const EXISTING_VARIABLE = sql`lateral (select 1 from variables where variables.number = made.series_id
  limit 1 for key share) as known`;

/** As PostgreSQL reads it. The driver's own form takes several times as long to write. */
export function arrayLiteral(numbers: readonly (number | undefined)[]): string {
  return `{${numbers.map((number) => number ?? 'null').join(',')}}`;
}

/** Those of deleted Variables are left out. */
export async function insertChunks(
  tx: Transaction,
  written: number,
  rows: readonly ChunkRow[],
): Promise<void> {
  const column = (key: 'seriesId' | 'lastAt' | 'firstAt' | 'count') =>
    arrayLiteral(rows.map((row) => row[key]));
  const summary = (key: 'min' | 'max' | 'sum' | 'first' | 'last') =>
    arrayLiteral(rows.map((row) => row.summary?.[key]));
  const data = rows.map((row) => row.data);
  const lengths = data.map(({ length }) => length);
  let end = 1;
  const starts = lengths.map((length) => {
    end += length;
    return end - length;
  });
  // All bytes as one value: an array of them would travel as text of twice their size.
  await run(
    tx,
    sql`insert into chunks (variable_number, last_at, first_at, written, count, minimum, maximum,
          total, first_value, last_value, data)
        select made.series_id, last_at, first_at, ${written}, count, minimum, maximum, total,
          first_value, last_value, substring(${Buffer.concat(data)}::bytea from start for length)
        from unnest(${column('seriesId')}::bigint[], ${column('lastAt')}::bigint[],
          ${column('firstAt')}::bigint[], ${column('count')}::integer[],
          ${summary('min')}::double precision[], ${summary('max')}::double precision[],
          ${summary('sum')}::double precision[], ${summary('first')}::double precision[],
          ${summary('last')}::double precision[], ${arrayLiteral(starts)}::integer[],
          ${arrayLiteral(lengths)}::integer[])
          as made (series_id, last_at, first_at, count, minimum, maximum, total, first_value,
            last_value, start, length)
        cross join ${EXISTING_VARIABLE}`,
  );
}

/** The first and the last time that chunks of these Variables tell of. */
export async function findBounds(
  db: Queries,
  seriesIds: readonly number[],
): Promise<{ from: number; to: number } | null> {
  const [row] = await run<{ from: number | null; to: number | null }>(
    db,
    sql`select min(first_at) as "from", max(last_at) as "to" from chunks
        where variable_number = any(${seriesIds}::bigint[])`,
  );
  return row && row.from !== null && row.to !== null ? { from: row.from, to: row.to } : null;
}

/** Deletes some of the chunks of an organization that end before a time. Returns how many. */
export async function deleteExpiredChunks(
  db: Queries,
  organizationId: string,
  before: number,
  most: number,
): Promise<number> {
  const rows = await run(
    db,
    sql`delete from chunks where ctid = any(array(
          select chunks.ctid from variables
          join chunks on chunks.variable_number = variables.number
            and chunks.last_at < ${before}::bigint
          where variables.organization_id = ${organizationId}
          limit ${most}))
        returning 1`,
  );
  return rows.length;
}
