import { describe, expect, it } from 'vitest';
import { typedRange } from './typed-range.ts';

const local = (...parts: [number, number, number, number?, number?]) =>
  new Date(...parts).getTime();
const NOW = local(2026, 10, 17, 9, 30);

describe('a typed range', () => {
  it.each([
    ['last 6 hours', '6h'],
    ['Last  6 Hours', '6h'],
    ['6h', '6h'],
    ['15 min', '15m'],
    ['30m', '30m'],
    ['past 3 days', '3d'],
    ['24 hours', 'day'],
    ['7 days', 'week'],
    ['1 week', 'week'],
    ['last hour', 'hour'],
    ['2 months', '60d'],
    ['1 year', 'year'],
    ['now-6h', '6h'],
    ['now-2d to now', '2d'],
    ['today', 'today'],
    ['Yesterday', 'yesterday'],
    ['this week', 'this-week'],
    ['last week', 'previous-week'],
    ['previous month', 'previous-month'],
  ])('of "%s" follows the clock as %s', (typed, last) => {
    expect(typedRange(typed, NOW)).toEqual({ last });
  });

  it.each([
    ['2026-11-01', local(2026, 10, 1), local(2026, 10, 2)],
    ['2026-11-01 to 2026-11-05', local(2026, 10, 1), local(2026, 10, 6)],
    ['2026-11-01 – 2026-11-05', local(2026, 10, 1), local(2026, 10, 6)],
    ['2026-11-01 08:00 to 12:00', local(2026, 10, 1, 8), local(2026, 10, 1, 12)],
    ['2026-11-01T08:00 to 2026-11-02 06:30', local(2026, 10, 1, 8), local(2026, 10, 2, 6, 30)],
    ['06:00 to 09:00', local(2026, 10, 17, 6), local(2026, 10, 17, 9)],
    ['yesterday to now', local(2026, 10, 16), NOW],
  ])('of "%s" has a start and an end', (typed, from, to) => {
    expect(typedRange(typed, NOW)).toEqual({ from, to });
  });

  it.each([
    '',
    'soon',
    '0 hours',
    '9999 years',
    '6 parsecs',
    '2026-02-30',
    '2026-11-01 25:00 to now',
    '2026-11-05 to 2026-11-01',
    '12:00',
    '2026-11-01 08:00',
    'a to b to c',
  ])('of "%s" is none', (typed) => {
    expect(typedRange(typed, NOW)).toBeNull();
  });
});
