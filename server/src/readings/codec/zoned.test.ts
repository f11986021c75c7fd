import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/support/soak.ts';
import type { Columns } from '../columns/columns.ts';
import { decode, decodeRange } from './chunk-reader.ts';
import {
  encodeBooleans,
  encodeNumbers,
  encodePart,
  encodeStrings,
  MIN_ZONED_READINGS,
} from './chunk-writer.ts';

/** From 0 to 1, and the same for the same index and seed. */
function noise(index: number, seed: number): number {
  let mixed = Math.imul(index + 977 * seed + 1, 0x9e37_79b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85eb_ca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
}

/** Values of many shapes: levels, a slope, a walk, rare leaps, and a power of ten. */
const shape = fc.record({
  seed: fc.nat({ max: 1e6 }),
  levels: fc.constantFrom(1, 2, 3, 11, 61, 300, 5_000, 400_000, 2 ** 33),
  slope: fc.constantFrom(0, 0, 1, -3, 0.37, 1e6),
  walk: fc.constantFrom(0, 0, 2, 50),
  leaps: fc.constantFrom(0, 0, 0.001, 0.02, 0.2),
  leap: fc.constantFrom(1, -1, 1e3, 1e8, 2 ** 40),
  stays: fc.constantFrom(1, 1, 5, 300),
  scale: fc.constantFrom(1, 10, 100, 1e4),
});

interface Shape {
  readonly seed: number;
  readonly levels: number;
  readonly slope: number;
  readonly walk: number;
  readonly leaps: number;
  readonly leap: number;
  readonly stays: number;
}

function integers({ seed, levels, slope, walk, leaps, leap, stays }: Shape, count: number) {
  let sum = 0;
  return Float64Array.from({ length: count }, (_, index) => {
    const step = Math.floor(index / stays);
    sum += Math.round(walk * (noise(index, seed + 1) - 0.5));
    const far = noise(index, seed + 2) < leaps ? leap : 0;
    return Math.floor(slope * step) + Math.floor(levels * noise(step, seed)) + sum + far;
  });
}

const count = fc.integer({ min: MIN_ZONED_READINGS, max: MIN_ZONED_READINGS + 700 });

/** Ascending times out of any integers. */
function ascending(offsets: Float64Array): Float64Array {
  let last = 1_763_195_400_000;
  return offsets.map((offset) => {
    last = Math.max(last + 1, 1_763_195_400_000 + offset);
    return last;
  });
}

function roomFor(kind: Columns['kind'], length: number): Columns {
  const times = new Float64Array(length);
  if (kind === 'STRING') return { kind, times, values: new Array<string>(length) };
  return kind === 'NUMBER'
    ? { kind, times, values: new Float64Array(length) }
    : { kind, times, values: new Uint8Array(length) };
}

/** Expects all readings, and those of a range. */
function expectReadings(
  bytes: Uint8Array,
  times: Float64Array,
  values: ArrayLike<unknown>,
  cut: readonly [number, number],
): void {
  const all = decode(bytes);
  expect(all.times).toEqual(times);
  expect([...all.values]).toEqual([...Array.from(values)]);
  const [a, b] = cut.map((part) => Math.floor(part * (times.length - 1))) as [number, number];
  const [first, last] = [Math.min(a, b), Math.max(a, b)];
  const into = roomFor(all.kind, last - first + 1);
  const taken = decodeRange(bytes, times[first] as number, times[last] as number, into, 0);
  expect(taken).toBe(last - first + 1);
  expect(into.times).toEqual(times.slice(first, last + 1));
  expect([...into.values]).toEqual(Array.from(values).slice(first, last + 1));
}

const PAGE_BYTES = 2_500;
const part = fc.integer({ min: 0, max: 1_000 }).map((thousandths) => thousandths / 1_000);
const timeShape = shape.map((made) => ({ ...made, slope: Math.max(10, made.levels), walk: 0 }));

describe('a chunk of many readings', { timeout: 120_000 }, () => {
  it('has the numbers of any shape that were written, and their times', () => {
    let zoned = 0;
    const run = fc.property(shape, timeShape, count, part, part, (made, clock, length, a, b) => {
      const times = ascending(integers(clock, length));
      const values = integers(made, length).map((integer) => integer / made.scale);
      const bytes = encodeNumbers(times, values, length);
      if (bytes[0] === 3) zoned += 1;
      expectReadings(bytes, times, values, [a, b]);
    });
    fc.assert(run, { numRuns: cases(400) });
    // About six in ten are; fewer than a quarter would be another choice of shapes, not chance.
    expect(zoned).toBeGreaterThan(cases(400) / 4);
  });

  it('has the numbers that were written also where some are no decimals', () => {
    const odd = fc.constantFrom(-0, Math.PI, 5e-324, Number.MAX_VALUE, 2 ** 52, Math.fround(0.1));
    const run = fc.property(shape, odd, count, part, part, (made, value, length, a, b) => {
      const times = ascending(Float64Array.from({ length }, (_, index) => index * 1_000));
      const values = integers(made, length).map((integer, index) =>
        index % 1_000 === 70 ? value : integer / made.scale,
      );
      expectReadings(encodeNumbers(times, values, length), times, values, [a, b]);
    });
    fc.assert(run, { numRuns: cases(100) });
  });

  it('has the booleans and strings that were written', () => {
    const run = fc.property(shape, timeShape, count, part, part, (made, clock, length, a, b) => {
      const times = ascending(integers(clock, length));
      const indexes = integers({ ...made, levels: Math.min(made.levels, 61) }, length);
      const flags = Uint8Array.from(indexes, (index) => Math.abs(index) % 2);
      expectReadings(encodeBooleans(times, flags, length), times, flags, [a, b]);
      const texts = Array.from(indexes, (index) => `state ${Math.abs(index) % 70}`);
      expectReadings(encodeStrings(times, texts, length), times, texts, [a, b]);
    });
    fc.assert(run, { numRuns: cases(100) });
  });

  it('fits into a page, whatever part of it is coded, and has the first readings', () => {
    const run = fc.property(
      shape,
      timeShape,
      count,
      fc.boolean(),
      (made, clock, length, isText) => {
        const times = ascending(integers(clock, length));
        const values = integers(made, length).map((integer) => integer / made.scale);
        const texts = Array.from(values, (value) => `state ${Math.abs(value) % 300}`);
        const columns: Columns = isText
          ? { kind: 'STRING', times, values: texts }
          : { kind: 'NUMBER', times, values };
        const { bytes, count: taken } = encodePart(columns, PAGE_BYTES);
        expect(bytes.length <= PAGE_BYTES || (isText && taken <= 1_024)).toBe(true);
        expectReadings(bytes, times.slice(0, taken), columns.values.slice(0, taken), [0, 1]);
      },
    );
    fc.assert(run, { numRuns: cases(200) });
  });

  it('is read no further than its columns have room', () => {
    const times = Float64Array.from({ length: 4_096 }, (_, index) => index);
    const bytes = encodeNumbers(times, times, 4_096);
    expect(() => decodeRange(bytes, 0, 5_000, roomFor('NUMBER', 4_095), 0)).toThrow(RangeError);
    expect(() => decodeRange(bytes, 0, 5_000, roomFor('NUMBER', 4_096), 1)).toThrow(RangeError);
    expect(decodeRange(bytes, 5_000, 6_000, roomFor('NUMBER', 0), 0)).toBe(0);
  });
});

describe('a chunk of 8 192 readings takes at most the expected bytes per reading', () => {
  const COUNT = 8_192;
  const late = Float64Array.from(
    { length: COUNT },
    (_, index) => index * 10_000 + (noise(index, 9) < 0.02 ? Math.floor(900 * noise(index, 8)) : 0),
  );
  const regular = late.map((_, index) => index * 10_000 + (index % 97 === 0 ? 3 : 0));
  const day = (index: number) => Math.sin((index * 2 * Math.PI) / 8_640);
  it.each<[string, number, Float64Array, (index: number) => number]>([
    ['noise of 61 levels', 0.8, regular, (index) => 400 + Math.floor(61 * noise(index, 1)) / 10],
    ['noise of 11 levels', 0.49, regular, (index) => 50 + Math.floor(11 * noise(index, 1)) / 100],
    [
      'noise on a load curve',
      0.9,
      regular,
      (index) => Math.round((250 + 200 * day(index) + 10 * noise(index, 1)) * 10) / 10,
    ],
    ['a counter of hours', 0.01, regular, (index) => 1_000 + Math.floor(index / 360)],
    ['a setting at times that vary', 0.07, late, () => 21.5],
    ['an energy counter', 0.25, regular, (index) => Math.floor(index * 1.3 + noise(index, 2)) / 10],
  ])('%s: %f', (_name, limit, times, valueAt) => {
    const values = times.map((_, index) => valueAt(index));
    expect(encodeNumbers(times, values, COUNT).length / COUNT).toBeLessThan(limit);
  });
});
