import { describe, expect, it } from 'vitest';
import { delayAfter } from './write-behind.ts';

describe('write-behind', () => {
  it('writes every two seconds while that is fast, and otherwise a twentieth of the time', () => {
    expect([0, 50, 105].map(delayAfter)).toEqual([2_000, 2_000, 2_000]);
    expect(delayAfter(110)).toBeCloseTo(2_090);
    expect(delayAfter(3_000)).toBeCloseTo(57_000);
  });
});
