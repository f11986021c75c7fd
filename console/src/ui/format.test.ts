import { describe, expect, it } from 'vitest';
import { createLocaleFormats } from '../runtime/index.ts';
import { bytesText, duration, numberText, readingText, relativeTime, shortTime } from './format.ts';

const AMERICAN = createLocaleFormats('en-US');

describe('a number', () => {
  it.each([
    [0, '0'],
    [1_234_567, '1,234,567'],
    [1_234.567, '1,234.6'],
    [12.345_678, '12.346'],
    [0.123_456_7, '0.12346'],
    [-3.3, '-3.3'],
    [0.000_012_3, '1.230e-5'],
    [999_999_999_999_999, '999,999,999,999,999'],
    [1e15, '1.000e15'],
    [-Number.MAX_VALUE, '-1.798e308'],
  ])('%d is shown with five significant digits', (value, text) => {
    expect(numberText(value, undefined, AMERICAN)).toBe(text);
  });

  it('is shown with the requested number of decimals', () => {
    expect(numberText(3, 2, AMERICAN)).toBe('3.00');
    expect(numberText(Number.MAX_VALUE, 2, AMERICAN)).toBe('1.798e308');
  });
});

describe('a reading', () => {
  it('is shown with its unit, and a boolean as On or Off', () => {
    expect(readingText(4.2, 'bar')).toBe('4.2 bar');
    expect(readingText(true, null)).toBe('On');
    expect(readingText('RUNNING', null)).toBe('RUNNING');
  });
});

describe('a duration', () => {
  it.each([
    [0, '0 s'],
    [999, '0 s'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h'],
    [90_061_000, '1 d 1 h'],
    [-5, '0 s'],
  ])('of %d ms is shown in its two largest units', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});

describe('relativeTime', () => {
  it.each([
    [-5_000, '5 sec. ago'],
    [-59_999, '59 sec. ago'],
    [-60_000, '1 min. ago'],
    [-3_599_999, '59 min. ago'],
    [-20_000_000, '5 hr. ago'],
    [-86_399_999, '23 hr. ago'],
    [-86_400_000, 'yesterday'],
    [3_599_999, 'in 59 min.'],
  ])('describes %d ms from now', (distance, text) => {
    expect(relativeTime(1e12 + distance, 1e12)).toBe(text);
  });

  it.each([
    [15, 0, 'yesterday'],
    [14, 23, '2 days ago'],
    [8, 12, '8 days ago'],
    [17, 13, 'tomorrow'],
    [18, 0, 'in 2 days'],
  ])('names the day of the calendar from a day on: November %i, %i h', (day, hour, text) => {
    const now = new Date(2026, 10, 16, 12).getTime();
    expect(relativeTime(new Date(2026, 10, day, hour).getTime(), now)).toBe(text);
  });

  it('is "now" for a time slightly ahead of the clock', () => {
    expect(relativeTime(1e12 + 5_000, 1e12)).toBe('now');
  });
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1.0 kB'],
  [38_400_000, '38 MB'],
  [1_250_000_000, '1.3 GB'],
])('%d bytes are shown as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

describe('an exact time', () => {
  const now = Date.parse('2026-11-16T12:00:00Z');

  it.each([
    [0, false],
    [14_000, false],
    [-86_399_000, false],
    [-86_400_000, true],
    [60_000, true],
  ])('%d ms from the sampled present, has a date: %s', (fromNow, hasDate) => {
    expect(shortTime(now + fromNow, now).includes('2026')).toBe(hasDate);
  });
});
