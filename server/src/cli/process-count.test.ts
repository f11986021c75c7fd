import { expect, it } from 'vitest';
import { processCount } from './process-count.ts';

it('a machine has one process on up to two cores, and then one for every second core', () => {
  const counts = [1, 2, 3, 4, 5, 8, 16, 256].map((cores) => processCount(null, cores));
  expect(counts).toEqual([1, 1, 1, 2, 2, 4, 8, 64]);
});

it('a configured number of processes holds on any machine', () => {
  expect([processCount(3, 1), processCount(1, 64)]).toEqual([3, 1]);
});
