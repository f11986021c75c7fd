import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decode, encodeBooleans, encodeNumbers, encodeStrings } from './index.ts';

/*
 * Chunks as released versions wrote them. Files are added, never changed: a file that no longer
 * decodes to its readings means that stored history is lost. FORMAT.md has the version rules.
 */
const FOLDER = new URL('golden/', import.meta.url);

const times = [1_763_195_400_123, 1_763_195_410_119, 1_763_195_420_131, 1_763_195_430_125];
const farTimes = [-Number.MAX_SAFE_INTEGER, 0, Number.MAX_SAFE_INTEGER];
const seconds = Array.from({ length: 130 }, (_, index) => index * 1_000);
const jitter = seconds.map((time, index) => time + (index % 3));
const quarters = seconds.map((_, index) => ((index * 7) % 5) / 4);
const counter = seconds.map((_, index) => 17.5 - index / 4);
const float32 = seconds.map((_, index) => Math.fround(0.1 + (index % 2)));
const allDigits = seconds.map((_, index) => (index < 120 ? Math.PI : Math.E));
const outliers = quarters.with(77, 1e9).with(78, 1 / 3);

const many = Array.from({ length: 2_048 }, (_, index) => index * 1_000);
const noise = (index: number, levels: number) => (Math.imul(index + 1, 0x9e37_79b1) >>> 8) % levels;
const levels = many.map((_, index) => (Math.floor(index / 9) + noise(index, 60)) / 10);
const leaps = many.map((_, index) => 3 * index + noise(index, 2) + (index % 500 === 7 ? 1e8 : 0));
const fewChanges = many.map((_, index) => Math.floor(index / 700) / 4);
const lateNowAndThen = many.map((time, index) => time + (index % 97 === 5 ? 3 : 0));
const withGaps = many.map((time, index) => time + 60_000 * Math.floor(index / 900));

interface Golden {
  readonly times: readonly number[];
  readonly values: readonly (number | boolean | string)[];
  /** Whether the writer of today produces these bytes. */
  readonly isNewest: boolean;
}

const newest = (times: Golden['times'], values: Golden['values']): Golden => ({
  times,
  values,
  isNewest: true,
});
const former = (times: Golden['times'], values: Golden['values']): Golden => ({
  times,
  values,
  isNewest: false,
});

const GOLDEN: Readonly<Record<string, Golden>> = {
  'v1-number-decimals': newest(times, [21.5, 21.6, -3.25, 21.4]),
  'v1-number-raw-doubles': newest(times, [Math.PI, -0, 5e-324, Number.MAX_VALUE]),
  'v1-number-far-times': newest(farTimes, [234 * 0.1, 0.1, 3 * 0.1]),
  'v1-boolean': newest(times, [true, false, false, true]),
  'v1-string': newest(times, ['RUNNING', 'état', '', '\ud800']),
  'v1-number-decimals-blocks': former(jitter, quarters),
  'v1-number-counter-blocks': former(seconds, counter),
  'v1-number-float32-decimals-blocks': former(seconds, float32),
  'v1-number-raw-doubles-blocks': former(seconds, allDigits),
  'v1-number-exceptions-blocks': former(seconds, outliers),
  'v2-number-decimals': newest(jitter, quarters),
  'v2-number-counter': newest(seconds, counter),
  'v2-number-float32-decimals': newest(seconds, float32),
  'v2-number-raw-doubles': newest(seconds, allDigits),
  'v2-number-exceptions': newest(seconds, outliers),
  'v3-number-lines': newest(lateNowAndThen, levels),
  'v3-number-differences': newest(
    many.map((time, index) => time + noise(index, 40)),
    leaps,
  ),
  'v3-number-float32-decimals': newest(withGaps, levels.map(Math.fround)),
  'v3-number-sparse': newest(withGaps, fewChanges),
  'v3-boolean': newest(
    withGaps,
    many.map((_, index) => index > 900),
  ),
  'v3-boolean-packed': newest(
    many,
    many.map((_, index) => noise(index, 2) > 0),
  ),
  'v3-string': newest(
    lateNowAndThen,
    many.map((_, index) => ['RUNNING', 'état'][index >> 10] as string),
  ),
  'v3-string-packed': newest(
    many,
    many.map((_, index) => `state ${noise(index, 3)}`),
  ),
};

function bytesOf(name: string): Buffer {
  const text = readFileSync(new URL(`${name}.hex`, FOLDER), 'utf8');
  return Buffer.from(text.replaceAll('\n', ''), 'hex');
}

function encoded({ times, values }: Golden): string {
  const [first] = values;
  const count = times.length;
  const bytes =
    typeof first === 'string'
      ? encodeStrings(times, values as string[], count)
      : typeof first === 'boolean'
        ? encodeBooleans(times, values as boolean[], count)
        : encodeNumbers(times, values as number[], count);
  return Buffer.from(bytes).toString('hex');
}

describe('golden chunks', () => {
  it('have an expectation for every file in the folder', () => {
    const files = readdirSync(FOLDER).map((name) => name.replace(/\.hex$/, ''));
    expect(files.sort()).toEqual(Object.keys(GOLDEN).sort());
  });

  it('have the version in their name as the first byte', () => {
    for (const name of Object.keys(GOLDEN)) {
      expect(`${name}: v${bytesOf(name)[0]}`).toBe(`${name}: ${name.slice(0, 2)}`);
    }
  });

  it.each(Object.entries(GOLDEN))(
    'decode to the readings that were written: %s',
    (name, golden) => {
      const columns = decode(bytesOf(name));
      expect([...columns.times]).toEqual(golden.times);
      const values = columns.kind === 'BOOLEAN' ? [...columns.values].map(Boolean) : columns.values;
      expect([...values]).toEqual(golden.values);
    },
  );

  it.each(Object.entries(GOLDEN).filter(([, { isNewest }]) => isNewest))(
    'of the newest form are written byte for byte: %s',
    (name, golden) => {
      expect(encoded(golden)).toBe(bytesOf(name).toString('hex'));
    },
  );

  it('decode from the middle of a larger buffer', () => {
    const chunk = bytesOf('v1-number-decimals');
    const around = Buffer.concat([Buffer.alloc(3, 255), chunk, Buffer.alloc(3, 255)]);
    expect([...decode(around.subarray(3, 3 + chunk.length)).times]).toEqual(times);
  });
});
