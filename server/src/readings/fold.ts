import type { Piece } from './chunk-row.ts';

/** Chunks of one Variable to be written anew, as one. */
export interface Fold {
  readonly pieces: readonly Piece[];
  /** The place of the result in the order of writing. */
  readonly written: number;
  /** Readings in a chunk of the result, at most. */
  readonly most: number;
}

/** In one step, at most: bounds its memory and its time. */
const PIECES_A_FOLD = 64;
const PARTS_OF_A_SPLIT = 16;

/**
 * What to fold next among the chunks of a Variable, which come in the order of their beginnings.
 * Overlaps go first. Where nothing overlaps, neighbours with few readings are joined.
 */
export function nextFold(pieces: readonly Piece[], chunkReadings: number): Fold | undefined {
  return overlapFold(pieces, chunkReadings) ?? neighbourFold(pieces, chunkReadings);
}

/**
 * The earliest chunk that overlaps, with those that were written right after it. Nothing written in
 * between is left out, so the result wins and loses against all others as its parts did.
 */
function overlapFold(pieces: readonly Piece[], chunkReadings: number): Fold | undefined {
  const pair = firstOverlap(pieces);
  if (!pair) return undefined;
  const older = pair[0].written <= pair[1].written ? pair[0] : pair[1];
  const others = pieces.filter((piece) => piece !== older && overlaps(piece, older));
  const later = others.filter((piece) => piece.written >= older.written);
  const written = Math.min(...later.map((piece) => piece.written));
  const folded = [older, ...later.filter((piece) => piece.written === written)];
  if (folded.length <= PIECES_A_FOLD || older.count === 1) {
    return { pieces: folded, written, most: chunkReadings };
  }
  // One long chunk over many short ones: its parts meet few of them each.
  const most = Math.ceil(older.count / PARTS_OF_A_SPLIT);
  return { pieces: [older], written: older.written, most };
}

function overlaps(a: Piece, b: Piece): boolean {
  return a.firstAt <= b.lastAt && b.firstAt <= a.lastAt;
}

function firstOverlap(pieces: readonly Piece[]): [Piece, Piece] | undefined {
  let longest: Piece | undefined;
  for (const piece of pieces) {
    if (longest && piece.firstAt <= longest.lastAt) return [longest, piece];
    longest = piece;
  }
  return undefined;
}

function neighbourFold(pieces: readonly Piece[], chunkReadings: number): Fold | undefined {
  let run: Piece[] = [];
  let count = 0;
  for (const piece of pieces) {
    const fits = count + piece.count <= chunkReadings && run.length < PIECES_A_FOLD;
    if (!fits && isWorthwhile(run, count, chunkReadings)) break;
    if (!fits) {
      run = [];
      count = 0;
    }
    run.push(piece);
    count += piece.count;
  }
  if (!isWorthwhile(run, count, chunkReadings)) return undefined;
  return { pieces: run, written: Math.max(...run.map(({ written }) => written)), most: count };
}

/** A reading is not written again for less than a doubling of its chunk. */
function isWorthwhile(run: readonly Piece[], count: number, chunkReadings: number): boolean {
  const largest = Math.max(0, ...run.map((piece) => piece.count));
  return (
    run.length > 1 &&
    (2 * largest <= count || run.length === PIECES_A_FOLD) &&
    count <= chunkReadings
  );
}
