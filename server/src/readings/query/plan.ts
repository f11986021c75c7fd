import type { ChunkMetaList } from '../chunks/index.ts';
import { isHeadAlone } from '../codec/index.ts';
import { type Columns, sliceOf, within } from '../columns/index.ts';
import type { Range } from '../reading.ts';
import { type PlannedSlice, type Source, type TimeSlice, timeSlicesOf } from '../slices/index.ts';

/**
 * Whether a query needs only the summary of a whole chunk. At least `readingsBefore` readings of the
 * series precede it.
 */
export type SummarySuffices = (
  metas: ChunkMetaList,
  index: number,
  readingsBefore: number,
) => boolean;

/** Chunks of one series whose summaries suffice. */
export interface SummarizedChunks {
  readonly ordinal: number;
  readonly metas: ChunkMetaList;
  readonly indexes: readonly number[];
}

/** The unit of fetching: slices and summaries in the order of series, then of time. */
export interface PlannedBatch {
  readonly summarized: readonly SummarizedChunks[];
  readonly slices: readonly PlannedSlice[];
  /** Everything up to this time of this series is in this batch or an earlier one. */
  readonly end: { readonly ordinal: number; readonly to: number };
}

/** The chunk metas and buffered readings of one series within its range. */
export interface SeriesData {
  readonly ordinal: number;
  readonly range: Range;
  readonly metas: ChunkMetaList;
  readonly buffered: Columns | undefined;
}

/** Limits of a batch, which bound the memory of a query. */
const CHUNKS_PER_BATCH = 256;
const READINGS_PER_BATCH = 131_072;
const READINGS_PER_PARTIAL_CHUNK = 512;
const READINGS_PER_BUFFERED_SLICE = 1_024;

/** Decides which chunks must be decoded and for which the summary suffices. */
export function* planBatches(
  all: Iterable<SeriesData>,
  summarySuffices: SummarySuffices,
): Generator<PlannedBatch> {
  let batch = new BatchBuilder();
  for (const { ordinal, range, metas, buffered } of all) {
    let readingsBefore = 0;
    for (const { sources, first, end } of groupsOf(metas, [...bufferedSources(buffered, range)])) {
      for (const slice of clipped(sources, range)) {
        batch.add(ordinal, slice);
        if (!batch.isFull) continue;
        yield batch;
        batch = new BatchBuilder();
      }
      for (let index = first; index < end; index += 1) {
        if (isWithin(metas, index, range)) {
          if (summarySuffices(metas, index, readingsBefore)) {
            batch.sum(ordinal, metas, index);
            continue;
          }
          readingsBefore += metas.countAt(index);
        }
        batch.add(ordinal, sliceOfChunk(metas, index, range));
        if (!batch.isFull) continue;
        yield batch;
        batch = new BatchBuilder();
      }
    }
  }
  if (!batch.isEmpty) yield batch;
}

function isWithin({ firstAt, lastAt }: ChunkMetaList, index: number, { from, to }: Range): boolean {
  return (firstAt[index] as number) >= from && (lastAt[index] as number) <= to;
}

class BatchBuilder implements PlannedBatch {
  readonly summarized: { ordinal: number; metas: ChunkMetaList; indexes: number[] }[] = [];
  readonly slices: PlannedSlice[] = [];
  end = { ordinal: 0, to: 0 };
  #chunks = 0;
  #readings = 0;

  get isEmpty(): boolean {
    return this.summarized.length === 0 && this.slices.length === 0;
  }

  get isFull(): boolean {
    return this.#chunks >= CHUNKS_PER_BATCH || this.#readings >= READINGS_PER_BATCH;
  }

  sum(ordinal: number, metas: ChunkMetaList, index: number): void {
    const last = this.summarized.at(-1);
    if (last?.metas === metas) last.indexes.push(index);
    else this.summarized.push({ ordinal, metas, indexes: [index] });
    this.end.ordinal = ordinal;
    this.end.to = metas.lastAt[index] as number;
  }

  add(ordinal: number, { from, to, sources }: TimeSlice): void {
    this.slices.push({ ordinal, from, to, sources });
    this.end.ordinal = ordinal;
    this.end.to = to;
    this.#chunks += sources.length;
    for (const source of sources) this.#readings += readingsOf(source);
  }
}

/** The readings that are decoded, about: few zones of a chunk whose head alone was prefetched. */
function readingsOf(source: Source): number {
  if (source.columns) return source.columns.times.length;
  return source.data && isHeadAlone(source.data) ? READINGS_PER_PARTIAL_CHUNK : source.count;
}

/** Overlapping sources, or the disjoint chunks from `first` to `end`, exclusive. */
interface Group {
  readonly sources: readonly Source[];
  readonly first: number;
  readonly end: number;
}

/** Divides time where no sources overlap. Disjoint chunks, which most are, form one group. */
function* groupsOf(metas: ChunkMetaList, slices: readonly Source[]): Generator<Group> {
  let slice = 0;
  for (let index = 0; index < metas.length || slice < slices.length; ) {
    const first = index;
    index = endOfDisjoint(metas, index, slices[slice]?.firstAt ?? Infinity);
    if (index > first) {
      yield { sources: [], first, end: index };
      continue;
    }
    const sources: Source[] = [];
    for (let end = -Infinity; ; ) {
      const nextChunk = metas.firstAt[index] ?? Infinity;
      const nextSlice = slices[slice]?.firstAt ?? Infinity;
      if (sources.length > 0 && Math.min(nextChunk, nextSlice) > end) break;
      const source: Source | undefined =
        nextChunk <= nextSlice ? metas.metaAt(index) : slices[slice];
      if (!source) break;
      if (source.columns) slice += 1;
      else index += 1;
      sources.push(source);
      end = Math.max(end, source.lastAt);
    }
    yield { sources, first: index, end: index };
  }
}

/** The end of the chunks that overlap neither each other nor a source that begins at `before`. */
function endOfDisjoint(
  { firstAt, lastAt, length }: ChunkMetaList,
  start: number,
  before: number,
): number {
  for (let index = start; index < length; index += 1) {
    const end = lastAt[index] as number;
    if (end >= before || end >= (firstAt[index + 1] ?? Infinity)) return index;
  }
  return length;
}

/** The part of a chunk within a range. */
function sliceOfChunk(metas: ChunkMetaList, index: number, { from, to }: Range): TimeSlice {
  const meta = metas.metaAt(index);
  return { from: Math.max(from, meta.firstAt), to: Math.min(to, meta.lastAt), sources: [meta] };
}

function* bufferedSources(buffered: Columns | undefined, { from, to }: Range): Generator<Source> {
  if (!buffered) return;
  const own = within(buffered, from, to);
  const count = own.times.length;
  for (let start = 0; start < count; start += READINGS_PER_BUFFERED_SLICE) {
    const columns = sliceOf(own, start, Math.min(start + READINGS_PER_BUFFERED_SLICE, count));
    yield {
      columns,
      firstAt: columns.times[0] as number,
      lastAt: columns.times[columns.times.length - 1] as number,
      writeSeq: Number.MAX_SAFE_INTEGER,
    };
  }
}

function* clipped(sources: readonly Source[], { from, to }: Range): Generator<TimeSlice> {
  for (const slice of timeSlicesOf(sources)) {
    if (slice.to < from || slice.from > to) continue;
    const clippedFrom = Math.max(from, slice.from);
    yield { from: clippedFrom, to: Math.min(to, slice.to), sources: slice.sources };
  }
}
