import { describe, expect, it } from 'vitest';
import { pauseAfter } from './write-behind.ts';

describe('what is written behind', () => {
  it('is written every two seconds while that is quick, and else a twentieth of the time', () => {
    expect([0, 50, 105].map(pauseAfter)).toEqual([2_000, 2_000, 2_000]);
    expect(pauseAfter(110)).toBeCloseTo(2_090);
    expect(pauseAfter(3_000)).toBeCloseTo(57_000);
  });
});
