import { describe, expect, it } from 'vitest';
import { align, gapMsOf, isolatedIndexes } from './series.ts';

const buckets = (...means: readonly (readonly [at: number, mean: number])[]) => {
  const timestamp = means.map(([at]) => at);
  const mean = means.map(([, value]) => value);
  return { timestamp, mean, min: mean, max: mean };
};

describe('a gap', () => {
  it('is a distance well over the median', () => {
    expect(gapMsOf([0, 10, 20, 30], 1)).toBe(35);
  });

  it('is at least a few buckets wide, also for dense readings', () => {
    expect(gapMsOf([0, 1, 2, 3], 100)).toBe(350);
  });

  it('is defined for a single reading and for none', () => {
    expect(gapMsOf([5], 10)).toBe(35);
    expect(gapMsOf([], 10)).toBe(35);
  });
});

describe('series on one time axis', () => {
  it('have a null only where readings are missing', () => {
    const { seconds, columns } = align([
      {
        bucketMs: 1_000,
        buckets: buckets([0, 1], [1_000, 1], [2_000, 1], [9_000, 1], [10_000, 1]),
      },
    ]);
    expect(seconds).toEqual([0, 1, 2, 3, 9, 10]);
    expect(columns[0]?.means).toEqual([1, 1, 1, null, 1, 1]);
  });

  it('are undefined at times at which only another series has a reading', () => {
    const { seconds, columns } = align([
      { bucketMs: 1_000, buckets: buckets([0, 1], [2_000, 3]) },
      { bucketMs: 1_000, buckets: buckets([1_000, 7]) },
    ]);
    expect(seconds).toEqual([0, 1, 2]);
    expect(columns.map(({ means }) => means)).toEqual([
      [1, undefined, 3],
      [undefined, 7, undefined],
    ]);
  });

  it('have a gap of their own while another series has readings in it', () => {
    const sparse = buckets([0, 1], [1_000, 1], [2_000, 1], [9_000, 1]);
    const dense = buckets(...[0, 1_000, 2_000, 3_000, 4_000, 9_000].map((at) => [at, 7] as const));
    const { seconds, columns } = align([
      { bucketMs: 1_000, buckets: sparse },
      { bucketMs: 1_000, buckets: dense },
    ]);
    expect(seconds).toEqual([0, 1, 2, 3, 4, 5, 9]);
    expect(columns.map(({ means }) => means)).toEqual([
      [1, 1, 1, null, undefined, undefined, 1],
      [7, 7, 7, 7, 7, null, 7],
    ]);
  });

  it('are empty without input', () => {
    expect(align([])).toEqual({ seconds: [], columns: [] });
  });
});

describe('isolatedIndexes', () => {
  const isolated = (column: (number | null | undefined)[], visibleSeconds = 1) =>
    isolatedIndexes(column, [...column.keys()], visibleSeconds);

  it('returns values between gaps and at the ends only', () => {
    expect(isolated([1, null, 2, undefined, null, 3, undefined, 4, null, 5])).toEqual([0, 2, 9]);
    expect(isolated([undefined, 7, undefined])).toEqual([1]);
    expect(isolated([1, undefined, 2, null])).toBeNull();
    expect(isolated([null, undefined])).toBeNull();
  });

  it('returns the last value of a run that is shorter than what is visible', () => {
    expect(isolated([1, 2, null, 3, 4, 5, 6], 3)).toEqual([1]);
  });
});
