import type { Value } from '../reading.ts';
import { ordering, SLICE } from './radix-sort.ts';

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

/** Makes columns for so many readings. */
export type MakeColumns = typeof columnsOf;

/** For columns that are done with before the next are made: those with numbers share their memory. */
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

/** The readings from `start` up to, without, `end`. */
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

/** Where the first time at or after `time` stands, from `start` up to `end`. */
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

/** The readings with times within `[from, to]`, of columns in the order of time. */
export function within(columns: Columns, from: number, to: number): Columns {
  return sliceOf(columns, indexOfTime(columns.times, from), indexOfTime(columns.times, to + 1));
}

/** Puts readings in the order of time, once each: of the same time, the last one counts. */
export function settled(columns: Columns): Columns {
  const steps = settling(columns);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same a few milliseconds at a time, so that the caller may let other work go on. */
export function* settling(columns: Columns, make = columnsOf): Generator<undefined, Columns> {
  const { times, kind } = columns;
  if (ascends(times, true)) return columns;
  const order = ascends(times, false) ? undefined : yield* ordering(times);
  const place = (index: number) => (order ? (order[index] as number) : index);
  const result = make(kind, times.length);
  let count = 0;
  for (let index = 0; index < times.length; index += 1) {
    const from = place(index);
    if (times[from] !== times[place(index + 1)]) {
      result.times[count] = times[from] as number;
      result.values[count] = columns.values[from] as never;
      count += 1;
    }
    if (index % SLICE === SLICE - 1) yield undefined;
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

/** All readings of one kind together, each time once: what a later layer says counts. */
export function merged(kind: Kind, layers: readonly Columns[]): Columns {
  return layers.length === 1 && layers[0] ? layers[0] : settled(joined(kind, layers));
}

/** The readings of the layers one behind the other. */
export function joined(kind: Kind, layers: readonly Columns[]): Columns {
  const count = layers.reduce((sum, { times }) => sum + times.length, 0);
  const result = columnsOf(kind, count);
  let at = 0;
  for (const layer of layers) {
    result.times.set(layer.times, at);
    if (result.kind === 'STRING') {
      for (const value of layer.values) result.values[at++] = value as string;
    } else {
      result.values.set(layer.values as Float64Array, at);
      at += layer.times.length;
    }
  }
  return result;
}
