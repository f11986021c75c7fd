import { BLOCK_SIZE } from './block-plan.ts';

/** Numbers that come a block at a time. */
export interface BlockSource {
  /** How many numbers `next` will give: BLOCK_SIZE, fewer at the end, 0 behind it. */
  readonly pending: number;
  /** Puts the next numbers into `into`, from `at` on. */
  next(into: Float64Array, at: number): void;
}

/** Of which blocks can be passed over, where it is known with what number the next one begins. */
export interface SkippableSource extends BlockSource {
  /** Passes over the next numbers. Then `resume` comes before `next`. */
  skip(): void;
  /** Tells the first number that `next` will give. */
  resume(next: number): void;
}

/** The readings of a chunk that are asked for: from the first up to, without, the end. */
export interface Span {
  readonly first: number;
  readonly end: number;
}

// Written before it is read, within one call that never waits.
const block = new Float64Array(BLOCK_SIZE);

/** Puts the numbers of a span into `into`, from `at` on. Nothing else there is touched. */
export function readSpan(
  source: BlockSource,
  { first, end }: Span,
  into: Float64Array,
  at: number,
): void {
  for (let start = 0; start < end; ) {
    const stop = start + source.pending;
    if (start >= first && stop <= end) {
      source.next(into, at + start - first);
    } else {
      source.next(block, 0);
      const last = Math.min(stop, end);
      for (let index = Math.max(start, first); index < last; index += 1) {
        into[at + index - first] = block[index - start] as number;
      }
    }
    start = stop;
  }
}

/** Calls `take` with every number of a span, and its place in the span. */
export function visitSpan(
  source: BlockSource,
  { first, end }: Span,
  take: (number: number, place: number) => void,
): void {
  for (let start = 0; start < end; ) {
    const stop = start + source.pending;
    source.next(block, 0);
    const last = Math.min(stop, end);
    for (let index = Math.max(start, first); index < last; index += 1) {
      take(block[index - start] as number, index - first);
    }
    start = stop;
  }
}
