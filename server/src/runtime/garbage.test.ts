import { expect, it } from 'vitest';
import { heapGrowthPercent } from './garbage.ts';

const MEGABYTE = 1024 * 1024;

it.each([
  [40, 200],
  [64, 200],
  [128, 100],
  [256, 50],
  [1_024, 30],
])('a heap of %i MB may grow by %i %% before a full collection', (megabytes, percent) => {
  expect(heapGrowthPercent(megabytes * MEGABYTE)).toBe(percent);
});
