import type { Queries } from '../../storage/index.ts';
import {
  type ChunkMeta,
  ChunkMetaList,
  listChunkMetas,
  type PrefetchHint,
  readChunks,
} from '../chunks/index.ts';
import { type BlockVisitor, isHeadAlone } from '../codec/index.ts';
import type { Columns } from '../columns/index.ts';
import type { Range } from '../reading.ts';
import { openPartial, type Series, type SliceBatch, type Source } from '../slices/index.ts';
import { PartialChunks } from './partial-chunks.ts';
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
  const { series, range, summarySuffices } = query;
  let rest: ResumePoint = { ordinal: seriesData[0]?.ordinal ?? end, from: range.from };
  for (let restart = 0; restart <= MAX_RESTARTS; restart += 1) {
    const left = restart === 0 ? seriesData : await listSeriesData(db, query, rest, end);
    let isWhole = true;
    for (const { summarized, slices, end: done } of planBatches(left, summarySuffices)) {
      const bytes = await readBatch(db, query, slices);
      // Compaction replaced a chunk since it was listed: the rest is listed again.
      isWhole = bytes !== undefined;
      if (!bytes) break;
      yield { summarized, slices, ...bytes };
      rest = { ordinal: done.ordinal, from: done.to + 1 };
      restart = 0;
    }
    if (isWhole) return;
  }
  const { seriesId } = series[rest.ordinal] as QueriedSeries;
  throw new Error(`The chunks of Variable ${seriesId} change faster than they can be read.`);
}

async function listSeriesData(
  db: Queries,
  { series, range, hint }: HistoryQuery,
  rest: ResumePoint,
  end: number,
): Promise<SeriesData[]> {
  const left = series.slice(rest.ordinal, end);
  const seriesIds = left.map(({ seriesId }) => seriesId);
  const from = left.length > 1 ? range.from : rest.from;
  const most = Math.floor(MAX_PREFETCHED_CHUNKS / left.length);
  const maxChunks = Math.min(hint?.maxChunks ?? 0, most);
  const ownHint = hint && { bucketMs: hint.bucketMs, maxChunks };
  const metas = await listChunkMetas(db, seriesIds, { from, to: range.to }, ownHint);
  return left.map(({ seriesId, buffered }, index) => ({
    ordinal: rest.ordinal + index,
    range: index === 0 ? { from: rest.from, to: range.to } : range,
    metas: metas.get(seriesId) ?? NO_CHUNKS,
    buffered,
  }));
}

/** The bytes that the slices need; undefined when a chunk no longer exists. */
async function readBatch(
  db: Queries,
  { series, zones }: HistoryQuery,
  slices: PlannedBatch['slices'],
): Promise<Pick<Batch, 'chunks' | 'partial'> | undefined> {
  const chunks = new Map<Source, Buffer>();
  const needed = new Map<ChunkMeta, number>();
  const partial = new PartialChunks();
  for (const { sources, ordinal, from, to } of slices) {
    const { seriesId } = series[ordinal] as QueriedSeries;
    for (const source of sources) {
      if (source.columns) continue;
      const { data } = source;
      if (!data) needed.set(source, seriesId);
      else if (!isHeadAlone(data)) chunks.set(source, data);
      else if (zones && sources.length === 1) {
        const chunk = openPartial(seriesId, source, data);
        partial.add(seriesId, source, chunk, chunk.neededParts(from, to, zones));
      } else needed.set(source, seriesId);
    }
  }
  if (!(await readWhole(db, needed, chunks))) return undefined;
  const read = await partial.read(db);
  return read && { chunks, partial: read };
}

/** Adds the bytes of chunks. False when one no longer exists. */
async function readWhole(
  db: Queries,
  needed: ReadonlyMap<ChunkMeta, number>,
  chunks: Map<Source, Buffer>,
): Promise<boolean> {
  const metas = [...needed.keys()];
  if (metas.length === 0) return true;
  const found = await readChunks(db, [...needed.values()], metas);
  for (const [index, meta] of metas.entries()) {
    const data = found[index];
    if (!data) return false;
    chunks.set(meta, data);
  }
  return true;
}
