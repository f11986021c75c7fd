import type { PieceList } from '../chunks/index.ts';
import type { Range } from '../reading.ts';
import type { SizedPiece } from './store.ts';

/** Overlaps with fewer chunks than this between them are looked at together. */
const NEAR = 64;
/** Folded at once, at most: each layer has about one chunk in memory. */
const MOST_LAYERS = 64;
const MOST_BYTES = 16 * 1024 * 1024;
/** In memory: a time and a value, beside the text. */
const READING_BYTES = 16;

/** The parts of time in which chunks of a Variable overlap. */
export function* overlapRanges(pieces: PieceList): Generator<Range> {
  const { firstAt, lastAt, length } = pieces;
  let found: { from: number; to: number; index: number } | undefined;
  let start = 0;
  let end = -Infinity;
  for (let index = 0; index < length; index += 1) {
    const [first, last] = [firstAt[index] as number, lastAt[index] as number];
    if (first > end) start = index;
    else if (found && start <= found.index + NEAR) {
      found.index = index;
      found.to = Math.max(found.to, end, last);
    } else {
      if (found) yield { from: found.from, to: found.to };
      found = { from: firstAt[start] as number, to: Math.max(end, last), index };
    }
    end = Math.max(end, last);
  }
  if (found) yield { from: found.from, to: found.to };
}

/**
 * Groups of chunks to be folded by themselves, such that a group is little enough for memory
 * wherever its chunks overlap. A group has all that was written between its oldest and its newest,
 * so that its result wins and loses against all others as its parts did.
 */
export function groupsOf(pieces: readonly SizedPiece[]): SizedPiece[][] {
  const heaviest = new Map<number, number>();
  for (const { written, count, bytes } of pieces) {
    const weight = READING_BYTES * count + 2 * bytes;
    heaviest.set(written, Math.max(weight, heaviest.get(written) ?? 0));
  }
  const groupOfLayer = new Map<number, number>();
  let [group, layers, held] = [0, 0, 0];
  for (const [written, weight] of [...heaviest].sort(([a], [b]) => a - b)) {
    if (layers >= MOST_LAYERS || (layers > 1 && held + weight > MOST_BYTES)) {
      [group, layers, held] = [group + 1, 0, 0];
    }
    groupOfLayer.set(written, group);
    layers += 1;
    held += weight;
  }
  const groups = Array.from({ length: group + 1 }, (): SizedPiece[] => []);
  for (const piece of pieces) groups[groupOfLayer.get(piece.written) ?? 0]?.push(piece);
  return groups;
}
