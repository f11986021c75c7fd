// The values of the Devices of the benchmark: realistic, and changing.

export const KEYS = [
  'voltsA',
  'voltsB',
  'voltsC',
  'ampsA',
  'ampsB',
  'ampsC',
  'powerKw',
  'powerKvar',
  'frequency',
  'energyKwh',
];

export const KEYS_PER_MESSAGE = 6;

/** A daily curve with noise, with one or two decimals, and a counter that only rises. */
export function measured(key, seed, step) {
  const noise = ((Math.imul(step + 31 * key + 7 * seed, 2_654_435_761) >>> 0) / 2 ** 32 - 0.5) * 2;
  const course = Math.sin(step / 60 + seed);
  if (key < 3) return (230 + 3 * noise).toFixed(1);
  if (key < 6) return (120 + 80 * course + 4 * noise).toFixed(1);
  if (key < 8) return (80 + 50 * course + 2 * noise).toFixed(2);
  if (key === 8) return (50 + 0.05 * noise).toFixed(2);
  return (10_000 + seed + step * 0.25).toFixed(2);
}
