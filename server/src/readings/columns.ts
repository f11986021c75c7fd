import type { Columns } from './codec/index.ts';
import type { Value } from './reading.ts';
import { ordering, SLICE } from './stable-order.ts';

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
export function* settling(columns: Columns): Generator<undefined, Columns> {
  if (ascends(columns.times)) return columns;
  const { times, kind } = columns;
  const order = yield* ordering(times);
  let count = 0;
  for (let index = 0; index < order.length; index += 1) {
    if (times[order[index] as number] === times[order[index + 1] as number]) continue;
    order[count] = order[index] as number;
    count += 1;
    if (count % SLICE === 0) yield undefined;
  }
  const result = columnsOf(kind, count);
  for (let index = 0; index < count; index += 1) {
    const from = order[index] as number;
    result.times[index] = times[from] as number;
    result.values[index] = columns.values[from] as never;
    if (index % SLICE === SLICE - 1) yield undefined;
  }
  return result;
}

function ascends(times: Float64Array): boolean {
  for (let index = 1; index < times.length; index += 1) {
    if ((times[index - 1] as number) >= (times[index] as number)) return false;
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
