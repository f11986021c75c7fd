import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { Scale } from './coded-column-reader.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { readIntegers } from './integer-reader.ts';
import { writeIntegers } from './integer-writer.ts';
import { pooledIntegers } from './pooled-arrays.ts';
import { insertSample, SAMPLES } from './sorted-sample.ts';
import type { StepTotals } from './step-totals.ts';

/**
 * Steps that grow by the same difference nearly always. A shift changes all steps from its index on,
 * an exception one step only: a gap between times and one that is late, for example.
 */
export interface SparsePlan {
  readonly difference: number;
  readonly shifts: Events;
  readonly exceptions: Events;
}

interface Events {
  readonly indexes: readonly number[];
  readonly amounts: readonly number[];
}

/** Above this share of events, a code takes fewer bytes. */
const READINGS_PER_EVENT = 16;

const GOLDEN_RATIO = 0.618_033_988_749_894_9;
const samples = new Float64Array(SAMPLES);

/** Undefined when there are too many shifts and exceptions. */
export function planSparse(steps: Float64Array, count: number): SparsePlan | undefined {
  const difference = usualDifference(steps, count);
  const shifts = { indexes: [] as number[], amounts: [] as number[] };
  const exceptions = { indexes: [] as number[], amounts: [] as number[] };
  const most = count / READINGS_PER_EVENT;
  let expected = difference;
  for (let index = 1; index < count; index += 1) {
    const amount = (steps[index] as number) - expected;
    if (amount !== 0) {
      const isAlone = index + 1 === count || steps[index + 1] === expected + difference;
      const events = isAlone ? exceptions : shifts;
      events.indexes.push(index);
      events.amounts.push(amount);
      if (shifts.indexes.length + exceptions.indexes.length > most) return undefined;
      if (!isAlone) expected += amount;
    }
    expected += difference;
  }
  return { difference, shifts, exceptions };
}

function usualDifference(steps: Float64Array, count: number): number {
  for (let taken = 0; taken < SAMPLES; taken += 1) {
    // Scattered, since changes at regular distances would meet samples at regular distances.
    const index = Math.floor((count - 1) * ((taken * GOLDEN_RATIO) % 1));
    insertSample(samples, taken, (steps[index + 1] as number) - (steps[index] as number));
  }
  return samples[SAMPLES >> 1] as number;
}

/** Writes the events among the first `count` steps. */
export function writeSparse(writer: ByteWriter, plan: SparsePlan, count: number): void {
  writer.signed(plan.difference);
  writeEvents(writer, plan.shifts, count);
  writeEvents(writer, plan.exceptions, count);
}

function writeEvents(writer: ByteWriter, { indexes, amounts }: Events, count: number): void {
  let events = indexes.length;
  while (events > 0 && (indexes[events - 1] as number) >= count) events -= 1;
  writer.varint(events);
  if (events === 0) return;
  writeIntegers(writer, Float64Array.from(indexes), events);
  writeIntegers(writer, Float64Array.from(amounts), events);
}

/** Reads the output of writeSparse: steps at any index. */
export class SparseColumn {
  readonly #difference: number;
  /** Integers of 32 bits, since loops over doubles take several times as long. */
  readonly #shiftIndexes: Int32Array;
  /** The sum of all shifts up to each. */
  readonly #shifted: Float64Array;
  readonly #exceptionIndexes: Int32Array;
  readonly #exceptionAmounts: Float64Array;
  /** How many shifts and exceptions are not after the index that stepNear was asked for last. */
  #shift = 0;
  #exception = 0;

  constructor(reader: ByteReader, count: number) {
    this.#difference = reader.signed();
    [this.#shiftIndexes, this.#shifted] = readEvents(reader, count);
    [this.#exceptionIndexes, this.#exceptionAmounts] = readEvents(reader, count);
    for (let shift = 1; shift < this.#shifted.length; shift += 1) {
      this.#shifted[shift] =
        (this.#shifted[shift] as number) + (this.#shifted[shift - 1] as number);
    }
  }

  /** The difference between most neighbours. */
  get difference(): number {
    return this.#difference;
  }

  /** Writes the steps at 0, `distance`, 2 × `distance` and so on. */
  fillEvery(distance: number, into: Float64Array): void {
    let [shift, exception] = [0, 0];
    for (let place = 0; place < into.length; place += 1) {
      const index = place * distance;
      while ((this.#shiftIndexes[shift] ?? Infinity) <= index) shift += 1;
      while ((this.#exceptionIndexes[exception] ?? Infinity) < index) exception += 1;
      const isException = this.#exceptionIndexes[exception] === index;
      const amount = isException ? (this.#exceptionAmounts[exception] as number) : 0;
      into[place] = this.#difference * index + (this.#shifted[shift - 1] ?? 0) + amount;
    }
  }

  stepAt(index: number): number {
    const shift = firstAfter(this.#shiftIndexes, index) - 1;
    const exception = firstAfter(this.#exceptionIndexes, index) - 1;
    const amount =
      this.#exceptionIndexes[exception] === index ? this.#exceptionAmounts[exception] : 0;
    return this.#difference * index + (this.#shifted[shift] ?? 0) + (amount ?? 0);
  }

  /** The same where the last index that was asked for is near. */
  stepNear(index: number): number {
    this.#shift = moved(this.#shiftIndexes, this.#shift, index);
    this.#exception = moved(this.#exceptionIndexes, this.#exception, index);
    const isException = this.#exceptionIndexes[this.#exception - 1] === index;
    const amount = isException ? (this.#exceptionAmounts[this.#exception - 1] as number) : 0;
    const shifted = this.#shift > 0 ? (this.#shifted[this.#shift - 1] as number) : 0;
    return this.#difference * index + shifted + amount;
  }

  /** Sets the totals of the steps from `start` to `end`, exclusive; false if one is an exception. */
  total(start: number, end: number, into: StepTotals): boolean {
    const exception = firstAfter(this.#exceptionIndexes, start - 1);
    if ((this.#exceptionIndexes[exception] ?? end) < end) return false;
    let [least, greatest, sum] = [Infinity, -Infinity, 0];
    let shift = firstAfter(this.#shiftIndexes, start);
    into.first = this.#difference * start + (this.#shifted[shift - 1] ?? 0);
    for (let index = start; index < end; shift += 1) {
      const stop = Math.min(end, this.#shiftIndexes[shift] ?? end);
      const shifted = this.#shifted[shift - 1] ?? 0;
      const first = this.#difference * index + shifted;
      const last = this.#difference * (stop - 1) + shifted;
      least = Math.min(least, first, last);
      greatest = Math.max(greatest, first, last);
      sum += ((stop - index) * (first + last)) / 2;
      into.last = last;
      index = stop;
    }
    into.least = least;
    into.greatest = greatest;
    into.sum = sum;
    return true;
  }

  /** Writes `(first + step * s) / divisor` of the steps from `start` to `end`, exclusive. */
  fill(
    start: number,
    end: number,
    into: Float64Array,
    at: number,
    { first, step, divisor }: Scale,
  ): void {
    const offset = at - start;
    const slope = step * this.#difference;
    let shift = firstAfter(this.#shiftIndexes, start);
    for (let index = start; index < end; shift += 1) {
      const stop = Math.min(end, this.#shiftIndexes[shift] ?? end);
      const base = first + step * (this.#shifted[shift - 1] ?? 0);
      if (slope === 0) into.fill(base / divisor, offset + index, offset + stop);
      else fillLine(into, offset, index, stop, base, slope, divisor);
      index = stop;
    }
    for (let each = firstAfter(this.#exceptionIndexes, start - 1); ; each += 1) {
      const index = this.#exceptionIndexes[each];
      if (index === undefined || index >= end) return;
      into[offset + index] = (first + step * this.stepAt(index)) / divisor;
    }
  }
}

function fillLine(
  into: Float64Array,
  offset: number,
  start: number,
  end: number,
  base: number,
  slope: number,
  divisor: number,
): void {
  if (divisor === 1) {
    for (let each = start; each < end; each += 1) into[offset + each] = base + slope * each;
  } else {
    for (let each = start; each < end; each += 1) {
      into[offset + each] = (base + slope * each) / divisor;
    }
  }
}

const NO_INDEXES = new Int32Array(0);
const NO_AMOUNTS = new Float64Array(0);

function readEvents(reader: ByteReader, count: number): [Int32Array, Float64Array] {
  const events = reader.varint();
  if (events > count) throw new DamagedChunk('it has more events than readings');
  if (events === 0) return [NO_INDEXES, NO_AMOUNTS];
  const listed = readIntegers(reader, events);
  const indexes = pooledIntegers(events);
  for (let event = 0, last = 0; event < events; event += 1) {
    const index = listed[event] as number;
    if (index <= last || index >= count) throw new DamagedChunk('an event in it has no reading');
    indexes[event] = index;
    last = index;
  }
  return [indexes, readIntegers(reader, events)];
}

/** The same as firstAfter, from the position for another limit. */
function moved(indexes: Int32Array, position: number, limit: number): number {
  let at = position;
  while (at > 0 && (indexes[at - 1] as number) > limit) at -= 1;
  while (at < indexes.length && (indexes[at] as number) <= limit) at += 1;
  return at;
}

/** The position of the first index above a limit. */
function firstAfter(indexes: Int32Array, limit: number): number {
  let low = 0;
  let high = indexes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((indexes[middle] as number) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
