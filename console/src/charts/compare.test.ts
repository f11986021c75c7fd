import { describe, expect, it } from 'vitest';
import { movedNumbers, offsetMsOf } from './compare.ts';

const local = (...parts: [number, number, number, number?]) => new Date(...parts).getTime();
const DAY_MS = 24 * 3_600_000;
const range = { startMs: local(2026, 10, 16, 6), endMs: local(2026, 10, 16, 18) };

describe('the compared range', () => {
  it.each([
    ['period', DAY_MS / 2],
    ['day', DAY_MS],
    ['week', 7 * DAY_MS],
    ['month', range.endMs - local(2026, 9, 16, 18)],
    ['year', range.endMs - local(2025, 10, 16, 18)],
  ] as const)('of a %s is %i ms earlier', (comparison, offsetMs) => {
    expect(offsetMsOf(range, comparison)).toBe(offsetMs);
  });

  it('is drawn at the times that it is compared with', () => {
    const mean = [1, 2];
    const history = {
      variable: { id: 'v' } as never,
      bucketMs: 10,
      buckets: { timestamp: [100, 110], mean, min: mean, max: mean },
    };
    expect(movedNumbers(history, 1_000).buckets).toEqual({
      timestamp: [1_100, 1_110],
      mean,
      min: mean,
      max: mean,
    });
  });
});
