import { describe, expect, it } from 'vitest';
import type { Variable } from '../service/index.ts';
import { extended, extendedStates, type TailBucket, withState, withValue } from './live-tail.ts';

const variable = { id: 'v', name: 'Oil pressure' } as Partial<Variable> as Variable;
const history = {
  variable,
  bucketMs: 1_000,
  buckets: { timestamp: [1_000, 2_000], min: [1, 2], max: [1, 2], mean: [1, 2] },
};

function tailOf(...values: readonly (readonly [timestamp: number, value: number])[]) {
  return values.reduce<readonly TailBucket[]>(
    (tail, [timestamp, value]) => withValue(tail, { timestamp, value }, 1_000),
    [],
  );
}

describe('the live end of a line', () => {
  it('is the newest value at its own time', () => {
    const { timestamp, mean } = extended(history, tailOf([2_500, 7])).buckets;
    expect([timestamp, mean]).toEqual([
      [1_000, 2_000, 2_500],
      [1, 2, 7],
    ]);
  });

  it('has one point for each bucket, with the minimum, maximum and mean of its values', () => {
    const { buckets } = extended(history, tailOf([3_000, 4], [3_400, 8], [4_100, 5]));
    expect(buckets).toEqual({
      timestamp: [1_000, 2_000, 3_400, 4_100],
      min: [1, 2, 4, 5],
      max: [1, 2, 8, 5],
      mean: [1, 2, 6, 5],
    });
  });

  it('leaves out values that the history has', () => {
    expect(extended(history, tailOf([2_000, 9]))).toBe(history);
  });
});

describe('the live end of a stripe', () => {
  const states = { variable, segments: [{ startTime: 1_000, endTime: 2_000, value: true }] };

  it('extends the last state and adds the new one', () => {
    const live = [
      { timestamp: 1_500, value: true },
      { timestamp: 3_000, value: true },
      { timestamp: 4_000, value: false },
      { timestamp: 5_000, value: false },
      { timestamp: 6_000, value: false },
    ].reduce(withState, []);
    expect(extendedStates(states, live).segments).toEqual([
      { startTime: 1_000, endTime: 4_000, value: true },
      { startTime: 4_000, endTime: 6_000, value: false },
    ]);
  });
});
