import type { Queries } from '../../storage/index.ts';
import type { ChunkMeta } from '../chunks/index.ts';
import type { DataPart, PartialChunk } from '../codec/index.ts';
import { type ChunkPart, readChunkParts } from './store.ts';

/** Chunks of which a chart decodes a few zones. Their parts are read with one statement. */
export class PartialChunks {
  readonly #chunks = new Map<ChunkMeta, PartialChunk>();
  readonly #parts: (ChunkPart & { readonly chunk: PartialChunk })[] = [];

  /** Adds a chunk with the parts of it that are needed. */
  add(seriesId: number, meta: ChunkMeta, chunk: PartialChunk, parts: readonly DataPart[]): void {
    this.#chunks.set(meta, chunk);
    for (const { offset, length } of parts) {
      this.#parts.push({ seriesId, meta, offset, length, chunk });
    }
  }

  /** Undefined when a chunk no longer exists. */
  async read(db: Queries): Promise<ReadonlyMap<ChunkMeta, PartialChunk> | undefined> {
    if (this.#parts.length === 0) return this.#chunks;
    const found = await readChunkParts(db, this.#parts);
    for (const [index, part] of this.#parts.entries()) {
      const bytes = found[index];
      if (!bytes) return undefined;
      part.chunk.addPart(part, bytes);
    }
    return this.#chunks;
  }
}
