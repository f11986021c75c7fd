import { BLOCK_SIZE } from './block-plan.ts';
import {
  IN_DOUBLES,
  IN_STEPS,
  IN_STEPS_WITH_SUMS,
  NO_SUMMARIES,
  zoneSizeOf,
} from './block-summary-form.ts';
import type { ByteWriter } from './byte-writer.ts';
import { MAX_READINGS } from './chunk-header.ts';
import type { DecimalEncoding } from './decimal-encoding.ts';
import type { Sequence } from './integer-writer.ts';
import type { ValueForm } from './numbers.ts';

/** The forms in which the columns were written, and the steps that the writers computed. */
export interface SummarizedColumns {
  readonly times: { readonly sequence: Sequence; readonly steps: Float64Array };
  readonly values: {
    readonly form: ValueForm;
    readonly steps: Float64Array;
    readonly values: Float64Array;
  };
}

/** Within this limit, sums of integers and of their distances are exact. */
const SUMMED_LIMIT = 2 ** 42;

// Scratch space by zone, in steps: written before it is read, within one synchronous call.
const least = new Float64Array(MAX_READINGS / BLOCK_SIZE);
const greatest = new Float64Array(MAX_READINGS / BLOCK_SIZE);
const sums = new Float64Array(MAX_READINGS / BLOCK_SIZE);

/** Writes the summaries that let a reader skip zones; none when the columns have no such form. */
export function writeBlockSummaries(
  writer: ByteWriter,
  count: number,
  columns: SummarizedColumns | undefined,
): void {
  if (!columns) {
    writer.byte(NO_SUMMARIES);
    return;
  }
  const { times, values } = columns;
  const { form } = values;
  const code = form === 'DOUBLES' ? IN_DOUBLES : formOf(form, values.steps, count);
  const size = zoneSizeOf(code);
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

/**
 * Computes the zones too. A 32-bit value is no exact multiple of its decimal unit, so that its sum
 * is written as a double.
 */
function formOf(
  { encoding, sequence }: { readonly encoding: DecimalEncoding; readonly sequence: Sequence },
  steps: Float64Array,
  count: number,
): number {
  const { first, step, uniform } = sequence;
  if (uniform === 0) return IN_STEPS;
  const reach = Math.abs(first) + step * sumUp(steps, count);
  return encoding.isSingle || reach > SUMMED_LIMIT ? IN_STEPS_WITH_SUMS : IN_STEPS;
}

/** Fills the scratch space, and returns the largest distance of a step from 0. */
function sumUp(steps: Float64Array, count: number): number {
  let reach = 0;
  for (let zone = 0; zone * BLOCK_SIZE < count; zone += 1) {
    const start = zone * BLOCK_SIZE;
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
    least[zone] = lowest;
    greatest[zone] = highest;
    sums[zone] = sum;
    reach = Math.max(reach, -lowest, highest);
  }
  return reach;
}

/** Each number is written as its distance from another one, so that most are short. */
function writeEnds(
  writer: ByteWriter,
  steps: Float64Array,
  start: number,
  end: number,
  withSum: boolean,
): void {
  const zone = start / BLOCK_SIZE;
  const first = steps[start] as number;
  if (start > 0) writer.signed(first - (steps[start - 1] as number));
  writer.signed((steps[end - 1] as number) - first);
  writer.varint(first - (least[zone] as number));
  writer.varint((greatest[zone] as number) - first);
  if (withSum) writer.signed(sums[zone] as number);
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
