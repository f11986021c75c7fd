import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Queries } from '../../storage/index.ts';
import { type ChunkCache, EVERY_CHUNK, findBounds, type PrefetchHint } from '../chunks/index.ts';
import type { BlockVisitor } from '../codec/index.ts';
import type { Kind } from '../columns/index.ts';
import type { Range } from '../reading.ts';
import { type DecodedSlice, type PlannedSlice, SliceReader } from '../slices/index.ts';
import { type Bucket, Buckets, bucketMsOf } from './buckets.ts';
import { FirstReadings, type RawReadings } from './first-readings.ts';
import type { SummarizedChunks, SummarySuffices } from './plan.ts';
import {
  type Batch,
  type EncodedHistory,
  type QueriedSeries,
  readBatches,
} from './read-batches.ts';
import { type Segment, Segments } from './segments.ts';
import { TimeWeightedMean } from './time-weighted-mean.ts';

/** Readings that are processed in one turn of the event loop: 1.3 ms, as measured. */
const READINGS_PER_TURN = 32_768;

/** Of the texts of one reply, which is made in memory. */
const MAX_TEXT_LENGTH = 16 * 1024 * 1024;

/** An estimate: few chunks have fewer readings. */
const MIN_READINGS_PER_CHUNK = 512;

const NEVER: SummarySuffices = () => false;

/** Prefetches the chunks that contain the first readings of the range. */
function firstChunks(take: number): PrefetchHint {
  return { bucketMs: EVERY_CHUNK, maxChunks: Math.ceil(take / MIN_READINGS_PER_CHUNK) + 1 };
}

/**
 * The history of several Variables; results are in the order of the request. The unflushed readings
 * were taken before: chunks are listed from here on, so that a flush in between is seen twice, never
 * missed.
 */
export class History {
  readonly #db: Queries;
  readonly #series: readonly QueriedSeries[];
  readonly #cache: ChunkCache | undefined;

  /** Chunks go through the cache, if there is one, except for `encoded`. */
  constructor(db: Queries, series: readonly QueriedSeries[], cache?: ChunkCache) {
    this.#db = db;
    this.#series = series;
    this.#cache = cache;
  }

  /** Whether readings of any of them may be missing. */
  get isIncomplete(): boolean {
    return this.#series.some(({ isIncomplete }) => isIncomplete);
  }

  /** Whether readings of the Variable at this position may be missing. */
  isIncompleteAt(ordinal: number): boolean {
    return this.#series[ordinal]?.isIncomplete ?? false;
  }

  /** The same history of the Variables of some kinds. */
  ofKinds(isChosen: (kind: Kind) => boolean): History {
    return this.#of(this.#series.filter(({ kind }) => isChosen(kind)));
  }

  /** The same history of the Variables at some positions. */
  at(ordinals: ReadonlySet<number>): History {
    return this.#of(this.#series.filter((_, ordinal) => ordinals.has(ordinal)));
  }

  #of(chosen: readonly QueriedSeries[]): History {
    return new History(this.#db, chosen, this.#cache);
  }

  /** The first readings of each, and how many there are. */
  async raw(range: Range, take: number): Promise<RawReadings[]> {
    const maxText = Math.ceil(MAX_TEXT_LENGTH / this.#series.length);
    const pages = this.#series.map(() => new FirstReadings(take, maxText));
    await this.#visit(range, {
      summarySuffices: (_, __, readingsBefore) => readingsBefore >= take,
      hint: firstChunks(take),
      sum: (summarized) => pages[summarized.ordinal]?.sum(summarized),
      add: ({ ordinal, columns }) => pages[ordinal]?.add(columns),
    });
    return pages;
  }

  /** Buckets of Variables of type NUMBER. */
  async buckets(range: Range, count: number): Promise<(readonly Bucket[])[]> {
    const all = this.#series.map(() => new Buckets(range, count));
    const none = new Buckets(range, count);
    await this.#visit(range, {
      summarySuffices: (metas, index) => none.chunkSummarySuffices(metas, index),
      hint: { bucketMs: bucketMsOf(range, count), maxChunks: Infinity },
      sum: ({ ordinal, metas, indexes }) => all[ordinal]?.addChunks(metas, indexes),
      zones: none,
      blocksOf: (ordinal) => all[ordinal] as Buckets,
    });
    return all.map((buckets) => buckets.items());
  }

  /** The means over time of Variables of type NUMBER; null without readings. */
  async timeWeightedMeans(range: Range): Promise<(number | null)[]> {
    const all = this.#series.map(() => new TimeWeightedMean());
    await this.#visit(range, { add: ({ ordinal, columns }) => all[ordinal]?.add(columns) });
    return all.map(({ mean }) => mean);
  }

  /** Null when all of them together have more segments than `most`. */
  async segments(range: Range, most: number): Promise<(readonly Segment[])[] | null> {
    const all = this.#series.map(() => new Segments());
    let count = 0;
    await this.#visit(range, {
      add({ ordinal, columns }) {
        const segments = all[ordinal] as Segments;
        count -= segments.items.length;
        segments.add(columns);
        count += segments.items.length;
      },
      isDone: () => count > most,
    });
    return count <= most ? all.map(({ items }) => items) : null;
  }

  /** The encoded chunks that contain at least the first `take` readings of each. */
  encoded(range: Range, take: number): EncodedHistory {
    const summarySuffices: SummarySuffices = (_, __, readingsBefore) => readingsBefore >= take;
    const series = this.#series;
    return {
      series: series.map(({ seriesId, kind }) => ({ seriesId, kind })),
      batches: readBatches(this.#db, { series, range, summarySuffices }),
    };
  }

  /** The first and the last time of all of them; null when there are no readings. */
  async bounds(): Promise<Range | null> {
    const seriesIds = this.#series.map(({ seriesId }) => seriesId);
    const stored = await findBounds(this.#db, seriesIds);
    let { from, to } = stored ?? { from: Infinity, to: -Infinity };
    for (const { buffered } of this.#series) {
      from = Math.min(from, buffered?.times[0] ?? Infinity);
      to = Math.max(to, buffered?.times.at(-1) ?? -Infinity);
    }
    return from <= to ? { from, to } : null;
  }

  /** Yields to the event loop now and then. */
  async #visit(range: Range, visitor: Visitor): Promise<void> {
    const { summarySuffices = NEVER, hint, sum, isDone } = visitor;
    const series = this.#series;
    const reader = new SliceReader(series);
    let done = 0;
    const cache = this.#cache;
    const query = { series, range, summarySuffices, hint, zones: visitor.zones, cache };
    for await (const batch of readBatches(this.#db, query)) {
      for (const summarized of batch.summarized) sum?.(summarized);
      for (const slice of batch.slices) {
        done += shown(reader, slice, batch, visitor);
        if (isDone?.()) return;
        if (done < READINGS_PER_TURN) continue;
        await nextTurn();
        done = 0;
      }
    }
  }
}

/** Receives summaries and readings. A summary may precede readings that are older. */
type Visitor = {
  readonly summarySuffices?: SummarySuffices;
  readonly hint?: PrefetchHint;
  readonly sum?: (summarized: SummarizedChunks) => void;
  /** Decides which zones of a chunk are read; undefined when whole chunks are. */
  readonly zones?: Pick<BlockVisitor, 'summaryEnd'>;
  /** Whether the rest of the history is not needed. */
  readonly isDone?: () => boolean;
} & (
  | { readonly add: (part: DecodedSlice) => void; readonly blocksOf?: undefined }
  | { readonly blocksOf: (ordinal: number) => BlockVisitor }
);

/** Returns how many readings were decoded. */
function shown(reader: SliceReader, slice: PlannedSlice, batch: Batch, visitor: Visitor): number {
  if (visitor.blocksOf) return reader.visit(slice, batch, visitor.blocksOf(slice.ordinal));
  const part = reader.part(slice, batch.chunks);
  visitor.add(part);
  return part.columns.times.length;
}
