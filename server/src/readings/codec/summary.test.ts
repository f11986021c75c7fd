import { describe, expect, it } from 'vitest';
import { summaryOf } from './summary.ts';

describe('a summary', () => {
  it('has count, times, minimum, maximum, sum, first and last', () => {
    expect(summaryOf([10, 20, 30, 40], [2.5, -1, 7, 3], 4)).toEqual({
      count: 4,
      startTime: 10,
      endTime: 40,
      min: -1,
      max: 7,
      sum: 11.5,
      first: 2.5,
      last: 3,
    });
  });

  it('covers only the given number of readings', () => {
    const summary = summaryOf(Float64Array.of(1, 2, 3), Float64Array.of(4, 5, 900), 2);
    expect(summary).toMatchObject({ count: 2, endTime: 2, max: 5, sum: 9, last: 5 });
  });

  it('adds in time order, so that the sum is reproducible', () => {
    expect(summaryOf([1, 2, 3], [1e16, 1, -1e16], 3).sum).toBe(1e16 + 1 - 1e16);
    expect(summaryOf([1, 2], [Number.MAX_VALUE, Number.MAX_VALUE], 2).sum).toBe(Infinity);
  });

  it('is refused for no readings and for more than there are', () => {
    expect(() => summaryOf([], [], 0)).toThrow(RangeError);
    expect(() => summaryOf([1], [1, 2], 2)).toThrow(RangeError);
  });
});
