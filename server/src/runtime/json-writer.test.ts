import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonWriter } from './json-writer.ts';

function written(values: readonly number[]): string[] {
  const writer = new JsonWriter(1);
  return values.map((value) => {
    const before = writer.bytes().length;
    writer.number(value);
    return Buffer.from(writer.bytes().subarray(before)).toString();
  });
}

function writtenTogether(values: readonly number[]): string {
  const writer = new JsonWriter(1);
  writer.numbers(Float64Array.from(values));
  return Buffer.from(writer.bytes()).toString();
}

const decimal = fc
  .tuple(fc.integer(), fc.integer({ min: 0, max: 9 }))
  .map(([digits, places]) => digits / 10 ** places);

it('numbers are written as JSON.stringify writes them', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.double(), decimal, fc.maxSafeInteger())), (values) => {
      const texts = values.map((value) => JSON.stringify(value));
      expect(written(values)).toEqual(texts);
      expect(writtenTogether(values)).toBe(texts.join());
    }),
    { numRuns: 300 },
  );
});

it.each([
  ...[0, -0, 0.1, -0.1, 0.3, 0.1 + 0.2, 1e-6, 1.5e-6, 1e-7, 5e-324, 1e21, 1e20, 123_456_789.25],
  ...[99_999_999, 100_000_000, 2 ** 31, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 999_999_999_999.999],
  ...[0.000001, 0.999999, 1_000_000.5, 9_007_199_254_740.992, NaN, Infinity, -Infinity],
])('%s is written as JSON.stringify writes it', (value) => {
  expect(written([value, value])).toEqual([JSON.stringify(value), JSON.stringify(value)]);
});

it('a column of any length is written whole, with commas between its numbers', () => {
  const values = Array.from({ length: 5_000 }, (_, index) => index / 7 - index * 1e9);
  expect(writtenTogether(values)).toBe(JSON.stringify(values).slice(1, -1));
  expect(writtenTogether([])).toBe('');
});

it('every decimal with one or two places and up to five digits is written as JSON.stringify writes it', () => {
  for (const scale of [10, 100]) {
    const values = Array.from({ length: 100_000 }, (_, digits) => digits / scale);
    expect(writtenTogether(values)).toBe(JSON.stringify(values).slice(1, -1));
  }
});

it('long integers that share their upper digits or not are written as JSON.stringify writes them', () => {
  const ends = [1e8, 999_999_999, 1e12, 1_700_000_000_000, 9_007_199_200_000_000];
  const values = ends.flatMap((end) =>
    [0, 1, -1, 9_999, 10_000, 99_999_999, 1e8, -1e8, 5].flatMap((step) => [
      end + step,
      -end - step,
    ]),
  );
  expect(writtenTogether(values)).toBe(JSON.stringify(values).slice(1, -1));
});

it('booleans are written as JSON.stringify writes them, with commas between them', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean()), (values) => {
      const writer = new JsonWriter(1);
      writer.text('[');
      writer.booleans(Uint8Array.from(values, Number));
      writer.text(']');
      expect(Buffer.from(writer.bytes()).toString()).toBe(JSON.stringify(values));
    }),
    { numRuns: 300 },
  );
});

it('objects of two numbers are written as JSON.stringify writes them', () => {
  const items = Array.from({ length: 3_000 }, (_, index) => ({ a: index * 1e9, b: -index / 8 }));
  const writer = new JsonWriter(1);
  writer.records(
    { head: '{"a":', middle: ',"b":', tail: '}' },
    Float64Array.from(items, ({ a }) => a),
    Float64Array.from(items, ({ b }) => b),
  );
  expect(`[${Buffer.from(writer.bytes())}]`).toBe(JSON.stringify(items));
});

it('objects of a number and a boolean are written as JSON.stringify writes them', () => {
  const items = Array.from({ length: 3_000 }, (_, index) => ({ a: index, b: index % 3 === 0 }));
  const writer = new JsonWriter(1);
  writer.records(
    { head: '{"a":', middle: ',"b":', tail: '}' },
    Float64Array.from(items, ({ a }) => a),
    Uint8Array.from(items, ({ b }) => Number(b)),
  );
  expect(`[${Buffer.from(writer.bytes())}]`).toBe(JSON.stringify(items));
});

it('text and strings of any length and script are written whole', () => {
  const writer = new JsonWriter(1);
  const values = ['', 'a', 'ä€😀', '"\\\u0000\ud800', 'x'.repeat(10_000)];
  for (const value of values) writer.string(value);
  writer.literal(Buffer.from('[true]'));
  expect(Buffer.from(writer.bytes()).toString()).toBe(
    `${values.map((value) => JSON.stringify(value)).join('')}[true]`,
  );
});
