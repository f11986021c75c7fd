/** Chance without state: the same keys always give the same number, in any order of asking. */

function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** A seed for one purpose, made of another. */
export function seedFor(seed: number, purpose: string): number {
  let hash = mixed(seed ^ 0x9e3779b9);
  for (let index = 0; index < purpose.length; index += 1) {
    hash = mixed(Math.imul(hash, 31) + purpose.charCodeAt(index));
  }
  return hash;
}

/** From 0 up to 1, for a whole number of any size. */
export function chance(seed: number, key: number): number {
  const high = Math.floor(key / 2 ** 32);
  return (mixed(mixed(seed ^ (key | 0)) + Math.imul(high, 0x27d4eb2f) + key) >>> 0) / 2 ** 32;
}

/** From -1 to 1, another one every millisecond. */
export function jitter(seed: number, at: number): number {
  return chance(seed, at) * 2 - 1;
}

/** From -1 to 1, wandering from one value to the next in each period. */
export function drift(seed: number, at: number, periodMs: number): number {
  const place = at / periodMs;
  const before = Math.floor(place);
  const way = place - before;
  const eased = way * way * (3 - 2 * way);
  return jitter(seed, before) * (1 - eased) + jitter(seed, before + 1) * eased;
}

/** To so many decimals, as an instrument shows it. */
export function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
