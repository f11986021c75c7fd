import { describe, expect, it } from 'vitest';
import { periodsAt, reachable, shadingsOf } from './marks.ts';

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

describe('shadingsOf', () => {
  it('returns overlapping periods of one colour as one shading, within the chart', () => {
    const plot = {
      bbox: { left: 10, top: 0, width: 100, height: 50 },
      valToPos: (seconds: number) => 10 + seconds,
    };
    const period = (startMs: number, endMs: number, colour: string) => ({
      ...{ startMs, endMs, colour, label: '' },
    });
    const periods = [
      period(-5_000, 20_000, 'red'),
      period(10_000, 10_000, 'blue'),
      period(10_000, 30_000, 'red'),
      period(-9_000, -5_000, 'blue'),
      period(90_000, 120_000, 'blue'),
    ];
    expect(shadingsOf(plot, periods)).toEqual([
      {
        colour: 'red',
        spans: [
          { left: 10, width: 20 },
          { left: 20, width: 20 },
        ],
      },
      {
        colour: 'blue',
        spans: [
          { left: 20, width: 2 },
          { left: 100, width: 10 },
        ],
      },
    ]);
  });
});
