/** Random numbers without state: the same keys always give the same number, in any order of calls. */

function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Derives a seed for one purpose from another seed. */
export function seedFor(seed: number, purpose: string): number {
  let hash = mixed(seed ^ 0x9e3779b9);
  for (let index = 0; index < purpose.length; index += 1) {
    hash = mixed(Math.imul(hash, 31) + purpose.charCodeAt(index));
  }
  return hash;
}

/** A number from 0 up to 1, for an integer of any size. */
export function chance(seed: number, key: number): number {
  const high = Math.floor(key / 2 ** 32);
  return (mixed(mixed(seed ^ (key | 0)) + Math.imul(high, 0x27d4eb2f) + key) >>> 0) / 2 ** 32;
}

/** Noise from -1 to 1, with a new value every millisecond. */
export function jitter(seed: number, at: number): number {
  return chance(seed, at) * 2 - 1;
}

/** Noise from -1 to 1 that moves from one value to the next in each period. */
export function drift(seed: number, at: number, periodMs: number): number {
  const place = at / periodMs;
  const before = Math.floor(place);
  const way = place - before;
  const eased = way * way * (3 - 2 * way);
  return jitter(seed, before) * (1 - eased) + jitter(seed, before + 1) * eased;
}

/** Rounds to a number of decimals, as an instrument does. */
export function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
