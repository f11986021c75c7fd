import { encodePart, headBytesOf, type Summary, summaryOf } from '../codec/index.ts';
import { type Columns, indexOfTime, sliceOf } from '../columns/index.ts';

/** A chunk to be stored; the flush or merge assigns its writeSeq. */
export interface ChunkRow {
  readonly seriesId: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly count: number;
  /** Undefined unless the chunk has numbers. */
  readonly summary: Summary | undefined;
  /** The head, if its version has one, which is stored separately; then the rest of the bytes. */
  readonly head: Buffer | undefined;
  readonly data: Buffer;
}

/** A stored chunk without its bytes. The summary is null unless the chunk has numbers. */
export interface ChunkMeta {
  readonly firstAt: number;
  readonly lastAt: number;
  readonly writeSeq: number;
  readonly count: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly sum: number | null;
  readonly first: number | null;
  readonly last: number | null;
  /** The transaction that wrote its row: a row of the same key and version has the same bytes. */
  readonly rowVersion?: number;
  /** Its bytes, where they were prefetched. */
  readonly data?: Buffer | undefined;
}

/**
 * The chunk in which history ends is written again once a day. So that this costs little, a chunk with
 * more than a few readings is within a week.
 */
const MAX_READINGS_OF_ANY_TIME = 1_024;
const MAX_SPAN_MS = 7 * 86_400_000;

/** Whether readings of these times may be one chunk. */
export function isShortEnough(firstAt: number, lastAt: number, count: number): boolean {
  return count <= MAX_READINGS_OF_ANY_TIME || lastAt - firstAt <= MAX_SPAN_MS;
}

/** How many of the readings from `start` to `end` may be one chunk. */
function shortEnough(times: Float64Array, start: number, end: number): number {
  const first = times[start] as number;
  if (isShortEnough(first, times[end - 1] as number, end - start)) return end - start;
  const within = indexOfTime(times, first + MAX_SPAN_MS + 1, start, end) - start;
  return Math.max(within, MAX_READINGS_OF_ANY_TIME);
}

/**
 * The bytes of a chunk whose row fills a page of PostgreSQL, which stores a row of up to 8 160 bytes
 * in one piece. The other columns take 120.
 */
const MAX_CHUNK_BYTES = 8_040;
/** A chunk of at least this size is not merged with others: its page is nearly full. */
export const FULL_CHUNK_BYTES = 6_500;

/**
 * Divides readings in time order into chunks of at most `most` readings, about equally, unless they
 * fill a page before.
 */
export function* chunkRows(seriesId: number, columns: Columns, most: number): Generator<ChunkRow> {
  const count = columns.times.length;
  // What follows a full page is likely to fill one with about as many readings.
  let expected = most;
  for (let start = 0; start < count; ) {
    const rest = count - start;
    const share = Math.floor(rest / Math.ceil(rest / most));
    const size = shortEnough(columns.times, start, start + Math.min(share, expected));
    const part = sliceOf(columns, start, start + size);
    const row = chunkRow(seriesId, part);
    expected = Math.min(most, row.count < part.times.length ? row.count + 1_024 : 2 * row.count);
    yield row;
    start += row.count;
  }
}

function chunkRow(seriesId: number, columns: Columns): ChunkRow {
  const { bytes: encoded, count } = encodePart(columns, MAX_CHUNK_BYTES);
  const { times } = columns;
  const bytes = bufferOf(encoded);
  const headBytes = headBytesOf(bytes);
  return {
    seriesId,
    firstAt: times[0] as number,
    lastAt: times[count - 1] as number,
    count,
    summary: columns.kind === 'NUMBER' ? summaryOf(times, columns.values, count) : undefined,
    head: headBytes > 0 ? bytes.subarray(0, headBytes) : undefined,
    data: bytes.subarray(headBytes),
  };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
