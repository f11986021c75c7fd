import { describe, expect, it } from 'vitest';
import { TimeWeightedMean } from './time-weighted-mean.ts';

const meanOf = (...slices: readonly (readonly (readonly [at: number, value: number])[])[]) => {
  const mean = new TimeWeightedMean();
  for (const slice of slices) {
    const times = Float64Array.from(slice, ([at]) => at);
    mean.add({ kind: 'NUMBER', times, values: Float64Array.from(slice, ([, value]) => value) });
  }
  return mean.mean;
};

describe('a time-weighted mean', () => {
  it('counts each reading for as long as it lasts, across slices', () => {
    expect(
      meanOf(
        [
          [0, 10],
          [90, 0],
        ],
        [[100, 5]],
      ),
    ).toBe(9);
  });

  it('is the value of a single reading, and null without any', () => {
    expect(meanOf([[7, 3]])).toBe(3);
    expect(meanOf([])).toBeNull();
  });

  it('does not overflow', () => {
    expect(
      meanOf([
        [0, 1e308],
        [1e6, 1e308],
        [2e6, 1e308],
      ]),
    ).toBe(1e308);
    expect(
      meanOf([
        [0, 1.7e308],
        [1_000, -1.7e308],
        [2_000, 1.7e308],
      ]),
    ).toBe(0);
  });
});
