import { type Queries, run, type Sql, sql, type Transaction } from '../../storage/index.ts';
import type { Range } from '../reading.ts';
import { ChunkMetaList } from './chunk-meta-list.ts';
import type { ChunkMeta, ChunkRow } from './chunk-row.ts';
import { unpackChunks } from './packed-chunks.ts';

/**
 * Which chunks are listed with their bytes: those that cross the border of two buckets, the earliest
 * ones, up to a maximum per series. A prediction of the bytes that the query will decode, which saves
 * a second statement; other chunks are read when they are needed.
 */
export interface PrefetchHint {
  readonly bucketMs: number;
  readonly maxChunks: number;
}

/** As `bucketMs`: every chunk is prefetched. */
export const EVERY_CHUNK = 0;
/**
 * Of a chunk that covers fewer buckets, only the head is prefetched, if it has one: most of its zones
 * are not decoded.
 */
const BUCKETS_PER_WHOLE_CHUNK = 8;

/** The bytes of a chunk: its head, if it has one, and its data. */
const BYTES = sql`coalesce(head || data, data)`;
const LENGTH = sql`length(data) + coalesce(length(head), 0)`;

/**
 * The metas of the chunks that overlap a range, by series. They are packed into one value: a row
 * for each would take longer to read than the chunks that a chart needs.
 */
export async function listChunkMetas(
  db: Queries,
  seriesIds: readonly number[],
  range: Range,
  hint?: PrefetchHint,
): Promise<Map<number, ChunkMetaList>> {
  const packed = sql`(select string_agg(int8send(first_at) || int8send(last_at)
      || int8send(written) || int4send(count) || float8send(coalesce(minimum, 'NaN'))
      || float8send(coalesce(maximum, 'NaN')) || float8send(coalesce(total, 'NaN'))
      || float8send(coalesce(first_value, 'NaN')) || float8send(coalesce(last_value, 'NaN'))
      || int4send(${LENGTH}) || xidsend(xmin) || ${bytesOf(range, hint)}, '') as packed
    from chunks where ${touches(range)})`;
  const rows = await run<PackedPart & { seriesId: number }>(
    db,
    sql`select asked.series_id as "seriesId", ${PART}
        from unnest((select ${seriesIds}::bigint[])) as asked (series_id)
        cross join lateral ${packed} as whole cross join lateral ${PARTS}`,
    { isPrepared: true },
  );
  return new Map(
    seriesIds.map((seriesId) => {
      const parts = rows.filter((row) => row.seriesId === seriesId);
      return [seriesId, new ChunkMetaList(joined(parts))];
    }),
  );
}

/**
 * The parameters are subqueries, which the planner estimates the same way whatever they are. With their
 * values it would plan every time, which takes longer than listing the chunks of a month.
 */
function touches({ from, to }: Range): Sql {
  return sql`variable_number = asked.series_id and last_at >= (select ${from}::bigint)
    and first_at <= (select ${to}::bigint)`;
}

/** The length and the bytes of a chunk, or a length of 0. */
function bytesOf(range: Range, hint: PrefetchHint | undefined): Sql {
  if (!hint) return sql`int4send(0)`;
  return sql`case when ${crossesBucket(range, hint)} and ${isPrefetchable(hint)}
    and last_at < ${endOf(range, hint)} then ${hintedBytes(hint)} else int4send(0) end`;
}

/** Charts need numbers only. A chunk of strings may have megabytes, and is prefetched up to 16 KB. */
function isPrefetchable({ bucketMs }: PrefetchHint): Sql {
  return bucketMs === EVERY_CHUNK
    ? sql`(total is not null or length(data) <= 16384)`
    : sql`total is not null`;
}

function hintedBytes({ bucketMs }: PrefetchHint): Sql {
  const whole = sql`int4send(${LENGTH}) || ${BYTES}`;
  if (bucketMs === EVERY_CHUNK) return whole;
  return sql`case when head is null or last_at - first_at > ${BUCKETS_PER_WHOLE_CHUNK * bucketMs}::bigint
    then ${whole} else int4send(length(head)) || head end`;
}

/**
 * The time before which a prefetched chunk must end. An index-only walk that stops at the end of the
 * range finds it. Of the chunks that end after the range, only the first is prefetched.
 */
function endOf({ from, to }: Range, hint: PrefetchHint): Sql {
  const own = sql`from chunks where variable_number = asked.series_id`;
  return sql`coalesce(
    (select last_at ${own} and last_at between ${from} and ${to} and ${crossesBucket({ from, to }, hint)}
      order by last_at offset ${hint.maxChunks} limit 1),
    (select last_at + 1 ${own} and last_at > ${to} order by last_at limit 1), ${to + 1})`;
}

/** The distance of the last reading from the bucket's start is less than the chunk's duration. */
function crossesBucket({ from, to }: Range, { bucketMs }: PrefetchHint): Sql {
  if (bucketMs === EVERY_CHUNK) return sql`true`;
  return sql`((last_at - ${from}) % ${bucketMs} < last_at - first_at or last_at > ${to})`;
}

/**
 * A packed value goes over the wire in parts, in base64: the driver knows no binary results, and
 * one long text takes it half as long again. Parts of this length end where base64 needs no filling.
 */
const PART_BYTES = 98_304;
const PARTS = sql`generate_series(0, (length(packed) - 1) / ${sql.integer(PART_BYTES)}) as part`;
const PART = sql`part, length(packed) as length, encode(substring(packed from
  1 + part * ${sql.integer(PART_BYTES)} for ${sql.integer(PART_BYTES)}), 'base64') as text`;

interface PackedPart {
  readonly part: number;
  /** The length of the whole value. */
  readonly length: number;
  readonly text: string;
}

function joined(parts: readonly PackedPart[]): Buffer {
  const whole = Buffer.allocUnsafe(parts[0]?.length ?? 0);
  for (const { part, text } of parts) whole.write(text, part * PART_BYTES, 'base64');
  return whole;
}

/**
 * The bytes of chunks in the order of the request; undefined for those that no longer exist. Chunks
 * of numbers are packed into one value, since a row for each takes longer than decoding them. Chunks
 * of strings may exceed the size of a value.
 */
export async function readChunks(
  db: Queries,
  seriesIds: readonly number[],
  metas: readonly ChunkMeta[],
): Promise<(Buffer | undefined)[]> {
  const chunks = foundChunks(seriesIds, metas);
  if (metas.some(({ sum }) => sum === null)) {
    const found = new Array<Buffer | undefined>(metas.length).fill(undefined);
    const rows = await run<{ ordinal: number; data: Buffer }>(
      db,
      sql`select ordinal, data from ${chunks}`,
    );
    for (const { ordinal, data } of rows) found[ordinal - 1] = data;
    return found;
  }
  return readPacked(db, chunks, metas.length);
}

/** The data of chunks with an ordinal, in the order of the ordinals; undefined for missing ones. */
export async function readPacked(
  db: Queries,
  chunks: Sql,
  count: number,
): Promise<(Buffer | undefined)[]> {
  const packed = sql`(select string_agg(int4send(ordinal::integer) || int4send(length(data)) || data,
      '') as packed from ${chunks})`;
  const parts = await run<PackedPart>(
    db,
    sql`select ${PART} from ${packed} as whole cross join lateral ${PARTS}`,
    { isPrepared: true },
  );
  return unpackChunks(joined(parts), count);
}

function foundChunks(seriesIds: readonly number[], metas: readonly ChunkMeta[]): Sql {
  // The limit forces an index lookup per chunk.
  return sql`(select asked.ordinal, found.data
        from unnest(${arrayLiteral(seriesIds)}::bigint[],
          ${arrayLiteral(metas.map(({ lastAt }) => lastAt))}::bigint[],
          ${arrayLiteral(metas.map(({ firstAt }) => firstAt))}::bigint[],
          ${arrayLiteral(metas.map(({ writeSeq }) => writeSeq))}::bigint[])
          with ordinality as asked (series_id, last_at, first_at, written, ordinal)
        cross join lateral (select ${BYTES} as data from chunks where chunks.variable_number = asked.series_id
          and chunks.last_at = asked.last_at and chunks.first_at = asked.first_at
          and chunks.written = asked.written limit 1) as found) as chunks`;
}

/*
 * Flushes of several servers may commit in another order than that of their write sequences.
 * Compaction must not merge beyond a flush that has not committed: its chunks would belong in the
 * middle of the merged ones. So a flush holds two shared locks until its transaction ends: one that
 * announces it, taken before it draws its write sequence, and one on the number that it drew.
 */
const ANNOUNCED_FLUSHES = 0x46_57_46_41;
const NUMBERED_FLUSHES = 0x46_57_46_4e;

/** The write sequence of a flush: higher than that of every flush before. */
export async function nextWriteSeq(tx: Transaction): Promise<number> {
  await run(tx, sql`select pg_advisory_xact_lock_shared(${ANNOUNCED_FLUSHES}::int, 0)`);
  const [row] = await run<{ next: number }>(
    tx,
    sql`with drawn as materialized (select nextval('chunk_writes') as next)
        select next, pg_advisory_xact_lock_shared(${NUMBERED_FLUSHES}::int, next::int) from drawn`,
  );
  if (!row) throw new Error('the sequence chunk_writes gave no value');
  return row.next;
}

/**
 * A write sequence below which every flush has ended: a list of chunks that is made afterwards
 * misses none of theirs. It is 0 while a flush is about to draw its number.
 */
export async function findFlushHorizon(db: Queries): Promise<number> {
  // Read first: a flush that had drawn its number by then has ended since, or is found below.
  const [drawn] = await run<{ last: number }>(db, sql`select last_value as last from chunk_writes`);
  const rows = await run<{ lowest: number | null; isNumbered: boolean }>(
    db,
    sql`select min(objid::bigint) filter (where classid::bigint = ${NUMBERED_FLUSHES}) as lowest,
          bool_or(classid::bigint = ${NUMBERED_FLUSHES}) as "isNumbered"
        from pg_locks
        where locktype = 'advisory' and granted and objsubid = 2
          and database = (select oid from pg_database where datname = current_database())
          and classid::bigint in (${ANNOUNCED_FLUSHES}, ${NUMBERED_FLUSHES})
        group by pid`,
  );
  if (rows.some(({ isNumbered }) => !isNumbered)) return 0;
  return Math.min((drawn?.last ?? 0) + 1, ...rows.map(({ lowest }) => lowest ?? Infinity));
}

/**
 * Keeps the rows of `made` whose Variables exist, and locks these against deletion. The limit forces
 * an index lookup per row: the planner would read all Variables.
 */
export const EXISTING_VARIABLE = sql`lateral (select 1 from variables where variables.number = made.series_id
  limit 1 for key share) as known`;

export type NumberArrayLiteral = `{${string}}`;

/** An array literal of PostgreSQL, several times as fast as that of the driver. */
export function arrayLiteral(numbers: readonly (number | undefined)[]): NumberArrayLiteral {
  return `{${numbers.map((number) => number ?? 'null').join(',')}}`;
}

/** Skips chunks of deleted Variables. */
export async function insertChunks(
  tx: Transaction,
  writeSeq: number,
  rows: readonly ChunkRow[],
): Promise<void> {
  const column = (key: 'seriesId' | 'lastAt' | 'firstAt' | 'count') =>
    arrayLiteral(rows.map((row) => row[key]));
  const summary = (key: 'min' | 'max' | 'sum' | 'first' | 'last') =>
    arrayLiteral(rows.map((row) => row.summary?.[key]));
  const heads = piecesOf(rows.map(({ head }) => head ?? NO_HEAD));
  const data = piecesOf(rows.map((row) => row.data));
  // All bytes are one value: an array of them would be sent as text of twice the size.
  await run(
    tx,
    sql`insert into chunks (variable_number, last_at, first_at, written, count, minimum, maximum,
          total, first_value, last_value, head, data)
        select made.series_id, last_at, first_at, ${writeSeq}, count, minimum, maximum, total,
          first_value, last_value,
          nullif(substring(${heads.bytes}::bytea from head_start for head_length), ''),
          substring(${data.bytes}::bytea from start for length)
        from unnest(${column('seriesId')}::bigint[], ${column('lastAt')}::bigint[],
          ${column('firstAt')}::bigint[], ${column('count')}::integer[],
          ${summary('min')}::double precision[], ${summary('max')}::double precision[],
          ${summary('sum')}::double precision[], ${summary('first')}::double precision[],
          ${summary('last')}::double precision[], ${heads.starts}::integer[],
          ${heads.lengths}::integer[], ${data.starts}::integer[], ${data.lengths}::integer[])
          as made (series_id, last_at, first_at, count, minimum, maximum, total, first_value,
            last_value, head_start, head_length, start, length)
        cross join ${EXISTING_VARIABLE}`,
  );
}

const NO_HEAD = Buffer.alloc(0);

/** All bytes as one value, with the position of each piece, counted from 1. */
function piecesOf(pieces: readonly Buffer[]): {
  bytes: Buffer;
  starts: NumberArrayLiteral;
  lengths: NumberArrayLiteral;
} {
  let end = 1;
  const starts = pieces.map(({ length }) => {
    end += length;
    return end - length;
  });
  const lengths = arrayLiteral(pieces.map(({ length }) => length));
  return { bytes: Buffer.concat(pieces), starts: arrayLiteral(starts), lengths };
}

/** The first and the last time of all chunks of these series. */
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
