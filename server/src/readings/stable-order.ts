/** Below this, a histogram costs more than it saves. */
const FEW = 4_096;
const DIGITS = 65_536;
const WORD = 2 ** 32;

/** The indexes of the times in ascending order; equal times keep their order. */
export function stableOrder(times: Float64Array): Uint32Array {
  const order = Uint32Array.from({ length: times.length }, (_, index) => index);
  return times.length < FEW ? order.sort(byTime(times)) : sortedByDigits(times, order);
}

function byTime(times: Float64Array): (a: number, b: number) => number {
  return (a, b) => (times[a] as number) - (times[b] as number) || a - b;
}

/** Four digits of 16 bits, the least first: the work grows with the count alone. */
function sortedByDigits(times: Float64Array, order: Uint32Array): Uint32Array {
  const least = times.reduce((a, b) => Math.min(a, b), Infinity);
  const span = times.reduce((a, b) => Math.max(a, b), -Infinity) - least;
  let sorted = order;
  let spare: Uint32Array = new Uint32Array(order.length);
  for (let unit = 1, place = 0; unit <= span; unit *= DIGITS, place += 1) {
    const digits = digitsOf(times, least, place);
    const starts = startsOf(digits);
    for (const index of sorted) {
      const digit = digits[index] as number;
      spare[starts[digit] as number] = index;
      starts[digit] = (starts[digit] as number) + 1;
    }
    [sorted, spare] = [spare, sorted];
  }
  return sorted;
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
  for (const digit of digits) starts[digit] = (starts[digit] as number) + 1;
  let sum = 0;
  for (let digit = 0; digit < DIGITS; digit += 1) {
    const count = starts[digit] as number;
    starts[digit] = sum;
    sum += count;
  }
  return starts;
}
