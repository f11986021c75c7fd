import { describe, expect, it } from 'vitest';
import { axisStepMs, endingNow, parseRange, quantizedNow, rangeOf, stepOf } from './range.ts';

describe('a range in a URL', () => {
  it('is a preset up to now, or a start and an end', () => {
    expect(parseRange({ last: 'week' })).toEqual({ last: 'week' });
    expect(parseRange({ from: 1, to: 2, last: 'week' })).toEqual({ from: 1, to: 2 });
  });

  it.each([{ last: 'aeon' }, { from: 2, to: 1 }, { from: 1 }, { from: '1', to: '2' }, {}])(
    'is ignored when it is invalid: %j',
    (raw) => {
      expect(parseRange(raw)).toEqual({});
    },
  );

  it('ends now without an explicit end', () => {
    expect(rangeOf({ last: 'hour' }, 7_200_000)).toEqual({ startMs: 3_600_000, endMs: 7_200_000 });
    expect(rangeOf({ from: 1, to: 2 }, 9)).toEqual({ startMs: 1, endMs: 2 });
  });
});

describe('quantizedNow', () => {
  it('moves in steps of a five-hundredth of the range, at least 5 s', () => {
    expect(quantizedNow(10_001, 60_000)).toBe(15_000);
    expect(quantizedNow(15_000, 60_000)).toBe(15_000);
    const dayMs = 86_400_000;
    expect(quantizedNow(1, dayMs)).toBe(172_800);
  });
});

describe('an axis', () => {
  const yearMs = 365 * 86_400_000;

  it('ends now where its range ends in the future', () => {
    const range = rangeOf({ last: 'year' }, quantizedNow(yearMs + 1, yearMs));
    expect(range.endMs).toBeGreaterThan(yearMs + 1);
    expect(endingNow(range, yearMs + 1)).toEqual({ startMs: 1, endMs: yearMs + 1 });
  });

  it('ends with its range where that has passed', () => {
    expect(endingNow({ startMs: 1, endMs: 2 }, 3)).toEqual({ startMs: 1, endMs: 2 });
  });

  it('follows the clock each second, or in steps that are smaller than a pixel', () => {
    expect(axisStepMs({ startMs: 0, endMs: 3_600_000 })).toBe(1_800);
    expect(axisStepMs({ startMs: 0, endMs: 60_000 })).toBe(1_000);
  });
});

describe('stepOf', () => {
  const range = { startMs: 100, endMs: 200 };

  it('moves by half the length of the range', () => {
    expect(stepOf(range, -1, 200)).toEqual({ startMs: 50, endMs: 150 });
    expect(stepOf(range, 1, 1_000)).toEqual({ startMs: 150, endMs: 250 });
  });

  it('does not move past the present', () => {
    expect(stepOf(range, 1, 210)).toEqual({ startMs: 110, endMs: 210 });
    expect(stepOf(range, 1, 150)).toEqual(range);
  });
});
