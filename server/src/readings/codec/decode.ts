import { readBooleans } from './booleans.ts';
import { type Chunk, open } from './chunk.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { readNumbers } from './numbers.ts';
import { readStrings } from './strings.ts';
import { readTimes } from './times.ts';

/** Readings side by side: what has the same index belongs together. */
export type Columns = NumberColumns | BooleanColumns | StringColumns;

export interface NumberColumns {
  readonly kind: 'NUMBER';
  readonly times: Float64Array;
  readonly values: Float64Array;
}

export interface BooleanColumns {
  readonly kind: 'BOOLEAN';
  readonly times: Float64Array;
  /** 1 for true, 0 for false. */
  readonly values: Uint8Array;
}

export interface StringColumns {
  readonly kind: 'STRING';
  readonly times: Float64Array;
  readonly values: string[];
}

/** All readings of a chunk. Throws DamagedChunk. */
export function decode(bytes: Uint8Array): Columns {
  const chunk = open(bytes);
  const columns = columnsFor(chunk);
  fill(chunk, -Infinity, Infinity, columns, 0);
  return columns;
}

/**
 * Puts the readings with times within `[from, to]` into columns, from `at` on, and answers how
 * many. Nothing else in the columns is touched, and nothing is made for readings outside. Throws
 * DamagedChunk, also for a chunk of another kind, and RangeError when there is no room.
 */
export function decodeRange(
  bytes: Uint8Array,
  from: number,
  to: number,
  into: Columns,
  at: number,
): number {
  const chunk = open(bytes);
  if (chunk.kind !== into.kind) {
    throw new DamagedChunk(`its kind is ${chunk.kind}, not ${into.kind}`);
  }
  return fill(chunk, from, to, into, at);
}

function columnsFor({ kind, count }: Chunk): Columns {
  const times = new Float64Array(count);
  switch (kind) {
    case 'NUMBER':
      return { kind, times, values: new Float64Array(count) };
    case 'BOOLEAN':
      return { kind, times, values: new Uint8Array(count) };
    case 'STRING':
      return { kind, times, values: new Array<string>(count) };
  }
}

function fill(
  { count, reader }: Chunk,
  from: number,
  to: number,
  into: Columns,
  at: number,
): number {
  const span = readTimes(reader.section(), count, from, to, into.times, at);
  const taken = span.end - span.first;
  if (into.kind !== 'STRING' && at + taken > into.values.length) {
    throw new RangeError('There is no room for the values.');
  }
  if (taken === 0) return 0;
  switch (into.kind) {
    case 'NUMBER':
      readNumbers(reader, count, span, into.values, at);
      break;
    case 'BOOLEAN':
      readBooleans(reader, count, span, into.values, at);
      break;
    case 'STRING':
      readStrings(reader, count, span, into.values, at);
      break;
  }
  return taken;
}
