import { describe, expect, it } from 'vitest';
import { periodsAt, within } from './marks.ts';

describe('a threshold', () => {
  it('has room on the chart as far from the values as they are from each other', () => {
    expect(within(10, 20, [0, 30, -0.1, 30.1])).toEqual([0, 30]);
  });

  it('has room half a value away from values that hardly move', () => {
    expect(within(1_500, 1_510, [744, 745, 2_265, 2_266])).toEqual([745, 2_265]);
  });
});

describe('a moment', () => {
  it('tells what was open then, both ends included', () => {
    const open = (startMs: number, endMs: number, label: string) => ({
      startMs,
      endMs,
      label,
      colour: '',
    });
    const periods = [open(10, 20, 'a'), open(20, 30, 'b')];
    const told = [9, 10, 20, 21, 31].map((ms) => periodsAt(periods, ms).map(({ label }) => label));
    expect(told).toEqual([[], ['a'], ['a', 'b'], ['b'], []]);
  });
});
