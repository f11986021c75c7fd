import { BLOCK_SIZE } from './block-plan.ts';

/** A source of numbers, a block at a time. */
export interface BlockSource {
  /** The number of numbers that `next` will return: BLOCK_SIZE, fewer in the last block, then 0. */
  readonly pending: number;
  /** Writes the next numbers into `into` from `at` on. */
  next(into: Float64Array, at: number): void;
}

/** A source whose blocks can be skipped if the first number of the next one is known. */
export interface SkippableSource extends BlockSource {
  /** Skips the next numbers. `resume` must precede `next` afterwards. */
  skip(): void;
  /** Sets the first number that `next` will return. */
  resume(next: number): void;
}

/** The requested readings of a chunk: from `first` to `end`, exclusive. */
export interface Span {
  readonly first: number;
  readonly end: number;
}

// Scratch space: written before it is read, within one synchronous call.
const block = new Float64Array(BLOCK_SIZE);

/** Writes the numbers of a span into `into` from `at` on, and nothing else. */
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

/** Calls `take` with every number of a span, and its index in the span. */
export function visitSpan(
  source: BlockSource,
  { first, end }: Span,
  take: (number: number, index: number) => void,
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
