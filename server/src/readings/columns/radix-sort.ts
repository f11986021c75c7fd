/** Below this count, the histograms cost more than they save. */
const MIN_RADIX_READINGS = 4_096;
const DIGITS = 65_536;
const WORD = 2 ** 32;
/** Readings between two yields. */
export const READINGS_PER_STEP = 65_536;

/** The indexes of the times in ascending order; equal times keep their order. */
export function sortOrder(times: Float64Array): Uint32Array {
  const sorting = sortOrderSteps(times);
  for (;;) {
    const { done, value } = sorting.next();
    if (done) return value;
  }
}

/** The same as a generator that yields every few milliseconds of work. */
export function* sortOrderSteps(times: Float64Array): Generator<undefined, Uint32Array> {
  const order = new Uint32Array(times.length);
  for (let index = 0; index < order.length; index += 1) order[index] = index;
  return times.length < MIN_RADIX_READINGS
    ? order.sort(byTime(times))
    : yield* radixSort(times, order);
}

function byTime(times: Float64Array): (a: number, b: number) => number {
  return (a, b) => (times[a] as number) - (times[b] as number) || a - b;
}

/** A radix sort over up to four digits of 16 bits, least significant first: linear and stable. */
function* radixSort(times: Float64Array, order: Uint32Array): Generator<undefined, Uint32Array> {
  const [min, max] = rangeOf(times);
  const span = max - min;
  let sorted = order;
  let spare: Uint32Array = new Uint32Array(order.length);
  for (let unit = 1, digit = 0; unit <= span; unit *= DIGITS, digit += 1) {
    yield undefined;
    const digits = digitsOf(times, min, digit);
    yield undefined;
    const starts = startsOf(digits);
    for (let from = 0; from < sorted.length; from += READINGS_PER_STEP) {
      moveByDigit(sorted, from, spare, digits, starts);
      yield undefined;
    }
    [sorted, spare] = [spare, sorted];
  }
  return sorted;
}

function moveByDigit(
  sorted: Uint32Array,
  from: number,
  into: Uint32Array,
  digits: Uint16Array,
  starts: Uint32Array,
): void {
  const end = Math.min(sorted.length, from + READINGS_PER_STEP);
  for (let position = from; position < end; position += 1) {
    const index = sorted[position] as number;
    const digit = digits[index] as number;
    const start = starts[digit] as number;
    into[start] = index;
    starts[digit] = start + 1;
  }
}

function rangeOf(times: Float64Array): [number, number] {
  let min = Infinity;
  let max = -Infinity;
  for (let index = 0; index < times.length; index += 1) {
    const time = times[index] as number;
    if (time < min) min = time;
    if (time > max) max = time;
  }
  return [min, max];
}

function digitsOf(times: Float64Array, min: number, digit: number): Uint16Array {
  const digits = new Uint16Array(times.length);
  const isUpper = digit > 1;
  const shift = digit % 2 === 0 ? 0 : 16;
  for (let index = 0; index < times.length; index += 1) {
    const distance = (times[index] as number) - min;
    digits[index] = (isUpper ? distance / WORD : distance) >>> shift;
  }
  return digits;
}

function startsOf(digits: Uint16Array): Uint32Array {
  const starts = new Uint32Array(DIGITS);
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits[index] as number;
    starts[digit] = (starts[digit] as number) + 1;
  }
  let sum = 0;
  for (let digit = 0; digit < DIGITS; digit += 1) {
    const count = starts[digit] as number;
    starts[digit] = sum;
    sum += count;
  }
  return starts;
}
