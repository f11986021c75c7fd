import type { PieceList } from '../chunks/index.ts';

/** Joined at once, at most. */
const MOST_PIECES = 64;

/** Places of chunks one after the other; the end does not belong to them. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/** Neighbours with few readings that are worth being one chunk. None of the chunks overlap. */
export function* neighbourRuns(pieces: PieceList, chunkReadings: number): Generator<Run> {
  let [start, count, largest] = [0, 0, 0];
  for (let index = 0; index <= pieces.length; index += 1) {
    const own = index < pieces.length ? pieces.countAt(index) : Infinity;
    if (count + own > chunkReadings || index - start === MOST_PIECES) {
      const length = index - start;
      // A reading is not written again for less than a doubling of its chunk.
      if (length > 1 && (2 * largest <= count || length === MOST_PIECES)) {
        yield { start, end: index };
      }
      [start, count, largest] = [index, 0, 0];
    }
    count += own;
    largest = Math.max(largest, own);
  }
}
