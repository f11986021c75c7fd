import { type ChunkMetaList, FULL_CHUNK_BYTES, isShortEnough } from '../chunks/index.ts';

/** The maximum number of chunks that become one. */
const MAX_CHUNKS_PER_MERGE = 64;

/** More than a full chunk, so that what is merged fills one. */
const MAX_BYTES_PER_MERGE = 2 * FULL_CHUNK_BYTES;

/** Consecutive chunks from `start` to `end`, exclusive. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/** Runs of small neighbours that are worth merging. None of the chunks overlap. */
export function* smallChunkRuns(metas: ChunkMetaList, readingsPerChunk: number): Generator<Run> {
  let [start, count, bytes, largest] = [0, 0, 0, 0];
  for (let index = 0; index <= metas.length; index += 1) {
    const own = index < metas.length ? metas.countAt(index) : Infinity;
    const size = index < metas.length ? metas.sizeAt(index) : Infinity;
    const isFull = size >= FULL_CHUNK_BYTES;
    const isLimitReached =
      count + own > readingsPerChunk ||
      bytes + size > MAX_BYTES_PER_MERGE ||
      !isShortEnough(metas.firstAt[start] ?? 0, metas.lastAt[index] ?? 0, count + own);
    if (isFull || isLimitReached || index - start === MAX_CHUNKS_PER_MERGE) {
      const length = index - start;
      // A merge must at least double the largest chunk, which bounds how often a reading is rewritten.
      if (length > 1 && (2 * largest <= count || length === MAX_CHUNKS_PER_MERGE)) {
        yield { start, end: index };
      }
      [start, count, bytes, largest] = [isFull ? index + 1 : index, 0, 0, 0];
      if (isFull) continue;
    }
    count += own;
    bytes += size;
    largest = Math.max(largest, own);
  }
}
