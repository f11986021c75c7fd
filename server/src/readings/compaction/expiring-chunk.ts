import type { ChunkMeta, ChunkMetaList } from '../chunks/index.ts';
import { indexOfTime } from '../columns/index.ts';

/** Expired readings of a chunk that is still needed stay for so long: it is rewritten once a day at most. */
const MAX_EXPIRED_MS = 86_400_000;

/**
 * The chunk that holds the end of history, if it has readings that expired more than a day ago. No two
 * of the chunks overlap, so there is one at most.
 */
export function expiringChunk(metas: ChunkMetaList, keptFrom: number): ChunkMeta | undefined {
  const index = indexOfTime(metas.lastAt, keptFrom);
  const firstAt = metas.firstAt[index] ?? Infinity;
  return firstAt < keptFrom - MAX_EXPIRED_MS ? metas.metaAt(index) : undefined;
}
