import type { ChunkMetaList } from '../chunks/index.ts';

/** The maximum number of chunks that become one. */
const MAX_CHUNKS_PER_MERGE = 64;

/** Consecutive chunks from `start` to `end`, exclusive. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/** Runs of small neighbours that are worth merging. None of the chunks overlap. */
export function* smallChunkRuns(metas: ChunkMetaList, readingsPerChunk: number): Generator<Run> {
  let [start, count, largest] = [0, 0, 0];
  for (let index = 0; index <= metas.length; index += 1) {
    const own = index < metas.length ? metas.countAt(index) : Infinity;
    if (count + own > readingsPerChunk || index - start === MAX_CHUNKS_PER_MERGE) {
      const length = index - start;
      // A merge must at least double the largest chunk, which bounds how often a reading is rewritten.
      if (length > 1 && (2 * largest <= count || length === MAX_CHUNKS_PER_MERGE)) {
        yield { start, end: index };
      }
      [start, count, largest] = [index, 0, 0];
    }
    count += own;
    largest = Math.max(largest, own);
  }
}
