import { describe, expect, it } from 'vitest';
import { align, gapMsOf, loneIndexes } from './series.ts';

const bucket = (timestamp: number, mean = 1) => ({ timestamp, mean, min: mean, max: mean });

describe('a gap', () => {
  it('is a distance well over the usual one', () => {
    expect(gapMsOf([0, 10, 20, 30], 1)).toBe(35);
  });

  it('is never less than a few buckets, however dense the readings are', () => {
    expect(gapMsOf([0, 1, 2, 3], 100)).toBe(350);
  });

  it('is known of a single reading too', () => {
    expect(gapMsOf([5], 10)).toBe(35);
    expect(gapMsOf([], 10)).toBe(35);
  });
});

describe('series on one time axis', () => {
  it('break off where readings are missing, and only there', () => {
    const { seconds, columns } = align([
      { bucketMs: 1_000, buckets: [0, 1_000, 2_000, 9_000, 10_000].map((at) => bucket(at)) },
    ]);
    expect(seconds).toEqual([0, 1, 2, 3, 9, 10]);
    expect(columns[0]?.means).toEqual([1, 1, 1, null, 1, 1]);
  });

  it('bridge moments at which only another one has a reading', () => {
    const { seconds, columns } = align([
      { bucketMs: 1_000, buckets: [bucket(0, 1), bucket(2_000, 3)] },
      { bucketMs: 1_000, buckets: [bucket(1_000, 7)] },
    ]);
    expect(seconds).toEqual([0, 1, 2]);
    expect(columns.map(({ means }) => means)).toEqual([
      [1, undefined, 3],
      [undefined, 7, undefined],
    ]);
  });

  it('are empty when nothing is there', () => {
    expect(align([])).toEqual({ seconds: [], columns: [] });
  });
});

describe('a value that stands alone', () => {
  it('is found between gaps and at the ends, and nowhere else', () => {
    expect(loneIndexes([1, null, 2, undefined, null, 3, undefined, 4, null, 5])).toEqual([0, 2, 9]);
    expect(loneIndexes([undefined, 7, undefined])).toEqual([1]);
    expect(loneIndexes([1, undefined, 2, null])).toBeNull();
    expect(loneIndexes([null, undefined])).toBeNull();
  });
});
