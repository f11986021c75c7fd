import { describe, expect, it } from 'vitest';
import { createLocaleFormats } from './locale-formats.ts';

/** Newer versions of the locale data have other spaces in the same places. */
const plain = (text: string) => text.replaceAll(/\s/g, ' ');

const AT_MS = new Date(2026, 10, 15, 18, 3, 9).getTime();

describe('the formats of a locale', () => {
  it.each([
    ['en-US', 'Nov 15, 2026, 06:03:09 PM', '06:03:09 PM'],
    ['en-GB', '15 Nov 2026, 18:03:09', '18:03:09'],
    ['de-DE', '15. Nov. 2026, 18:03:09', '18:03:09'],
    ['ja-JP', '2026年11月15日 18:03:09', '18:03:09'],
  ])('show dates in the order and with the hours of %s', (locale, exact, clock) => {
    const formats = createLocaleFormats(locale);
    expect(plain(formats.exact(AT_MS))).toBe(exact);
    expect(plain(formats.clock(AT_MS))).toBe(clock);
  });

  it.each([
    ['en-US', '1,234.50', '0.5', '1.230e-5'],
    ['de-DE', '1.234,50', '0,5', '1,230e-5'],
    ['ar-EG', '١٬٢٣٤٫٥٠', '٠٫٥', '1.230e-5'],
    ['ja-JP', '1,234.50', '0.5', '1.230e-5'],
  ])('show numbers with the digits and separators of %s', (locale, fixed, upTo, small) => {
    const formats = createLocaleFormats(locale);
    expect(formats.fixed(1_234.5, 2)).toBe(fixed);
    expect(formats.upTo(0.5, 4)).toBe(upTo);
    expect(formats.exponential(0.000_012_3)).toBe(small);
  });

  it.each([
    ['en-US', '.', 7],
    ['en-GB', '.', 1],
    ['de-DE', ',', 1],
    ['ar-EG', '.', 6],
  ])(
    'have the decimal separator of typed numbers and the first weekday of %s',
    (locale, separator, weekday) => {
      const formats = createLocaleFormats(locale);
      expect(formats.decimalSeparator).toBe(separator);
      expect([weekday, 1]).toContain(formats.firstWeekday);
    },
  );

  it('take the first of several locales', () => {
    expect(createLocaleFormats(['de-AT', 'en-US']).decimalSeparator).toBe(',');
  });
});

describe('the ticks of a time axis', () => {
  const { ticks } = createLocaleFormats('en-GB');
  const at = (day: number, hour: number, second = 0) =>
    new Date(2026, 11, day, hour, 0, second).getTime();

  it('show the date below the first time of a day only', () => {
    const times = [at(30, 12), at(30, 18), at(31, 0), at(31, 6)];
    expect(ticks(times, 21_600)).toEqual(['12:00\n30 Dec', '18:00', '00:00\n31 Dec', '06:00']);
  });

  it('show days with the year where it changes, and months with their year', () => {
    expect(ticks([at(30, 0), at(31, 0), at(32, 0)], 86_400)).toEqual([
      '30 Dec\n2026',
      '31 Dec',
      '1 Jan\n2027',
    ]);
    expect(ticks([at(1, 0), at(32, 0)], 31 * 86_400)).toEqual(['Dec 2026', 'Jan 2027']);
  });

  it('show seconds where ticks are less than a minute apart', () => {
    expect(ticks([at(1, 13, 5)], 5)).toEqual(['13:00:05\n1 Dec']);
  });
});
