import type { Kind } from '../columns/index.ts';

/** Readings of any Variables in the order in which they came, column by column. */
export interface JournalColumns {
  readonly count: number;
  readonly times: Float64Array;
  /** Of a boolean 0 or 1; of a string its place among the strings. */
  readonly values: Float64Array;
  /** Which Variables they are of. */
  readonly seriesIds: Uint32Array;
  readonly marks: Uint8Array;
  readonly strings: readonly string[];
}

const KINDS: readonly Kind[] = ['NUMBER', 'BOOLEAN', 'STRING'];
export const STRING_MARK = 2;
/** Kept as history, not only as the latest value. */
export const HISTORY_FLAG = 4;
const KIND_BITS = 3;

export function markOf(kind: Kind, isHistory: boolean): number {
  return kindMark(kind) | (isHistory ? HISTORY_FLAG : 0);
}

function kindMark(kind: Kind): number {
  return kind === 'NUMBER' ? 0 : kind === 'BOOLEAN' ? 1 : STRING_MARK;
}

export function kindBits(mark: number): number {
  return mark & KIND_BITS;
}

/** Undefined when the mark is none of ours. */
export function kindOf(mark: number): Kind | undefined {
  return KINDS[mark & KIND_BITS];
}
