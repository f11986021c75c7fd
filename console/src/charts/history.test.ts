import { describe, expect, it } from 'vitest';
import type { Variable } from '../service/index.ts';
import { hasDataIn } from './history.ts';

const variable = { id: 'v', name: 'Oil pressure' } as Partial<Variable> as Variable;
const one = [1];
const figures = { count: one, min: one, max: one, mean: one, first: one, last: one };
const numbers = [{ variable, bucketMs: 10, buckets: { timestamp: [1_000], ...figures } }];
const states = [{ variable, segments: [{ startTime: 500, endTime: 900, value: true }] }];

describe('hasDataIn', () => {
  it.each([
    [0, 2_000, true],
    [1_000, 1_000, true],
    [600, 700, true],
    [1_001, 2_000, false],
    [0, 499, false],
  ])('from %i to %i is %s', (startMs, endMs, expected) => {
    expect(hasDataIn({ startMs, endMs }, { numbers, states })).toBe(expected);
  });
});
