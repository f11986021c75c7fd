import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../test/support/code-point.ts';
import { cases } from '../../../test/support/soak.ts';
import { decode, decodeRange } from './chunk-reader.ts';
import { encodeBooleans, encodeNumbers, encodeStrings } from './chunk-writer.ts';

const MAX_TIME = Number.MAX_SAFE_INTEGER;
const MAX_LENGTH = 12;

/** Ascending times, from dense to spread over everything that an integer can be. */
const times = fc
  .record({
    start: fc.oneof(
      fc.integer({ min: 0, max: 4e12 }),
      fc.maxSafeInteger(),
      fc.constant(-MAX_TIME),
      fc.integer({ min: -1e6, max: 1e6 }),
    ),
    gap: fc.constantFrom(1, 1_000, 10_000, 60_000),
    jitters: fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constant(0) },
        { weight: 6, arbitrary: fc.integer({ min: 0, max: 100 }) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 1e9 }) },
        { weight: 1, arbitrary: fc.nat({ max: MAX_TIME }) },
      ),
      { maxLength: MAX_LENGTH - 1 },
    ),
  })
  .map(({ start, gap, jitters }) => {
    const ascending = [start];
    let last = start;
    for (const jitter of jitters) {
      if (jitter > MAX_TIME - gap || last > MAX_TIME - gap - jitter) break;
      last += gap + jitter;
      ascending.push(last);
    }
    return ascending;
  });

const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true });
const decimal = fc
  .tuple(fc.integer({ min: -1e7, max: 1e7 }), fc.constantFrom(1, 10, 100, 1e3, 1e4, 1e6, 1e7))
  .map(([integer, scale]) => integer / scale);
const measured = fc.oneof(
  decimal,
  decimal.map(Math.fround),
  fc.integer({ min: -1e5, max: 1e5 }).map((integer) => integer * 0.1),
  fc.integer({ min: -1e5, max: 1e5 }).map((integer) => Math.fround(integer * Math.fround(0.01))),
  fc.integer({ min: -1e5, max: 1e5 }).map((integer) => integer / 16),
  fc.constantFrom(0, -0, 5e-324, Number.MAX_VALUE, 2 ** 48, -(2 ** 48), 2 ** 53, 0.1 + 0.2),
);

/** As many values as there are times. */
function withValues<T>(value: fc.Arbitrary<T>): fc.Arbitrary<{ times: number[]; values: T[] }> {
  const values = fc.array(value, { minLength: MAX_LENGTH, maxLength: MAX_LENGTH });
  return fc
    .tuple(times, values)
    .map(([ascending, all]) => ({ times: ascending, values: all.slice(0, ascending.length) }));
}

/** Unlike `toEqual`, cheap enough for many cases; like it, strict about the sign of zero. */
function expectSame(found: ArrayLike<unknown>, wanted: ArrayLike<unknown>): void {
  if (found.length !== wanted.length) expect(found.length).toBe(wanted.length);
  for (let index = 0; index < wanted.length; index += 1) {
    if (!Object.is(found[index], wanted[index])) expect(found[index]).toBe(wanted[index]);
  }
}

describe('a chunk decodes exactly to', { timeout: 120_000 }, () => {
  it('any finite numbers', () => {
    fc.assert(
      fc.property(withValues(anyDouble), ({ times, values }) => {
        const found = decode(encodeNumbers(times, values, times.length));
        expect(found.kind).toBe('NUMBER');
        expectSame(found.times, times);
        expectSame(found.values, values);
      }),
      { numRuns: cases(25_000) },
    );
  });

  it('decimals in the forms of devices, with exceptions among them', () => {
    const odd = fc.oneof(
      { weight: 8, arbitrary: decimal },
      { weight: 4, arbitrary: measured },
      { weight: 1, arbitrary: anyDouble },
    );
    fc.assert(
      fc.property(withValues(odd), ({ times, values }) => {
        const found = decode(
          encodeNumbers(Float64Array.from(times), Float64Array.from(values), times.length),
        );
        expectSame(found.times, times);
        expectSame(found.values, values);
      }),
      { numRuns: cases(25_000) },
    );
  });

  it('numbers of one decimal encoding without exceptions', () => {
    const scaled = fc.constantFrom<(integer: number) => number>(
      (integer) => integer / 100,
      (integer) => integer * 0.001,
      (integer) => Math.fround(integer / 10),
      (integer) => Math.fround(integer * Math.fround(0.1)),
      (integer) => integer * 2 ** 40,
      (integer) => integer / 2 ** 20,
    );
    const columns = fc.tuple(withValues(fc.integer({ min: -1e6, max: 1e6 })), scaled);
    fc.assert(
      fc.property(columns, ([{ times, values: integers }, scale]) => {
        const values = integers.map(scale);
        const found = decode(encodeNumbers(times, values, times.length));
        expectSame(found.times, times);
        expectSame(found.values, values);
      }),
      { numRuns: cases(15_000) },
    );
  });

  it('booleans', () => {
    fc.assert(
      fc.property(withValues(fc.boolean()), ({ times, values }) => {
        const found = decode(encodeBooleans(times, values, times.length));
        expect(found.kind).toBe('BOOLEAN');
        expectSame(found.times, times);
        expectSame(found.values, values.map(Number));
      }),
      { numRuns: cases(10_000) },
    );
  });

  it('any strings, including lone surrogates', () => {
    const text = fc.oneof(
      fc.constantFrom('', 'RUNNING', 'STOPPED', '\ufeff', '\0', '\ud800', '\udc00\ud800', '🙂'),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.string({ unit: codePoint, maxLength: 12 }),
      fc
        .array(fc.nat({ max: 0xffff }), { maxLength: 8 })
        .map((units) => String.fromCharCode(...units)),
    );
    fc.assert(
      fc.property(withValues(text), ({ times, values }) => {
        const found = decode(encodeStrings(times, values, times.length));
        expect(found.kind).toBe('STRING');
        expectSame(found.times, times);
        expectSame(found.values, values);
      }),
      { numRuns: cases(15_000) },
    );
  });

  it('the readings of a range, without changing the rest of the columns', () => {
    const range = fc.tuple(
      withValues(measured),
      fc.nat({ max: 14 }),
      fc.nat({ max: 14 }),
      fc.nat(3),
    );
    fc.assert(
      fc.property(range, ([{ times, values }, a, b, at]) => {
        const from = (times[a] ?? MAX_TIME) - (a % 2);
        const to = (times[b] ?? MAX_TIME) + (b % 2);
        const wanted = times.flatMap((time, index) => (time >= from && time <= to ? [index] : []));
        const filled = () => new Float64Array(at + wanted.length + 2).fill(7.5);
        const into = { kind: 'NUMBER' as const, times: filled(), values: filled() };
        const bytes = encodeNumbers(times, values, times.length);
        expect(decodeRange(bytes, from, to, into, at)).toBe(wanted.length);
        const around = (inner: number[]) => [...Array(at).fill(7.5), ...inner, 7.5, 7.5];
        expectSame(into.times, around(wanted.map((index) => times[index] as number)));
        expectSame(into.values, around(wanted.map((index) => values[index] as number)));
      }),
      { numRuns: cases(10_000) },
    );
  });
});
