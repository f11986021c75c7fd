import { describe, expect, it } from 'vitest';
import { delayAfter } from './write-behind.ts';

describe('write-behind', () => {
  it('writes every two seconds while that is fast, and otherwise a twentieth of the time', () => {
    expect([0, 50, 105].map(delayAfter)).toEqual([2_000, 2_000, 2_000]);
    expect(delayAfter(110)).toBeCloseTo(2_090);
    expect(delayAfter(1_500)).toBeCloseTo(28_500);
  });

  it('writes again within half a minute, however long a write took', () => {
    expect([1_579, 3_000, 600_000].map(delayAfter)).toEqual([30_000, 30_000, 30_000]);
    expect(delayAfter(1_578)).toBeLessThan(30_000);
  });
});
