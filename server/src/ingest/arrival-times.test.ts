import { describe, expect, it } from 'vitest';
import { createRandom } from '../../test/support/random.ts';
import { ArrivalTimes } from './arrival-times.ts';

describe('arrival times of readings without a timestamp', () => {
  it('are the arrival time, or one millisecond after the last of the Variable', () => {
    const times = new ArrivalTimes(1_000);
    expect([5_000, 5_000, 5_000, 5_001, 5_003, 5_010].map((at) => times.next(7, at))).toEqual([
      5_000, 5_001, 5_002, 5_003, 5_004, 5_010,
    ]);
    expect(times.next(8, 5_000)).toBe(5_000);
  });

  it('follow readings stored before the start, also those ahead of the clock', () => {
    const times = new ArrivalTimes(1_000);
    times.reserve(7, 6_000);
    times.reserve(7, 5_500);
    expect([5_000, 5_000, 6_002, 6_003].map((at) => times.next(7, at))).toEqual([
      6_001, 6_002, 6_003, 6_004,
    ]);
  });

  it('do not precede the start when the clock is set back', () => {
    const times = new ArrivalTimes(10_000);
    expect(times.next(7, 12_000)).toBe(12_000);
    expect([4_000, 4_001].map((at) => times.next(7, at))).toEqual([12_001, 12_002]);
    expect([4_000, 4_001].map((at) => times.next(8, at))).toEqual([10_000, 10_001]);
  });

  it('of many Variables equal those of a reference implementation', () => {
    const random = createRandom(20_261_116);
    const times = new ArrivalTimes(0);
    const lastOf = new Map<number, number>();
    let now = 1_000;
    for (let step = 0; step < 20_000; step += 1) {
      now += random.below(3) - 1;
      const seriesId = random.pick([1, 255, 256, 257, 70_000, 0xffff_ffff]);
      const expected = Math.max(now, (lastOf.get(seriesId) ?? 0) + 1);
      lastOf.set(seriesId, expected);
      if (times.next(seriesId, now) !== expected) expect.fail(`step ${step}: not ${expected}`);
    }
  });
});
