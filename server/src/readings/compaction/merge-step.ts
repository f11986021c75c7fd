import type { Front } from './merge-cursor.ts';
import type { SizedPiece } from './store.ts';

/** How far folding goes next. */
export interface Step {
  /** To be read before. */
  readonly pieces: readonly SizedPiece[];
  /** Nothing else has readings before this time. */
  readonly before: number;
  /** No chunk may reach over it. */
  readonly isBorder: boolean;
  /** How many of all chunks are dealt with then. */
  readonly next: number;
}

const PIECES_A_STEP = 64;
const BYTES_A_STEP = 4 * 1024 * 1024;

/**
 * The next step among chunks in the order of their beginnings. A chunk into which no reading of
 * another falls is left as it is: a few late readings far apart rewrite only what they meet.
 */
export function nextStep(
  all: readonly SizedPiece[],
  start: number,
  front: Pick<Front, 'hasWithin'>,
): Step {
  const pieces: SizedPiece[] = [];
  let [bytes, end, next] = [0, -Infinity, start];
  for (; next < all.length; next += 1) {
    const piece = all[next] as SizedPiece;
    const { firstAt, lastAt } = piece;
    const isFull = pieces.length === PIECES_A_STEP || bytes >= BYTES_A_STEP;
    if (isFull) return { pieces, before: firstAt, isBorder: false, next };
    const isApart = end < firstAt && lastAt < (all[next + 1]?.firstAt ?? Infinity);
    if (isApart && !front.hasWithin(firstAt, lastAt)) {
      return { pieces, before: firstAt, isBorder: true, next: next + 1 };
    }
    pieces.push(piece);
    bytes += piece.bytes;
    end = Math.max(end, lastAt);
  }
  return { pieces, before: Infinity, isBorder: true, next };
}
