import { describe, expect, it } from 'vitest';
import { parseRange, rangeOf, steadyNow, stepOf } from './range.ts';

describe('a range in an address', () => {
  it('is a way back from now, or between two moments', () => {
    expect(parseRange({ last: 'week' })).toEqual({ last: 'week' });
    expect(parseRange({ from: 1, to: 2, last: 'week' })).toEqual({ from: 1, to: 2 });
  });

  it.each([{ last: 'aeon' }, { from: 2, to: 1 }, { from: 1 }, { from: '1', to: '2' }, {}])(
    'that says nothing sensible, %j, says nothing',
    (raw) => {
      expect(parseRange(raw)).toEqual({});
    },
  );

  it('ends now unless it says otherwise', () => {
    expect(rangeOf({ last: 'hour' }, 7_200_000)).toEqual({ startMs: 3_600_000, endMs: 7_200_000 });
    expect(rangeOf({ from: 1, to: 2 }, 9)).toEqual({ startMs: 1, endMs: 2 });
  });
});

describe('a steady now', () => {
  it('moves in steps that a chart can show', () => {
    expect(steadyNow(10_001, 60_000)).toBe(15_000);
    expect(steadyNow(15_000, 60_000)).toBe(15_000);
    const dayMs = 86_400_000;
    expect(steadyNow(1, dayMs)).toBe(172_800);
  });
});

describe('a step', () => {
  const range = { startMs: 100, endMs: 200 };

  it('goes half a stretch back, and half a stretch on', () => {
    expect(stepOf(range, -1, 200)).toEqual({ startMs: 50, endMs: 150 });
    expect(stepOf(range, 1, 1_000)).toEqual({ startMs: 150, endMs: 250 });
  });

  it('ends at the present', () => {
    expect(stepOf(range, 1, 210)).toEqual({ startMs: 110, endMs: 210 });
    expect(stepOf(range, 1, 150)).toEqual(range);
  });
});
