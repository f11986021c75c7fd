/** Below this, a histogram costs more than it saves. */
const FEW = 4_096;
const DIGITS = 65_536;
const WORD = 2 ** 32;
/** Readings between two pauses. */
export const SLICE = 65_536;

/** The indexes of the times in ascending order; equal times keep their order. */
export function stableOrder(times: Float64Array): Uint32Array {
  const sorting = ordering(times);
  for (;;) {
    const { done, value } = sorting.next();
    if (done) return value;
  }
}

/** The same a few milliseconds at a time, so that the caller may let other work go on. */
export function* ordering(times: Float64Array): Generator<undefined, Uint32Array> {
  const order = new Uint32Array(times.length);
  for (let index = 0; index < order.length; index += 1) order[index] = index;
  return times.length < FEW ? order.sort(byTime(times)) : yield* sortedByDigits(times, order);
}

function byTime(times: Float64Array): (a: number, b: number) => number {
  return (a, b) => (times[a] as number) - (times[b] as number) || a - b;
}

/** Four digits of 16 bits, the least first: the work grows with the count alone. */
function* sortedByDigits(
  times: Float64Array,
  order: Uint32Array,
): Generator<undefined, Uint32Array> {
  const [least, greatest] = extremesOf(times);
  const span = greatest - least;
  let sorted = order;
  let spare: Uint32Array = new Uint32Array(order.length);
  for (let unit = 1, place = 0; unit <= span; unit *= DIGITS, place += 1) {
    yield undefined;
    const digits = digitsOf(times, least, place);
    yield undefined;
    const starts = startsOf(digits);
    for (let from = 0; from < sorted.length; from += SLICE) {
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
  const end = Math.min(sorted.length, from + SLICE);
  for (let place = from; place < end; place += 1) {
    const index = sorted[place] as number;
    const digit = digits[index] as number;
    const start = starts[digit] as number;
    into[start] = index;
    starts[digit] = start + 1;
  }
}

function extremesOf(times: Float64Array): [number, number] {
  let least = Infinity;
  let greatest = -Infinity;
  for (let index = 0; index < times.length; index += 1) {
    const time = times[index] as number;
    if (time < least) least = time;
    if (time > greatest) greatest = time;
  }
  return [least, greatest];
}

function digitsOf(times: Float64Array, least: number, place: number): Uint16Array {
  const digits = new Uint16Array(times.length);
  const isUpper = place > 1;
  const shift = place % 2 === 0 ? 0 : 16;
  for (let index = 0; index < times.length; index += 1) {
    const distance = (times[index] as number) - least;
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
