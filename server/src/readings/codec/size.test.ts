import { describe, expect, it } from 'vitest';
import { encodeBooleans, encodeNumbers, encodeStrings } from './chunk-writer.ts';

const READINGS = 1_000;
const CHUNKS = 8;
const START = 1_763_195_400_123;

/** Numbers from 0 to 1 that look random and are the same in every run. */
function createRandom(): () => number {
  let state = 0;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Chance {
  readonly index: number;
  /** From 0 to 1. */
  random(): number;
  /** Around 0, with a deviation of 1. */
  noise(): number;
}

function series<T>(next: (chance: Chance, last: T | undefined) => T): T[] {
  const random = createRandom();
  const noise = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const values: T[] = [];
  for (let index = 0; index < READINGS * CHUNKS; index += 1) {
    values.push(next({ index, random, noise }, values.at(-1)));
  }
  return values;
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

/** Bytes a reading, over several chunks. */
function bytesOf<T>(
  encode: (times: number[], values: T[], count: number) => Uint8Array,
  times: number[],
  values: T[],
): number {
  let bytes = 0;
  for (let start = 0; start < values.length; start += READINGS) {
    const end = start + READINGS;
    bytes += encode(times.slice(start, end), values.slice(start, end), READINGS).length;
  }
  return bytes / values.length;
}

const every10s = series<number>(({ index }) => START + index * 10_000);
const jittered = series<number>(
  ({ index, random }) => START + index * 10_000 + Math.round((random() - 0.5) * 100),
);
const delayed = series<number>(
  ({ random }, last = START) => last + 10_000 + Math.round(-20 * Math.log(1 - random())),
);

describe('encoded times take at most the expected bytes', () => {
  it.each<[string, number, number[]]>([
    ['every ten seconds', 0.05, every10s],
    ['within 50 ms of every ten seconds', 1.1, jittered],
    ['ten seconds and a delay after the last', 0.97, delayed],
    [
      'with dropouts',
      0.2,
      series(({ random }, last = START) => {
        return last + 10_000 * (random() < 0.01 ? Math.ceil(random() * 90) : 1);
      }),
    ],
    [
      'in whole seconds',
      0.35,
      series(({ random }, last = 0) => last + 1_000 * Math.round(9 + random() * 2)),
    ],
  ])('%s: %f bytes', (_name, limit, times) => {
    const nothing = times.map(() => 0);
    expect(bytesOf(encodeNumbers, times, nothing)).toBeLessThan(limit);
  });
});

describe('encoded numbers take at most the expected bytes', () => {
  const daily = (index: number) => Math.sin(index / 1_375);
  const isRunning = (index: number) => Math.floor(index / 170) % 3 === 2;
  it.each<[string, number, (chance: Chance, last: number | undefined) => number]>([
    ['a setting', 0.05, () => 21.5],
    [
      'a temperature',
      0.55,
      ({ index, noise }) => rounded(40 + 15 * daily(index) + noise() / 10, 1),
    ],
    [
      'a temperature in sixteenths',
      0.45,
      ({ index, noise }) => Math.round((20 + 4 * daily(index) + noise() / 30) * 16) / 16,
    ],
    ['a voltage', 0.85, ({ noise }) => rounded(230 + noise() * 0.8, 1)],
    ['a voltage times 0.1', 0.85, ({ noise }) => Math.round(2_300 + noise() * 8) * 0.1],
    ['a voltage of 32 bits', 0.9, ({ noise }) => Math.fround(rounded(230 + noise() * 0.8, 1))],
    ['a load', 1.55, ({ index, noise }) => rounded(400 + 200 * daily(index) + noise() * 2, 2)],
    [
      'a speed that is mostly zero',
      0.45,
      ({ index, noise }) => (isRunning(index) ? Math.round(1_800 + noise() * 4) : 0),
    ],
    [
      'an energy counter',
      0.65,
      ({ noise }, last = 12_345.67) => rounded(last + 0.8 + noise() / 50, 2),
    ],
    ['running hours', 0.25, ({ index }) => rounded(1_234 + index / 360, 2)],
    ['a fuel level', 0.45, ({ index, noise }) => rounded(80 - index / 500 + noise() / 20, 1)],
    [
      'decimals with a few odd ones',
      1,
      ({ random, noise }) => (random() < 0.005 ? noise() : rounded(50 + noise(), 1)),
    ],
    [
      'decimals that happen to be whole where one would look first',
      1,
      ({ index, noise }) =>
        rounded(
          50 + noise() / 10,
          Math.abs((((index % 1_000) * 0.048 + 0.024) % 1) - 0.5) < 0.1 ? 0 : 2,
        ),
    ],
    ['powers of two', 1, ({ index }) => 2 ** (index % 40)],
    ['noise of 32 bits', 2.6, ({ noise }) => Math.fround(230 + noise() * 0.8)],
    ['noise of all digits', 6.2, ({ noise }) => 230 + noise() * 0.8],
    ['anything', 8.3, ({ random, noise }) => noise() * 10 ** (300 * (random() - 0.5))],
  ])('%s: %f bytes', (_name, limit, next) => {
    expect(bytesOf(encodeNumbers, every10s, series(next))).toBeLessThan(limit);
  });
});

describe('block summaries take at most the expected bytes', () => {
  /** What follows the times and the values, which are sections, without the checksum. */
  function indexBytesOf(bytes: Uint8Array): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const times = 4;
    const values = times + 4 + view.getUint32(times, true);
    return bytes.length - 4 - (values + 4 + view.getUint32(values, true));
  }

  it.each<[string, number, number[], (chance: Chance) => number]>([
    ['of a constant', 0.002, every10s, () => 21.5],
    ['of decimals', 0.09, jittered, ({ noise }) => rounded(230 + noise() * 0.8, 1)],
    ['of decimals of 32 bits', 0.15, jittered, ({ noise }) => Math.fround(rounded(noise(), 1))],
    ['of all digits', 0.1, jittered, ({ noise }) => noise()],
  ])('%s: %f bytes', (_name, limit, times, next) => {
    const bytes = encodeNumbers(times, series(next), READINGS);
    expect(indexBytesOf(bytes) / READINGS).toBeLessThan(limit);
  });
});

describe('encoded booleans and strings take at most the expected bytes', () => {
  it('a flag that changes rarely: 0.1 bytes', () => {
    const flags = series(({ index }) => index % 700 > 600);
    expect(bytesOf(encodeBooleans, every10s, flags)).toBeLessThan(0.1);
  });

  it('a flag that changes at random: 0.2 bytes', () => {
    const flags = series(({ random }) => random() < 0.5);
    expect(bytesOf(encodeBooleans, every10s, flags)).toBeLessThan(0.2);
  });

  it('a state of four: 0.2 bytes', () => {
    const names = ['STOPPED', 'CRANKING', 'RUNNING', 'COOLING DOWN'];
    const states = series(({ index }) => names[Math.floor(index / 150) % 4] as string);
    expect(bytesOf(encodeStrings, every10s, states)).toBeLessThan(0.2);
  });
});

describe('a reading of a realistic fleet', () => {
  it('takes less than 2 bytes including its time', () => {
    const values = series<number>(({ index, noise }) =>
      rounded(40 + 15 * Math.sin(index / 1_375) + noise() / 5, 1),
    );
    expect(bytesOf(encodeNumbers, jittered, values)).toBeLessThan(2);
    expect(bytesOf(encodeNumbers, delayed, values)).toBeLessThan(2);
  });
});
