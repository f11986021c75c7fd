import type { Value } from '../reading.ts';
import { READINGS_PER_STEP, sortOrderSteps } from './radix-sort.ts';

/** Readings by column: a time and a value with the same index are one reading. */
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

export type Kind = Columns['kind'];

export function columnsOf(kind: Kind, count: number): Columns {
  const times = new Float64Array(count);
  switch (kind) {
    case 'NUMBER':
      return { kind, times, values: new Float64Array(count) };
    case 'BOOLEAN':
      return { kind, times, values: new Uint8Array(count) };
    case 'STRING':
      return { kind, times, values: new Array<string>(count).fill('') };
  }
}

/** Allocates columns for a number of readings. */
export type MakeColumns = typeof columnsOf;

/** Reuses one block of memory for columns of numbers; each call invalidates the columns before. */
export function sharedColumns(): MakeColumns {
  let room = new Float64Array(0);
  return (kind, count) => {
    if (kind !== 'NUMBER') return columnsOf(kind, count);
    if (room.length < 2 * count) room = new Float64Array(4 * count);
    const values = room.subarray(count, 2 * count);
    return { kind, times: room.subarray(0, count), values };
  };
}

export function valueAt(columns: Columns, index: number): Value {
  const value = columns.values[index] as number | string;
  return columns.kind === 'BOOLEAN' ? value === 1 : value;
}

/** The readings from `start` to `end`, exclusive. */
export function sliceOf(columns: Columns, start: number, end: number): Columns {
  if (start === 0 && end === columns.times.length) return columns;
  const times = columns.times.subarray(start, end);
  switch (columns.kind) {
    case 'NUMBER':
      return { kind: 'NUMBER', times, values: columns.values.subarray(start, end) };
    case 'BOOLEAN':
      return { kind: 'BOOLEAN', times, values: columns.values.subarray(start, end) };
    case 'STRING':
      return { kind: 'STRING', times, values: columns.values.slice(start, end) };
  }
}

/** A copy of the first readings. */
export function copyOf(columns: Columns, count: number): Columns {
  const times = columns.times.slice(0, count);
  switch (columns.kind) {
    case 'NUMBER':
      return { kind: 'NUMBER', times, values: columns.values.slice(0, count) };
    case 'BOOLEAN':
      return { kind: 'BOOLEAN', times, values: columns.values.slice(0, count) };
    case 'STRING':
      return { kind: 'STRING', times, values: columns.values.slice(0, count) };
  }
}

/** The index of the first time at or after `time`, between `start` and `end`. */
export function indexOfTime(
  times: Float64Array,
  time: number,
  start = 0,
  end = times.length,
): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The readings with times within `[from, to]`, of columns in time order. */
export function within(columns: Columns, from: number, to: number): Columns {
  return sliceOf(columns, indexOfTime(columns.times, from), indexOfTime(columns.times, to + 1));
}

/** Sorts readings by time; of readings with the same time, the last one wins. */
export function sortedUnique(columns: Columns): Columns {
  const steps = sortUnique(columns);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same as a generator that yields every few milliseconds of work. */
export function* sortUnique(columns: Columns, make = columnsOf): Generator<undefined, Columns> {
  const { times, kind } = columns;
  if (ascends(times, true)) return columns;
  const order = ascends(times, false) ? undefined : yield* sortOrderSteps(times);
  const sourceOf = (index: number) => (order ? (order[index] as number) : index);
  const result = make(kind, times.length);
  let count = 0;
  for (let index = 0; index < times.length; index += 1) {
    const from = sourceOf(index);
    if (times[from] !== times[sourceOf(index + 1)]) {
      result.times[count] = times[from] as number;
      result.values[count] = columns.values[from] as never;
      count += 1;
    }
    if (index % READINGS_PER_STEP === READINGS_PER_STEP - 1) yield undefined;
  }
  return sliceOf(result, 0, count);
}

function ascends(times: Float64Array, isStrict: boolean): boolean {
  for (let index = 1; index < times.length; index += 1) {
    const step = (times[index] as number) - (times[index - 1] as number);
    if (isStrict ? step <= 0 : step < 0) return false;
  }
  return true;
}

/** Merges runs of one kind; of readings with the same time, that of the last run wins. */
export function merged(kind: Kind, runs: readonly Columns[]): Columns {
  return runs.length === 1 && runs[0] ? runs[0] : sortedUnique(joined(kind, runs));
}

/** A copy of runs, one after another. */
export function joined(kind: Kind, runs: readonly Columns[]): Columns {
  const count = runs.reduce((sum, { times }) => sum + times.length, 0);
  const result = columnsOf(kind, count);
  let at = 0;
  for (const run of runs) {
    result.times.set(run.times, at);
    if (result.kind === 'STRING') {
      for (const value of run.values) result.values[at++] = value as string;
    } else {
      result.values.set(run.values as Float64Array, at);
      at += run.times.length;
    }
  }
  return result;
}
