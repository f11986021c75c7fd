import type { ChunkMeta } from '../chunks/index.ts';
import { DamagedChunk, decode, PartialChunk } from '../codec/index.ts';
import type { Columns } from '../columns/index.ts';

export const NO_BYTES = new Uint8Array();

export function decodeChunk(seriesId: number, meta: ChunkMeta, data: Buffer | undefined): Columns {
  return named(seriesId, meta, () => decode(data ?? NO_BYTES));
}

/** Opens a chunk by its head, to read parts of its data. */
export function openPartial(seriesId: number, meta: ChunkMeta, head: Buffer): PartialChunk {
  return named(seriesId, meta, () => new PartialChunk(head));
}

/** Adds series and time range to a DamagedChunk. */
export function named<T>(seriesId: number, { firstAt, lastAt }: ChunkMeta, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DamagedChunk)) throw error;
    throw error.of(`of Variable ${seriesId} from ${firstAt} to ${lastAt}`);
  }
}
