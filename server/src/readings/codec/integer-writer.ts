import { BLOCK_SIZE, planBlock } from './block-plan.ts';
import { writeBlock } from './block-writer.ts';
import type { ByteWriter } from './byte-writer.ts';
import { greatestDivisor } from './greatest-divisor.ts';
import { insertSample, SAMPLES } from './sorted-sample.ts';

/** Differences of integers within this limit of 0 are exact. */
export const INTEGER_LIMIT = 2 ** 48;

export const DIFFERENCES_FLAG = 1;
export const UNIFORM_FLAG = 2;
export const STEP_FLAG = 4;

// Scratch space: written before they are read, within one synchronous call.
const items = new Float64Array(BLOCK_SIZE);
const extremes = new Float64Array(2);
const samples = new Float64Array(SAMPLES);

/** The parameters of written integers: each is `first + step * steps`; the array holds the steps. */
export interface Sequence {
  readonly first: number;
  readonly step: number;
  /** The difference between neighbours in steps, if it is constant. */
  readonly uniform: number | undefined;
}

/**
 * Writes one integer or more in units of their greatest common divisor: themselves or their
 * differences, whichever are smaller. The array holds the steps afterwards.
 */
export function writeIntegers(writer: ByteWriter, integers: Float64Array, count: number): Sequence {
  const { first, step } = toSteps(integers, count);
  const difference = count > 1 ? (integers[1] as number) : 0;
  const isUniform = isProgression(integers, count, difference);
  const usesDifferences = isUniform || areDifferencesSmaller(integers, count);
  writer.byte(
    (usesDifferences ? DIFFERENCES_FLAG : 0) |
      (isUniform ? UNIFORM_FLAG : 0) |
      (step === 1 ? 0 : STEP_FLAG),
  );
  writer.signed(first);
  if (step !== 1) writer.varint(step);
  if (isUniform) writer.signed(difference);
  else writeBlocks(writer, integers, count, usesDifferences);
  return { first, step, uniform: isUniform ? difference : undefined };
}

/** Replaces integers by their steps: each is `first + step * steps`. */
export function toSteps(integers: Float64Array, count: number): Omit<Sequence, 'uniform'> {
  const first = integers[0] as number;
  const step = greatestDivisor(integers, count);
  if (first !== 0 || step !== 1) {
    for (let index = 0; index < count; index += 1) {
      integers[index] = ((integers[index] as number) - first) / step;
    }
  }
  return { first, step };
}

function isProgression(integers: Float64Array, count: number, difference: number): boolean {
  for (let index = 2; index < count; index += 1) {
    if (integers[index] !== index * difference) return false;
  }
  return true;
}

function writeBlocks(
  writer: ByteWriter,
  integers: Float64Array,
  count: number,
  usesDifferences: boolean,
): void {
  let base = 0;
  for (let start = 0; start < count; start += BLOCK_SIZE) {
    const length = Math.min(BLOCK_SIZE, count - start);
    if (usesDifferences) takeDifferences(integers, count, start, length);
    else takeIntegers(integers, start, length);
    const plan = planBlock(items, length, extremes[0] as number, extremes[1] as number);
    writeBlock(writer, items, length, plan, base);
    base = plan.base;
  }
}

/** Fills `items` with integers, and `extremes` with the smallest and largest. */
function takeIntegers(integers: Float64Array, start: number, length: number): void {
  let least = Infinity;
  let greatest = -Infinity;
  for (let index = 0; index < length; index += 1) {
    const item = integers[start + index] as number;
    items[index] = item;
    least = Math.min(least, item);
    greatest = Math.max(greatest, item);
  }
  extremes[0] = least;
  extremes[1] = greatest;
}

/** Fills `items` with differences to the next integer; the last item repeats the one before. */
function takeDifferences(
  integers: Float64Array,
  count: number,
  start: number,
  length: number,
): void {
  const known = Math.min(length, count - 1 - start);
  let last = integers[start] as number;
  let least = Infinity;
  let greatest = -Infinity;
  for (let index = 0; index < known; index += 1) {
    const next = integers[start + index + 1] as number;
    const item = next - last;
    items[index] = item;
    last = next;
    least = Math.min(least, item);
    greatest = Math.max(greatest, item);
  }
  if (known < length) {
    const item = (integers[count - 1] as number) - (integers[count - 2] as number);
    items[known] = item;
    least = Math.min(least, item);
    greatest = Math.max(greatest, item);
  }
  extremes[0] = least;
  extremes[1] = greatest;
}

/** Compares a few samples of each block, without the extreme ones. */
function areDifferencesSmaller(integers: Float64Array, count: number): boolean {
  let surplus = 0;
  for (let start = 0; start < count - 1; start += BLOCK_SIZE) {
    const length = Math.min(BLOCK_SIZE, count - 1 - start);
    surplus += sampledWidth(integers, start, length, 0) - sampledWidth(integers, start, length, 1);
  }
  return surplus >= 0;
}

/** The estimated bits of an integer of a block, or of its difference to the next. */
function sampledWidth(integers: Float64Array, start: number, length: number, ahead: 0 | 1): number {
  for (let taken = 0; taken < SAMPLES; taken += 1) {
    const index = start + Math.floor(((taken + 0.5) * length) / SAMPLES);
    const integer = integers[index] as number;
    insertSample(samples, taken, ahead === 0 ? integer : (integers[index + 1] as number) - integer);
  }
  return Math.log2(1 + (samples[SAMPLES - 2] as number) - (samples[1] as number));
}
