import { describe, expect, it } from 'vitest';
import { rateOf, withLook } from './readings-rate.ts';

describe('the rate of readings', () => {
  it('is the count between the first and the last sample, per second', () => {
    const looks = [
      { total: 100, atMs: 0 },
      { total: 100, atMs: 5_000 },
      { total: 1_100, atMs: 10_000 },
    ];
    expect(rateOf(looks)).toBe(100);
  });

  it('is unknown after one sample', () => {
    expect(rateOf([])).toBeNull();
    expect(rateOf([{ total: 5, atMs: 1 }])).toBeNull();
  });

  it('covers the last half minute only', () => {
    const looks = withLook([{ total: 0, atMs: 0 }], { total: 1, atMs: 30_000 });
    expect(looks).toHaveLength(2);
    expect(withLook(looks, { total: 2, atMs: 30_001 })).toHaveLength(2);
  });

  it('starts again after a lower count, as when a Device was deleted', () => {
    const look = { total: 4, atMs: 10_000 };
    expect(withLook([{ total: 5, atMs: 5_000 }], look)).toEqual([look]);
  });
});
