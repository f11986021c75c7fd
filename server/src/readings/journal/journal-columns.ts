import type { Kind } from '../columns/index.ts';

/** Readings of any series in order of arrival, column by column. */
export interface JournalColumns {
  readonly count: number;
  readonly times: Float64Array;
  /** A boolean is 0 or 1; a string is its index among the strings. */
  readonly values: Float64Array;
  /** The series of each reading. */
  readonly seriesIds: Uint32Array;
  readonly tags: Uint8Array;
  readonly strings: readonly string[];
}

const KINDS: readonly Kind[] = ['NUMBER', 'BOOLEAN', 'STRING'];
export const STRING_TAG = 2;
/** Set where the reading belongs to the history, not only to the latest values. */
export const HISTORY_FLAG = 4;
const KIND_BITS = 3;

export function tagOf(kind: Kind, isHistory: boolean): number {
  return kindTag(kind) | (isHistory ? HISTORY_FLAG : 0);
}

function kindTag(kind: Kind): number {
  return kind === 'NUMBER' ? 0 : kind === 'BOOLEAN' ? 1 : STRING_TAG;
}

export function kindBits(tag: number): number {
  return tag & KIND_BITS;
}

/** Undefined when the tag is invalid. */
export function kindOf(tag: number): Kind | undefined {
  return KINDS[tag & KIND_BITS];
}
