/** Short, because a block stays in memory as long as any of its arrays does. */
const POOL_LENGTH = 1_024;
let doubles = new Float64Array(POOL_LENGTH);
let usedDoubles = 0;
let integers = new Int32Array(POOL_LENGTH);
let usedIntegers = 0;

/**
 * An array of doubles for the life of its owner. Short ones are parts of a common block, because an
 * ArrayBuffer of its own costs several times what a head needs for reading a list.
 */
export function pooledDoubles(count: number): Float64Array {
  if (count > POOL_LENGTH / 8) return new Float64Array(count);
  if (usedDoubles + count > POOL_LENGTH) {
    doubles = new Float64Array(POOL_LENGTH);
    usedDoubles = 0;
  }
  usedDoubles += count;
  return doubles.subarray(usedDoubles - count, usedDoubles);
}

/** The same for integers of 32 bits. */
export function pooledIntegers(count: number): Int32Array {
  if (count > POOL_LENGTH / 8) return new Int32Array(count);
  if (usedIntegers + count > POOL_LENGTH) {
    integers = new Int32Array(POOL_LENGTH);
    usedIntegers = 0;
  }
  usedIntegers += count;
  return integers.subarray(usedIntegers - count, usedIntegers);
}
