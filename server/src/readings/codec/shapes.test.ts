import { describe, expect, it } from 'vitest';
import type { Columns } from '../columns/columns.ts';
import { MAX_READINGS } from './chunk-header.ts';
import { decode, decodeRange } from './chunk-reader.ts';
import { encodeBooleans, encodeNumbers, encodeStrings } from './chunk-writer.ts';

const START = 1_763_195_400_123;

function every10s(count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, index) => START + index * 10_000);
}

function numbers(count: number, valueAt: (index: number) => number): Float64Array {
  return Float64Array.from({ length: count }, (_, index) => valueAt(index));
}

function noise(index: number): number {
  const mixed = Math.imul(index + 1, 0x9e37_79b1) ^ (index << 7);
  return ((Math.imul(mixed ^ (mixed >>> 15), 0x85eb_ca6b) >>> 8) & 0xffff) / 0xffff;
}

function areSame(found: ArrayLike<unknown>, wanted: ArrayLike<unknown>): boolean {
  return (
    found.length === wanted.length &&
    Array.from(found).every((value, index) => Object.is(value, wanted[index]))
  );
}

const SHAPES: Readonly<Record<string, (index: number) => number>> = {
  constant: () => 21.5,
  'constant and odd': () => 0.1 + 0.2,
  'a counter': (index) => 1_234_567 + index * 3,
  'a counter that starts over': (index) => (index * 7) % 65_536,
  'a sine of one decimal': (index) => Number((40 + 15 * Math.sin(index / 300)).toFixed(1)),
  'a sine of three decimals': (index) => Number((40 + 15 * Math.sin(index / 300)).toFixed(3)),
  'a sine of all digits': (index) => Math.sin(index / 300),
  alternating: (index) => (index % 2 === 0 ? -1.5 : 1e6),
  'alternating zeros': (index) => (index % 2 === 0 ? 0 : -0),
  'a rest before a run': (index) => (index < 2_000 ? 0 : Number((noise(index) * 90).toFixed(2))),
  'mostly decimals': (index) =>
    index % 97 === 5 ? noise(index) : Math.round(noise(index) * 99) / 10,
  'tenths by multiplication': (index) => Math.round(noise(index) * 5_000) * 0.1,
  'tenths of 32 bits': (index) => Math.fround(Math.round(noise(index) * 5_000) / 10),
  'noise of 32 bits': (index) => Math.fround(noise(index)),
  'powers of two': (index) => 2 ** ((index % 2_000) - 1_000),
  denormal: (index) => index * 5e-324,
  huge: (index) => (noise(index) - 0.5) * Number.MAX_VALUE,
};

describe('numbers of a known shape', () => {
  for (const [name, valueAt] of Object.entries(SHAPES)) {
    it(`decode exactly: ${name}`, () => {
      for (const count of [1, 2, 3, 127, 128, 129, 255, 257, 5_000]) {
        const values = numbers(count, valueAt);
        const found = decode(encodeNumbers(every10s(count), values, count));
        expect(found).toEqual({ kind: 'NUMBER', times: every10s(count), values });
      }
    });
  }

  it('decode exactly when they are a random walk', () => {
    let value = 500;
    const values = numbers(3_000, (index) => (value += noise(index) - 0.5));
    expect(decode(encodeNumbers(every10s(3_000), values, 3_000)).values).toEqual(values);
  });
});

describe('the largest chunk', () => {
  const times = every10s(MAX_READINGS);

  it('decodes exactly for each kind', () => {
    expect(MAX_READINGS).toBe(65_536);
    const values = numbers(MAX_READINGS, (index) => Math.round(noise(index) * 1e5) / 100);
    const found = decode(encodeNumbers(times, values, MAX_READINGS));
    expect(areSame(found.times, times) && areSame(found.values, values)).toBe(true);
    const flags = numbers(MAX_READINGS, (index) => Number(noise(index) > 0.9));
    const flagsFound = decode(encodeBooleans(times, flags, MAX_READINGS));
    expect(areSame(flagsFound.values, flags)).toBe(true);
    const texts = Array.from(times, (_, index) => `state ${index % 300}`);
    expect(areSame(decode(encodeStrings(times, texts, MAX_READINGS)).values, texts)).toBe(true);
  });

  it('decodes exactly when all of its numbers differ', () => {
    const values = numbers(MAX_READINGS, (index) => noise(index) * 10 ** ((index % 600) - 300));
    const found = decode(encodeNumbers(times, values, MAX_READINGS));
    expect(areSame(found.values, values)).toBe(true);
  });
});

describe('times', () => {
  it.each([
    ['with huge gaps', [0, 1, 1e6, 1e12, 1e15]],
    ['before the epoch', [-1e13, -5, -1, 0, 3]],
    ['at both ends', [-Number.MAX_SAFE_INTEGER, 0, Number.MAX_SAFE_INTEGER]],
    ['at one end', [Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER]],
  ])('come back exactly: %s', (_name, times) => {
    const values = times.map((_, index) => index);
    const found = decode(encodeNumbers(times, values, times.length));
    expect([...found.times]).toEqual(times);
  });
});

describe('an encoder', () => {
  it('returns the same bytes for the same readings, independent of earlier calls', () => {
    encodeNumbers([0, 1, 2], [0, 7, 9], 3);
    const once = encodeNumbers([START], [5], 1);
    encodeNumbers([0, 1, 2], [0, 5, 9], 3);
    expect(encodeNumbers([START], [5], 1)).toEqual(once);
  });

  it('encodes only the given number of readings', () => {
    const bytes = encodeNumbers([1, 2, 2], [5, 6, Number.NaN], 2);
    expect(decode(bytes).values).toEqual(Float64Array.of(5, 6));
  });

  it.each([
    ['no readings', () => encodeNumbers([], [], 0)],
    ['too many readings', () => encodeNumbers(every10s(65_537), numbers(65_537, noise), 65_537)],
    ['a count that is no count', () => encodeBooleans([1, 2], [true, false], 1.5)],
    ['fewer times than readings', () => encodeStrings([1], ['a', 'b'], 2)],
    ['fewer values than readings', () => encodeNumbers([1, 2], [1], 2)],
    ['fewer flags than readings', () => encodeBooleans([1, 2], [true], 2)],
    ['a time twice', () => encodeNumbers([5, 5], [1, 2], 2)],
    ['times that descend', () => encodeBooleans([5, 4], [true, true], 2)],
    ['half a millisecond', () => encodeStrings([0.5], ['a'], 1)],
    ['a time that is not a number', () => encodeStrings([Number.NaN], ['a'], 1)],
    ['a time that is not exact', () => encodeStrings([2 ** 53], ['a'], 1)],
    ['NaN', () => encodeNumbers([1, 2], [1, Number.NaN], 2)],
    ['an infinite value', () => encodeNumbers([1, 2], Float64Array.of(-Infinity, 5), 2)],
    ['infinite values only', () => encodeNumbers([1, 2], [Infinity, Infinity], 2)],
  ])('refuses %s', (_name, encode) => {
    expect(encode).toThrow(RangeError);
  });

  it('refuses strings that exceed the dictionary', () => {
    const long = 'x'.repeat(1_048_576);
    const texts = Array.from({ length: 65 }, (_, index) => `${index}${long}`);
    expect(() => encodeStrings(every10s(65), texts, 65)).toThrow(/more than 67108864 bytes/);
    const repeated = Array.from({ length: 65 }, () => long);
    expect(encodeStrings(every10s(65), repeated, 65).length).toBeLessThan(1_048_700);
  });
});

describe('a range', () => {
  const times = every10s(1_000);
  const values = numbers(1_000, (index) => index / 10);
  const bytes = encodeNumbers(times, values, 1_000);
  const room = (size: number): Columns => ({
    kind: 'NUMBER',
    times: new Float64Array(size),
    values: new Float64Array(size),
  });

  it('includes both ends', () => {
    const into = room(3);
    expect(decodeRange(bytes, START + 5_000_000, START + 5_020_000, into, 0)).toBe(3);
    expect(into.values).toEqual(Float64Array.of(50, 50.1, 50.2));
  });

  it('may lie before, after or between the readings', () => {
    expect(decodeRange(bytes, 0, START - 1, room(0), 0)).toBe(0);
    expect(decodeRange(bytes, START + 9_990_001, Infinity, room(0), 0)).toBe(0);
    expect(decodeRange(bytes, START + 1, START + 9_999, room(0), 0)).toBe(0);
    expect(decodeRange(bytes, START + 20_000, START, room(0), 0)).toBe(0);
  });

  it('is refused, not truncated, when the columns are too short', () => {
    expect(() => decodeRange(bytes, -Infinity, Infinity, room(999), 0)).toThrow(RangeError);
    expect(() => decodeRange(bytes, START + 10_000, Infinity, room(999), 1)).toThrow(RangeError);
    const narrow: Columns = {
      kind: 'NUMBER',
      times: new Float64Array(9),
      values: new Float64Array(8),
    };
    expect(() => decodeRange(bytes, START, START + 80_000, narrow, 0)).toThrow(RangeError);
    const texts = encodeStrings([1, 2], ['a', 'b'], 2);
    const brief: Columns = { kind: 'STRING', times: new Float64Array(1), values: [] };
    expect(() => decodeRange(texts, 1, 2, brief, 0)).toThrow(RangeError);
    expect(() => decodeRange(texts, 0, 2, brief, 0)).toThrow(RangeError);
  });

  it('is decoded for booleans and strings, too', () => {
    const flags = encodeBooleans(
      times,
      Array.from(times, (_, index) => index === 500),
      1_000,
    );
    const texts = encodeStrings(
      times,
      Array.from(times, (_, index) => `s${index % 7}`),
      1_000,
    );
    const flagsInto: Columns = {
      kind: 'BOOLEAN',
      times: new Float64Array(4),
      values: new Uint8Array(4),
    };
    const textsInto: Columns = { kind: 'STRING', times: new Float64Array(4), values: ['a'] };
    const [from, to] = [START + 4_990_000, START + 5_010_000];
    expect(decodeRange(flags, from, to, flagsInto, 1)).toBe(3);
    expect(flagsInto.values).toEqual(Uint8Array.of(0, 0, 1, 0));
    expect(decodeRange(texts, from, to, textsInto, 1)).toBe(3);
    expect(textsInto.values).toEqual(['a', 's2', 's3', 's4']);
  });
});
