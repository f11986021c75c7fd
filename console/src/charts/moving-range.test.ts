import { describe, expect, it } from 'vitest';
import { shifted, startOf } from './calendar.ts';
import { isMoving, movingOf, movingRange } from './moving-range.ts';

const local = (...parts: [number, number, number, number?, number?]) =>
  new Date(...parts).getTime();
/** A Tuesday. */
const NOW = local(2026, 10, 17, 9, 30);
const HOUR_MS = 3_600_000;

describe('a range that follows the clock', () => {
  it('is a length up to now', () => {
    expect(movingRange('6h', NOW)).toEqual({ startMs: NOW - 6 * HOUR_MS, endMs: NOW });
    expect(movingRange('day', NOW)).toEqual({ startMs: NOW - 24 * HOUR_MS, endMs: NOW });
  });

  it('is a period of the calendar up to now, or a complete one', () => {
    expect(movingRange('today', NOW)).toEqual({ startMs: local(2026, 10, 17), endMs: NOW });
    expect(movingRange('yesterday', NOW)).toEqual({
      startMs: local(2026, 10, 16),
      endMs: local(2026, 10, 17),
    });
    expect(movingRange('this-month', NOW).startMs).toBe(local(2026, 10, 1));
    expect(movingRange('previous-month', NOW)).toEqual({
      startMs: local(2026, 9, 1),
      endMs: local(2026, 10, 1),
    });
    expect(movingRange('previous-year', NOW)).toEqual({
      startMs: local(2025, 0, 1),
      endMs: local(2026, 0, 1),
    });
    const week = movingRange('previous-week', NOW);
    expect(week.startMs).toBe(shifted(week.endMs, 'week', -1));
    expect(movingRange('this-week', NOW).startMs).toBe(week.endMs);
  });

  it('is not empty at midnight, and stays in its day where the end is rounded up', () => {
    const midnight = local(2026, 10, 17);
    const { startMs, endMs } = movingRange('today', midnight);
    expect(endMs - startMs).toBe(60_000);
    const before = midnight - 1_000;
    expect(movingRange('today', before, midnight + 1_000).startMs).toBe(local(2026, 10, 16));
  });

  it.each(['aeon', '0h', '6', 'h6', '99999h', '9999w', 'previous-decade'])('is not %j', (text) => {
    expect(isMoving(text)).toBe(false);
  });

  it('has one shortest text', () => {
    expect(movingOf(24, 'h')).toBe('day');
    expect(movingOf(6, 'h')).toBe('6h');
  });
});

describe('the calendar', () => {
  it.each([
    [1, local(2026, 10, 16)],
    [7, local(2026, 10, 15)],
  ])('begins a week on weekday %i', (weekday, start) => {
    expect(startOf('week', NOW, weekday)).toBe(start);
  });

  it('goes back to the last day of a shorter month', () => {
    expect(shifted(local(2026, 2, 31, 8), 'month', -1)).toBe(local(2026, 1, 28, 8));
    expect(shifted(local(2028, 1, 29), 'year', -1)).toBe(local(2027, 1, 28));
  });
});
