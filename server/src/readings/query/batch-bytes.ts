import type { Queries } from '../../storage/index.ts';
import { type CachedChunk, type ChunkCache, type ChunkMeta, readChunks } from '../chunks/index.ts';
import { type BlockVisitor, isHeadAlone, isZoned, type PartialChunk } from '../codec/index.ts';
import { openPartial, type PlannedSlice, type SliceBatch, type Source } from '../slices/index.ts';
import { type ChunkPart, readChunkParts } from './store.ts';

export interface BatchBytesOptions {
  /** Takes part of the bytes, and keeps what was read; undefined for queries that are not repeated. */
  readonly cache: ChunkCache | undefined;
  /** Decides which zones of large chunks are read; undefined when whole chunks are. */
  readonly zones: Pick<BlockVisitor, 'summaryEnd'> | undefined;
}

/**
 * Collects the bytes that the slices of a batch need: from the cache, from what was prefetched, and
 * the rest with one statement for whole chunks and one for parts of them.
 */
export class BatchBytes {
  readonly #options: BatchBytesOptions;
  readonly #chunks = new Map<Source, Buffer>();
  readonly #missing = new Map<ChunkMeta, number>();
  readonly #partial = new Map<ChunkMeta, PartialChunk>();
  readonly #parts: (ChunkPart & { readonly chunk: PartialChunk })[] = [];

  constructor(options: BatchBytesOptions) {
    this.#options = options;
  }

  add(seriesId: number, { from, to, sources }: PlannedSlice): void {
    const { zones } = this.#options;
    for (const source of sources) {
      if (source.columns) continue;
      const cached = this.#options.cache?.find(seriesId, source);
      const chunk = zones && sources.length === 1 && this.#zonesOf(seriesId, source, cached);
      if (!chunk) {
        this.#addWhole(seriesId, source, cached);
        continue;
      }
      this.#partial.set(source, chunk);
      for (const part of chunk.neededParts(from, to, zones)) {
        this.#parts.push({ seriesId, meta: source, ...part, chunk });
      }
    }
  }

  /** A chunk that was read by zones before, or of which the head alone was prefetched. */
  #zonesOf(
    seriesId: number,
    source: ChunkMeta,
    cached: CachedChunk | undefined,
  ): PartialChunk | undefined {
    if (cached) {
      if (!cached.zones && cached.data && isZoned(cached.data)) {
        cached.zones = openPartial(seriesId, source, cached.data);
      }
      return cached.zones;
    }
    if (!source.data || !isHeadAlone(source.data)) return undefined;
    // A copy: the head is a part of a packed value, which would stay in memory with it.
    const chunk = openPartial(seriesId, source, Buffer.from(source.data));
    this.#options.cache?.add(seriesId, source, undefined, chunk);
    return chunk;
  }

  #addWhole(seriesId: number, source: ChunkMeta, cached: CachedChunk | undefined): void {
    const prefetched = source.data && !isHeadAlone(source.data) ? source.data : undefined;
    const data = cached?.data ?? prefetched;
    if (!data) {
      this.#missing.set(source, seriesId);
      return;
    }
    this.#chunks.set(source, data);
    if (!cached?.data) this.#options.cache?.add(seriesId, source, data);
  }

  /** Undefined when a chunk no longer exists. */
  async read(db: Queries): Promise<Pick<SliceBatch, 'chunks' | 'partial'> | undefined> {
    if (!(await this.#readWhole(db)) || !(await this.#readParts(db))) return undefined;
    return { chunks: this.#chunks, partial: this.#partial };
  }

  async #readWhole(db: Queries): Promise<boolean> {
    const metas = [...this.#missing.keys()];
    if (metas.length === 0) return true;
    const seriesIds = [...this.#missing.values()];
    const found = await readChunks(db, seriesIds, metas);
    for (const [index, meta] of metas.entries()) {
      const data = found[index];
      if (!data) return false;
      this.#chunks.set(meta, data);
      this.#options.cache?.add(seriesIds[index] as number, meta, data);
    }
    return true;
  }

  async #readParts(db: Queries): Promise<boolean> {
    if (this.#parts.length === 0) return true;
    const found = await readChunkParts(db, this.#parts);
    for (const [index, part] of this.#parts.entries()) {
      const bytes = found[index];
      if (!bytes) return false;
      part.chunk.addPart(part, this.#options.cache ? Buffer.from(bytes) : bytes);
    }
    return true;
  }
}
