import type { MergeCursor } from './merge-cursor.ts';
import type { SizedChunkMeta } from './store.ts';

/** How far the cursor advances next. */
export interface MergeStep {
  /** The chunks to open first. */
  readonly metas: readonly SizedChunkMeta[];
  /** No other chunk has readings before this time. */
  readonly before: number;
  /** Whether no merged chunk may extend over this time. */
  readonly isBorder: boolean;
  /** The index of the first chunk of the next step. */
  readonly next: number;
}

const CHUNKS_PER_STEP = 64;
const BYTES_PER_STEP = 4 * 1024 * 1024;

/**
 * The next step among chunks ordered by their first times. A chunk into which no reading of another
 * falls is not rewritten: a few late readings rewrite only the chunks that they fall into.
 */
export function nextStep(
  all: readonly SizedChunkMeta[],
  start: number,
  cursor: Pick<MergeCursor, 'hasWithin'>,
): MergeStep {
  const metas: SizedChunkMeta[] = [];
  let [bytes, end, next] = [0, -Infinity, start];
  for (; next < all.length; next += 1) {
    const meta = all[next] as SizedChunkMeta;
    const { firstAt, lastAt } = meta;
    const isFull = metas.length === CHUNKS_PER_STEP || bytes >= BYTES_PER_STEP;
    if (isFull) return { metas, before: firstAt, isBorder: false, next };
    const isApart = end < firstAt && lastAt < (all[next + 1]?.firstAt ?? Infinity);
    if (isApart && !cursor.hasWithin(firstAt, lastAt)) {
      return { metas, before: firstAt, isBorder: true, next: next + 1 };
    }
    metas.push(meta);
    bytes += meta.bytes;
    end = Math.max(end, lastAt);
  }
  return { metas, before: Infinity, isBorder: true, next };
}
