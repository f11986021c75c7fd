const POOL_LENGTH = 8_192;
let pool = new Float64Array(POOL_LENGTH);
let used = 0;

/**
 * An array of doubles for the life of its owner. Short ones are parts of a common block, because an
 * ArrayBuffer of its own costs several times what a head needs for reading a list.
 */
export function pooledDoubles(count: number): Float64Array {
  if (count > POOL_LENGTH / 8) return new Float64Array(count);
  if (used + count > POOL_LENGTH) {
    pool = new Float64Array(POOL_LENGTH);
    used = 0;
  }
  used += count;
  return pool.subarray(used - count, used);
}
