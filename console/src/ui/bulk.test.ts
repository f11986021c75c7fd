import { expect, it } from 'vitest';
import { runBulk } from './bulk.ts';

it('bulk work covers every record in calls of the given size and reports those that failed', async () => {
  const records = Array.from({ length: 10 }, (_, index) => index);
  const calls: (readonly number[])[] = [];
  const progress: number[] = [];
  const outcome = await runBulk({
    records,
    recordsPerCall: 3,
    run: async (part) => {
      calls.push(part);
      await Promise.resolve();
      if (part.includes(4)) throw new Error('refused');
    },
    onProgress: (done) => progress.push(done),
  });
  expect(calls.flat().toSorted((a, b) => a - b)).toEqual(records);
  expect(Math.max(...calls.map(({ length }) => length))).toBe(3);
  expect(progress.at(-1)).toBe(10);
  expect(outcome.failed).toEqual([3, 4, 5]);
  expect(outcome.failure).toEqual(new Error('refused'));
});
