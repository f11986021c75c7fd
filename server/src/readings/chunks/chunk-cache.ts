import type { PartialChunk } from '../codec/index.ts';
import type { Range } from '../reading.ts';
import type { ChunkLists } from './chunk-lists.ts';
import type { ChunkMeta } from './chunk-row.ts';

/*
 * The bytes of chunks that were queried lately, so that a repeated query need not have PostgreSQL
 * send them again: that takes longer than decoding them.
 *
 * Invariants
 *   A. A query lists the chunks first (chunk-lists.ts), and takes from the cache only what belongs to a
 *      row that was listed: of the same series, times, write sequence and row version. A row is never
 *      updated, so these are the bytes that it has. Nothing is invalidated: rows that were replaced or
 *      deleted are no longer listed, by this node or any other.
 *   B. The cache has at most `maxBytes`, and a series at most a quarter of that. Series are evicted as
 *      a whole, the one that was queried least recently first.
 */

/** A chunk of which something is in memory. */
export interface CachedChunk {
  readonly lastAt: number;
  readonly writeSeq: number;
  readonly rowVersion: number | undefined;
  /** Its bytes; undefined where `zones` has a part of them. */
  readonly data: Buffer | undefined;
  /** A chunk of numbers that charts read by zones: its head and the zones that were needed. */
  zones: PartialChunk | undefined;
  /** The number of the last query that used it. */
  lastUse: number;
}

/** A range whose chunks were read for buckets of this duration. */
interface Coverage extends Range {
  readonly bucketMs: number;
}

interface CachedSeries {
  /** By first time. Those that were replaced are not used any more, and deleted after some queries. */
  readonly chunks: Map<number, CachedChunk>;
  /** The newest is the last. */
  coverages: Coverage[];
  bytes: number;
  /** How many queries were noted. */
  uses: number;
  /** Whether chunks of the current query were dropped again. */
  isOverflowing: boolean;
}

const MAX_COVERAGES = 4;
/** A range that moved or grew by less is covered: what is missing is read when it is needed. */
const MIN_COVERED_SHARE = 15 / 16;
const MAX_BUCKET_RATIO = 9 / 8;
/** The objects of a chunk, estimated. */
const BYTES_PER_ENTRY = 256;
const SERIES_SHARE = 4;
/** A chunk that so many queries of its series did not use is deleted. */
const MAX_IDLE_USES = 64;

export class ChunkCache {
  /** Which chunks there are. */
  readonly lists: ChunkLists;
  readonly #maxBytes: number;
  /** In the order of their last use. */
  readonly #series = new Map<number, CachedSeries>();
  #bytes = 0;

  constructor(maxBytes: number, lists: ChunkLists) {
    this.lists = lists;
    this.#maxBytes = maxBytes;
  }

  /** Whether nearly all chunks that a query with such buckets reads are likely to be here. */
  covers(seriesId: number, { from, to }: Range, bucketMs: number): boolean {
    const coverages = this.#series.get(seriesId)?.coverages ?? [];
    return coverages.some((each) => {
      const common = Math.min(to, each.to) - Math.max(from, each.from) + 1;
      const isFineEnough = each.bucketMs <= bucketMs * MAX_BUCKET_RATIO;
      return isFineEnough && common >= (to - from + 1) * MIN_COVERED_SHARE;
    });
  }

  find(seriesId: number, meta: ChunkMeta): CachedChunk | undefined {
    const series = this.#series.get(seriesId);
    const found = series?.chunks.get(meta.firstAt);
    if (!found || !isOf(found, meta)) return undefined;
    found.lastUse = series?.uses ?? 0;
    return found;
  }

  /** Adds the bytes of a chunk, or its zones; another chunk with the same first time is replaced. */
  add(seriesId: number, meta: ChunkMeta, data: Buffer | undefined, zones?: PartialChunk): void {
    const { firstAt, lastAt, writeSeq, rowVersion } = meta;
    if (rowVersion === undefined) return;
    const series = this.#series.get(seriesId) ?? this.#newSeries(seriesId);
    // A copy: the bytes are a part of a packed value, which would stay in memory with them.
    const copy = data && Buffer.from(data);
    const added = { lastAt, writeSeq, rowVersion, data: copy, zones, lastUse: series.uses };
    const replaced = series.chunks.get(firstAt);
    const growth = bytesOf(added) - (replaced ? bytesOf(replaced) : 0);
    if (series.bytes + growth > this.#maxBytes / SERIES_SHARE) {
      this.#drop(series);
      return;
    }
    series.chunks.set(firstAt, added);
    this.#grow(series, growth);
  }

  /** Notes that a range was read as a whole, which makes its series the last that is evicted. */
  note(seriesId: number, { from, to }: Range, bucketMs: number): void {
    const series = this.#series.get(seriesId);
    if (!series) return;
    this.#series.delete(seriesId);
    this.#series.set(seriesId, series);
    if (!series.isOverflowing) {
      const others = series.coverages.filter(
        (each) => each.bucketMs < bucketMs || each.from < from || each.to > to,
      );
      series.coverages = [...others, { from, to, bucketMs }].slice(-MAX_COVERAGES);
    }
    series.isOverflowing = false;
    deleteIdle(series);
    series.uses += 1;
    // Zones grow while they are used.
    let bytes = 0;
    for (const chunk of series.chunks.values()) bytes += bytesOf(chunk);
    this.#grow(series, bytes - series.bytes);
  }

  #newSeries(seriesId: number): CachedSeries {
    const series = { chunks: new Map(), coverages: [], bytes: 0, uses: 0, isOverflowing: false };
    this.#series.set(seriesId, series);
    return series;
  }

  #drop(series: CachedSeries): void {
    this.#bytes -= series.bytes;
    series.bytes = 0;
    series.chunks.clear();
    series.coverages = [];
    series.isOverflowing = true;
  }

  #grow(series: CachedSeries, bytes: number): void {
    series.bytes += bytes;
    this.#bytes += bytes;
    for (const [seriesId, oldest] of this.#series) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#series.delete(seriesId);
      this.#bytes -= oldest.bytes;
    }
  }
}

/** What an earlier query covered may have been among them. */
function deleteIdle(series: CachedSeries): void {
  for (const [firstAt, { lastUse }] of series.chunks) {
    if (series.uses - lastUse < MAX_IDLE_USES) continue;
    series.chunks.delete(firstAt);
    series.coverages = series.coverages.slice(-1);
  }
}

function isOf({ lastAt, writeSeq, rowVersion }: CachedChunk, meta: ChunkMeta): boolean {
  return lastAt === meta.lastAt && writeSeq === meta.writeSeq && rowVersion === meta.rowVersion;
}

function bytesOf({ data, zones }: CachedChunk): number {
  return BYTES_PER_ENTRY + (data?.length ?? 0) + (zones?.bytes ?? 0);
}
