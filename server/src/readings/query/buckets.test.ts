import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/support/soak.ts';
import { MAX_ZONE_READINGS } from '../codec/block-summary-form.ts';
import { decode, visitNumbers } from '../codec/chunk-reader.ts';
import { encodeNumbers } from '../codec/chunk-writer.ts';
import { PartialChunk } from '../codec/partial-chunk.ts';
import { ZONE_SIZE } from '../codec/zone-size.ts';
import { headBytesOf } from '../codec/zoned-chunk-header.ts';
import { type Columns, within } from '../columns/columns.ts';
import { type Bucket, Buckets } from './buckets.ts';

const START = 1_763_195_400_000;

/** From 0 to 1, and the same for the same index and seed. */
function noise(index: number, seed: number): number {
  const mixed = Math.imul(index + 1, 0x9e37_79b1) ^ Math.imul(seed + 3, 0x85eb_ca6b);
  return ((Math.imul(mixed ^ (mixed >>> 15), 0x85eb_ca6b) >>> 8) & 0xffff) / 0xffff;
}

type Shape = (index: number, seed: number) => number;

const SHAPES: Readonly<Record<string, Shape>> = {
  constant: () => 21.7,
  'constant of 32 bits': () => Math.fround(21.7),
  counter: (index) => 1_234.5 + index * 0.25,
  'counter of 32 bits': (index) => Math.fround(0.1 * index),
  'large counter': (index) => 2 ** 46 + 3 * index,
  decimals: (index, seed) =>
    Math.round(4_000 * Math.sin(index / 300) + 99 * noise(index, seed)) / 10,
  'decimals of 32 bits': (index, seed) => Math.fround(Math.round(5_000 * noise(index, seed)) / 10),
  products: (index, seed) => Math.round(5_000 * noise(index, seed)) * 0.1,
  steps: (index, seed) => (noise(Math.floor(index / 170), seed) > 0.5 ? 1_800 : 0),
  outliers: (index, seed) => (noise(index, seed) > 0.99 ? 1e9 : index % 7),
  'large integers': (index, seed) => Math.round((noise(index, seed) - 0.5) * 2 ** 48),
  odd: (index, seed) => (noise(index, seed) > 0.995 ? noise(index, seed) / 3 : index % 50),
  digits: (index, seed) => Math.sin(index / 300) + noise(index, seed) / 7,
  'noise of a few levels': (index, seed) => 50 + Math.round(10 * noise(index, seed)) / 100,
  'a line with noise': (index, seed) => Math.round(index / 3 + 90 * noise(index, seed)) / 10,
  'a walk with leaps': (index, seed) =>
    Math.round(9 * Math.sin(index / 9) + 4 * noise(index, seed)) + (index % 700 === 3 ? 5e6 : 0),
  zeros: (index) => (index % 3 === 0 ? -0 : 0),
  huge: (index, seed) => (noise(index, seed) - 0.3) * Number.MAX_VALUE,
};

const CLOCKS: Readonly<Record<string, (index: number, seed: number) => number>> = {
  regular: (index) => START + index * 10_000,
  late: (index, seed) => START + index * 10_000 + Math.round(99 * noise(index, seed)),
  'late now and then': (index, seed) =>
    START + index * 10_000 + (noise(index, seed) > 0.98 ? Math.round(999 * noise(seed, index)) : 0),
  'with gaps': (index) => START + index * 10_000 + Math.floor(index / 900) * 3_600_000,
  bursts: (index) => START + index + Math.floor(index / 300) * 5_000_000,
  far: (index) => (index - 1_000) * 2 ** 40,
};

const query = fc.record({
  shape: fc.constantFrom(...Object.keys(SHAPES)),
  clock: fc.constantFrom(...Object.keys(CLOCKS)),
  seed: fc.nat({ max: 1e6 }),
  count: fc.oneof(
    fc.constantFrom(1, 127, 128, 129, 256, 257, 511, 512, 513, 1_024, 2_048, 2_049, 4_096),
    fc.integer({ min: 1, max: 2_000 }),
    fc.integer({ min: 2_048, max: 5_000 }),
  ),
  // Where the range begins and ends, as parts of the chunk and a little beyond it.
  begin: fc.integer({ min: -200, max: 1_000 }).map((part) => part / 1_000),
  length: fc.integer({ min: 0, max: 1_400 }).map((part) => part / 1_000),
  buckets: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 60 })),
});

function expectClose(found: readonly Bucket[], wanted: readonly Bucket[], most: number): void {
  const exact = ({ mean: _, ...rest }: Bucket) => rest;
  expect(found.map(exact)).toEqual(wanted.map(exact));
  for (const [index, { mean, min, max }] of found.entries()) {
    expect(mean).toBeGreaterThanOrEqual(min);
    expect(mean).toBeLessThanOrEqual(max);
    expect(Math.abs(mean - (wanted[index]?.mean ?? Number.NaN))).toBeLessThanOrEqual(most * 1e-13);
  }
}

describe('buckets', () => {
  it('are equal from block summaries and from all readings', { timeout: 60_000 }, () => {
    let [decoded, all] = [0, 0];
    const run = fc.property(query, ({ shape, clock, seed, count, begin, length, buckets }) => {
      const indexes = Array.from({ length: count }, (_, index) => index);
      const times = indexes.map((index) => CLOCKS[clock]?.(index, seed) ?? 0);
      const values = indexes.map((index) => SHAPES[shape]?.(index, seed) ?? 0);
      const bytes = encodeNumbers(times, values, count);
      const [first, last] = [times[0] as number, times[count - 1] as number];
      const from = Math.floor(first + begin * (last - first));
      const range = { from, to: Math.floor(from + length * (last - first)) };
      const byIndex = new Buckets(range, buckets);
      const visited = visitNumbers(bytes, range.from, range.to, byIndex);
      const byReadings = new Buckets(range, buckets);
      const columns: Columns = within(decode(bytes), range.from, range.to);
      if (columns.kind === 'NUMBER') {
        byReadings.addReadings(columns.times, columns.values, 0, columns.times.length);
      }
      // A part is decoded once, and beyond the range only where that begins or ends within one.
      expect(visited).toBeLessThanOrEqual(columns.times.length + 2 * MAX_ZONE_READINGS);
      decoded += visited;
      all += count;
      const greatest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      expectClose(byIndex.items(), byReadings.items(), greatest);
      const headBytes = headBytesOf(bytes);
      if (headBytes === 0) return;
      const byParts = new Buckets(range, buckets);
      const partial = new PartialChunk(bytes.subarray(0, headBytes));
      for (const part of partial.neededParts(range.from, range.to, byParts)) {
        const start = headBytes + part.offset;
        partial.addPart(part, bytes.subarray(start, start + part.length));
      }
      expect(partial.visit(range.from, range.to, byParts)).toBe(visited);
      expect(byParts.items()).toEqual(byIndex.items());
      // A chunk in memory is visited again and again.
      const whole = new PartialChunk(bytes);
      for (const chunk of [partial, whole, partial, whole]) {
        expect(chunk.neededParts(range.from, range.to, byParts)).toEqual([]);
        const again = new Buckets(range, buckets);
        expect(chunk.visit(range.from, range.to, again)).toBe(visited);
        expect(again.items()).toEqual(byIndex.items());
      }
    });
    fc.assert(run, { numRuns: cases(3_000) });
    expect(decoded).toBeLessThan(all);
  });

  it('decode readings only around their borders', () => {
    const times = Array.from({ length: 1_024 }, (_, index) => START + index * 1_000);
    const values = times.map((_, index) => (index % 37) / 10);
    const bytes = encodeNumbers(times, values, 1_024);
    const range = { from: START, to: START + 1_024_000 - 1 };
    expect(visitNumbers(bytes, range.from, range.to, new Buckets(range, 1))).toBe(0);
    // Borders between blocks ask for none, and every other one for the block that it is in.
    expect(visitNumbers(bytes, range.from, range.to, new Buckets(range, 2))).toBe(0);
    expect(visitNumbers(bytes, range.from, range.to, new Buckets(range, 3))).toBe(256);
    expect(visitNumbers(bytes, START + 5_000, range.to, new Buckets(range, 1))).toBe(128);
  });

  it('decode only the zones around their borders in a large chunk', () => {
    const count = 8 * ZONE_SIZE;
    const times = Array.from({ length: count }, (_, index) => START + index * 1_000);
    const values = times.map((_, index) => Math.round(400 * noise(index, 1)) / 10);
    const bytes = encodeNumbers(times, values, count);
    const range = { from: START, to: START + count * 1_000 - 1 };
    const decoded = (from: number, buckets: number) =>
      visitNumbers(bytes, from, range.to, new Buckets(range, buckets));
    expect(decoded(START, 1)).toBe(0);
    // A border between two zones is decoded on both sides, since a zone's summary has no ends.
    expect(decoded(START, 2)).toBe(2 * ZONE_SIZE);
    expect(decoded(START, 3)).toBe(2 * ZONE_SIZE);
    expect(decoded(START + 5_000, 1)).toBe(ZONE_SIZE);
  });
});
