import type { Queries } from '../../storage/index.ts';
import {
  type ChunkCache,
  ChunkMetaList,
  EVERY_CHUNK,
  listChunkMetas,
  type PrefetchHint,
} from '../chunks/index.ts';
import type { BlockVisitor } from '../codec/index.ts';
import type { Columns } from '../columns/index.ts';
import type { Range } from '../reading.ts';
import type { Series, SliceBatch } from '../slices/index.ts';
import { BatchBytes } from './batch-bytes.ts';
import { type PlannedBatch, planBatches, type SeriesData, type SummarySuffices } from './plan.ts';

export interface QueriedSeries extends Series {
  /** Its readings in a memtable when the query began. */
  readonly buffered: Columns | undefined;
  /** Whether further ones may be in the memtable of a node that was not reached. */
  readonly isIncomplete: boolean;
}

/** A planned batch with the bytes of its chunks. */
export interface Batch extends SliceBatch, Pick<PlannedBatch, 'summarized'> {}

/** The history of some series, not decoded yet. */
export interface EncodedHistory {
  readonly series: readonly Series[];
  readonly batches: AsyncGenerator<Batch>;
}

/** A query over the history of some series. */
export interface HistoryQuery {
  readonly series: readonly QueriedSeries[];
  readonly range: Range;
  readonly summarySuffices: SummarySuffices;
  /** Decides which zones of large chunks are read; undefined when whole chunks are. */
  readonly zones?: Pick<BlockVisitor, 'summaryEnd'> | undefined;
  /** Which chunks to fetch together with their metas. */
  readonly hint?: PrefetchHint | undefined;
  /** Undefined for a query of which no part is likely to be repeated. */
  readonly cache?: ChunkCache | undefined;
}

/** The bytes that the slices need; undefined when a chunk no longer exists. */
function readBatch(
  db: Queries,
  { series, zones, cache }: HistoryQuery,
  slices: PlannedBatch['slices'],
): Promise<Pick<Batch, 'chunks' | 'partial'> | undefined> {
  const bytes = new BatchBytes({ zones, cache });
  for (const slice of slices) {
    bytes.add((series[slice.ordinal] as QueriedSeries).seriesId, slice);
  }
  return bytes.read(db);
}

/** Restarts without progress, after which a query fails. */
const MAX_RESTARTS = 100;
/** Series per statement that lists metas; the first statement lists one, to begin early. */
const MAX_SERIES_PER_GROUP = 8;
/** The intended size of what a statement lists: one is processed while the next one is listed. */
const CHUNKS_PER_GROUP = 1_024;
const BYTES_PER_GROUP = 512 * 1024;
/** The maximum number of prefetched chunks. */
const MAX_PREFETCHED_CHUNKS = 2_048;
const NO_CHUNKS = new ChunkMetaList(Buffer.alloc(0));

/**
 * All readings of some series within a range, from chunks and the memtable, a batch at a time. The
 * next batch is fetched while the caller processes one.
 */
export function readBatches(db: Queries, query: HistoryQuery): AsyncGenerator<Batch> {
  return ahead(fetchBatches(db, query));
}

async function* ahead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  const next = () => {
    const step = source.next();
    // The failure is reported to the caller that awaits the step later.
    step.catch(() => undefined);
    return step;
  };
  try {
    for (let step = next(); ; ) {
      const { value, done } = await step;
      if (done) return;
      step = next();
      yield value;
    }
  } finally {
    await source.return(undefined);
  }
}

/** Lists the metas of the next group while one is fetched. */
async function* fetchBatches(db: Queries, query: HistoryQuery): AsyncGenerator<Batch> {
  for await (const group of ahead(listGroups(db, query))) {
    yield* fetchGroup(db, query, group);
  }
}

/** Consecutive series of the query with their data. */
interface Group {
  readonly end: number;
  readonly seriesData: readonly SeriesData[];
}

/** The beginning of the history that is not fetched yet. */
interface ResumePoint {
  readonly ordinal: number;
  readonly from: number;
}

/** Sizes each group by what the series of the group before had. */
async function* listGroups(db: Queries, query: HistoryQuery): AsyncGenerator<Group> {
  const { series, range } = query;
  for (let first = 0, size = 1; first < series.length; ) {
    const end = Math.min(first + size, series.length);
    const seriesData = await listSeriesData(db, query, { ordinal: first, from: range.from }, end);
    yield { end, seriesData };
    const chunks = seriesData.reduce((sum, { metas }) => sum + metas.length, 1);
    const bytes = seriesData.reduce((sum, { metas }) => sum + metas.bytes, 1);
    const share = Math.min(CHUNKS_PER_GROUP / chunks, BYTES_PER_GROUP / bytes);
    size = Math.ceil(Math.min(share * seriesData.length, MAX_SERIES_PER_GROUP));
    first = end;
  }
}

async function* fetchGroup(
  db: Queries,
  query: HistoryQuery,
  { end, seriesData }: Group,
): AsyncGenerator<Batch> {
  const { series, range, summarySuffices, cache, hint } = query;
  let rest: ResumePoint = { ordinal: seriesData[0]?.ordinal ?? end, from: range.from };
  const read = new ReadRanges(hint);
  for (let restart = 0; restart <= MAX_RESTARTS; restart += 1) {
    const left = restart === 0 ? seriesData : await listSeriesData(db, uncached(query), rest, end);
    let isWhole = true;
    for (const planned of planBatches(left, summarySuffices)) {
      const { summarized, slices, end: done } = planned;
      const bytes = await readBatch(db, query, slices);
      // Compaction replaced a chunk since it was listed: the rest is listed again.
      isWhole = bytes !== undefined;
      if (!bytes) break;
      read.add(planned);
      yield { summarized, slices, ...bytes };
      rest = { ordinal: done.ordinal, from: done.to + 1 };
      restart = 0;
    }
    if (!isWhole) continue;
    for (const { ordinal } of seriesData) {
      const { seriesId } = series[ordinal] as QueriedSeries;
      cache?.note(seriesId, read.of(ordinal, range), hint?.bucketMs ?? EVERY_CHUNK);
    }
    return;
  }
  const { seriesId } = series[rest.ordinal] as QueriedSeries;
  throw new Error(`The chunks of Variable ${seriesId} change faster than they can be read.`);
}

/** The same query, for which PostgreSQL lists the chunks again. */
function uncached(query: HistoryQuery): HistoryQuery {
  return { ...query, cache: undefined };
}

async function listSeriesData(
  db: Queries,
  { series, range, hint, cache }: HistoryQuery,
  rest: ResumePoint,
  end: number,
): Promise<SeriesData[]> {
  const left = series.slice(rest.ordinal, end);
  const seriesIds = left.map(({ seriesId }) => seriesId);
  const from = left.length > 1 ? range.from : rest.from;
  const most = Math.floor(MAX_PREFETCHED_CHUNKS / left.length);
  const maxChunks = Math.min(hint?.maxChunks ?? 0, most);
  const isCovered =
    cache && hint && seriesIds.every((seriesId) => cache.covers(seriesId, range, hint.bucketMs));
  const ownHint = hint && !isCovered ? { bucketMs: hint.bucketMs, maxChunks } : undefined;
  const listed = { from, to: range.to };
  const metas = isCovered
    ? await cache.lists.list(db, seriesIds, listed)
    : await listChunkMetas(db, seriesIds, listed, ownHint);
  return left.map(({ seriesId, buffered }, index) => ({
    ordinal: rest.ordinal + index,
    range: index === 0 ? { from: rest.from, to: range.to } : range,
    metas: metas.get(seriesId) ?? NO_CHUNKS,
    buffered,
  }));
}

/**
 * What a query has read of a group, so that the cache knows what it covers: of a page, whose size is
 * limited, no more than the readings that it took.
 */
class ReadRanges {
  readonly #isLimited: boolean;
  readonly #ends = new Map<number, number>();
  readonly #cut = new Set<number>();

  constructor(hint: PrefetchHint | undefined) {
    this.#isLimited = hint !== undefined && Number.isFinite(hint.maxChunks);
  }

  add({ slices, summarized }: PlannedBatch): void {
    if (!this.#isLimited) return;
    for (const { ordinal, to } of slices) this.#ends.set(ordinal, to);
    for (const { ordinal } of summarized) this.#cut.add(ordinal);
  }

  of(ordinal: number, { from, to }: Range): Range {
    return this.#cut.has(ordinal) ? { from, to: this.#ends.get(ordinal) ?? from } : { from, to };
  }
}
