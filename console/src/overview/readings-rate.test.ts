import { describe, expect, it } from 'vitest';
import { rateOf, withSample } from './readings-rate.ts';

describe('the rate of readings', () => {
  it('is the count between the first and the last sample, per second', () => {
    const samples = [
      { total: 100, atMs: 0 },
      { total: 100, atMs: 5_000 },
      { total: 1_100, atMs: 10_000 },
    ];
    expect(rateOf(samples)).toBe(100);
  });

  it('is unknown after one sample', () => {
    expect(rateOf([])).toBeNull();
    expect(rateOf([{ total: 5, atMs: 1 }])).toBeNull();
  });

  it('covers the last half minute only', () => {
    const samples = withSample([{ total: 0, atMs: 0 }], { total: 1, atMs: 30_000 });
    expect(samples).toHaveLength(2);
    expect(withSample(samples, { total: 2, atMs: 30_001 })).toHaveLength(2);
  });

  it('starts again after a lower count, as when a Device was deleted', () => {
    const sample = { total: 4, atMs: 10_000 };
    expect(withSample([{ total: 5, atMs: 5_000 }], sample)).toEqual([sample]);
  });
});
