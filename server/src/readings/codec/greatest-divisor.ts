/**
 * The greatest common divisor of all differences between neighbours; 1 when all are 0. Whole
 * seconds or sixteenths of a degree need fewer bits when counted in units of it.
 */
export function greatestDivisor(integers: Float64Array, count: number): number {
  let step = 0;
  for (let index = 1; step !== 1; ) {
    index = nextOffStep(integers, index, count, step);
    if (index === count) break;
    step = greatestCommonDivisor(differenceAt(integers, index), step);
  }
  return step === 0 ? 1 : step;
}

// A quotient of integers below 2 ** 53 is never rounded up to the next integer, so that testing it
// replaces a remainder, which takes forty times as long.

/** The index of the first difference that is no multiple of the step; `count` if there is none. */
function nextOffStep(integers: Float64Array, from: number, count: number, step: number): number {
  for (let index = from; index < count; index += 1) {
    const difference = differenceAt(integers, index);
    const steps = difference / step;
    if (difference !== 0 && (step === 0 || Math.floor(steps) !== steps)) return index;
  }
  return count;
}

function differenceAt(integers: Float64Array, index: number): number {
  return Math.abs((integers[index] as number) - (integers[index - 1] as number));
}

function greatestCommonDivisor(a: number, b: number): number {
  let greater = a;
  let lesser = b;
  while (lesser !== 0) {
    const rest = greater - lesser * Math.floor(greater / lesser);
    greater = lesser;
    lesser = rest;
  }
  return greater;
}
