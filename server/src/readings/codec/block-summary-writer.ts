import { BLOCK_SIZE } from './block-plan.ts';
import {
  IN_DOUBLES,
  IN_STEPS,
  IN_STEPS_WITH_SUMS,
  NO_INDEX,
  partSizeOf,
} from './block-summary-form.ts';
import type { ByteWriter } from './byte-writer.ts';
import { MAX_READINGS } from './chunk-header.ts';
import type { Lattice } from './decimal-encoding.ts';
import type { Sequence } from './integer-writer.ts';
import type { ValueForm } from './numbers.ts';

/** What was written of a chunk, and what the writing left behind. */
export interface Indexed {
  readonly times: { readonly sequence: Sequence; readonly steps: Float64Array };
  readonly values: {
    readonly form: ValueForm;
    readonly steps: Float64Array;
    readonly values: Float64Array;
  };
}

/** Sums of so small integers, and of their distances from each other, are exact. */
const SUMMED_LIMIT = 2 ** 42;

// Of the parts of a chunk in steps. Written before they are read, within one call that never waits.
const least = new Float64Array(MAX_READINGS / BLOCK_SIZE);
const greatest = new Float64Array(MAX_READINGS / BLOCK_SIZE);
const sums = new Float64Array(MAX_READINGS / BLOCK_SIZE);

/** Writes what lets a reader pass over parts; nothing of it when there is nothing to tell. */
export function writeIndex(writer: ByteWriter, count: number, indexed: Indexed | undefined): void {
  if (!indexed) {
    writer.byte(NO_INDEX);
    return;
  }
  const { times, values } = indexed;
  const { form } = values;
  const code = form === 'DOUBLES' ? IN_DOUBLES : formOf(form, values.steps, count);
  const size = partSizeOf(code);
  writer.byte(code);
  if (times.sequence.uniform === undefined) writeStarts(writer, times.steps, count, size);
  for (let start = 0; start < count; start += size) {
    const end = Math.min(start + size, count);
    if (form === 'DOUBLES') {
      writeDoubles(writer, values.values, start, end);
    } else {
      const isUniform = form.sequence.uniform !== undefined;
      if (!isUniform) writeEnds(writer, values.steps, start, end, code === IN_STEPS);
      if (code === IN_STEPS_WITH_SUMS) writer.double(sumOf(values.values, start, end));
    }
  }
}

function writeStarts(writer: ByteWriter, steps: Float64Array, count: number, size: number): void {
  for (let start = size; start < count; start += size) {
    writer.varint((steps[start] as number) - (steps[start - size] as number));
  }
}

/** Sums up by the way. A value of 32 bits is not a multiple of its lattice's unit, and a sum of them is not either. */
function formOf(
  { lattice, sequence }: { readonly lattice: Lattice; readonly sequence: Sequence },
  steps: Float64Array,
  count: number,
): number {
  const { first, step, uniform } = sequence;
  if (uniform === 0) return IN_STEPS;
  const reach = Math.abs(first) + step * sumUp(steps, count);
  return lattice.isSingle || reach > SUMMED_LIMIT ? IN_STEPS_WITH_SUMS : IN_STEPS;
}

/** Fills the columns of parts, and answers how far the steps reach from 0. */
function sumUp(steps: Float64Array, count: number): number {
  let reach = 0;
  for (let part = 0; part * BLOCK_SIZE < count; part += 1) {
    const start = part * BLOCK_SIZE;
    const end = Math.min(start + BLOCK_SIZE, count);
    const first = steps[start] as number;
    let lowest = first;
    let highest = first;
    let sum = 0;
    for (let index = start; index < end; index += 1) {
      const number = steps[index] as number;
      if (number < lowest) lowest = number;
      if (number > highest) highest = number;
      sum += number - first;
    }
    least[part] = lowest;
    greatest[part] = highest;
    sums[part] = sum;
    reach = Math.max(reach, -lowest, highest);
  }
  return reach;
}

/** Every number as its distance from another one, so that most are short. */
function writeEnds(
  writer: ByteWriter,
  steps: Float64Array,
  start: number,
  end: number,
  withSum: boolean,
): void {
  const part = start / BLOCK_SIZE;
  const first = steps[start] as number;
  if (start > 0) writer.signed(first - (steps[start - 1] as number));
  writer.signed((steps[end - 1] as number) - first);
  writer.varint(first - (least[part] as number));
  writer.varint((greatest[part] as number) - first);
  if (withSum) writer.signed(sums[part] as number);
}

function writeDoubles(writer: ByteWriter, values: Float64Array, start: number, end: number): void {
  let min = Infinity;
  let max = -Infinity;
  for (let index = start; index < end; index += 1) {
    const value = values[index] as number;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  writer.double(min);
  writer.double(max);
  writer.double(sumOf(values, start, end));
  writer.double(values[start] as number);
  writer.double(values[end - 1] as number);
}

function sumOf(values: Float64Array, start: number, end: number): number {
  let sum = 0;
  for (let index = start; index < end; index += 1) sum += values[index] as number;
  return sum;
}
