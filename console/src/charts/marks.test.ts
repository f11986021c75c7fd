import { describe, expect, it } from 'vitest';
import { periodsAt, reachable } from './marks.ts';

describe('the scale of a chart', () => {
  it('includes a threshold as far from the values as their spread', () => {
    expect(reachable(10, 20, [0, 30, -0.1, 30.1])).toEqual([0, 30]);
  });

  it('includes a threshold up to half a value away from nearly constant values', () => {
    expect(reachable(1_500, 1_510, [744, 745, 2_265, 2_266])).toEqual([745, 2_265]);
  });
});

describe('periodsAt', () => {
  it('returns the periods that include a time, both ends inclusive', () => {
    const open = (startMs: number, endMs: number, label: string) => ({
      startMs,
      endMs,
      label,
      colour: '',
    });
    const periods = [open(10, 20, 'a'), open(20, 30, 'b')];
    const named = [9, 10, 20, 21, 31].map((ms) => periodsAt(periods, ms).map(({ label }) => label));
    expect(named).toEqual([[], ['a'], ['a', 'b'], ['b'], []]);
  });
});
