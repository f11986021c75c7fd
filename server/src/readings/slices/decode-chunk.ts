import type { Piece } from '../chunks/index.ts';
import { DamagedChunk, decode } from '../codec/index.ts';
import type { Columns } from '../columns/index.ts';

export const NO_BYTES = new Uint8Array();

export function decodeChunk(seriesId: number, piece: Piece, data: Buffer | undefined): Columns {
  return named(seriesId, piece, () => decode(data ?? NO_BYTES));
}

/** What is damaged is told by name. */
export function named<T>(seriesId: number, { firstAt, lastAt }: Piece, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DamagedChunk)) throw error;
    throw error.of(`of Variable ${seriesId} from ${firstAt} to ${lastAt}`);
  }
}
