import { expect, it } from 'vitest';
import { memtableLimit, READINGS_LIMITS } from './limits.ts';

it('the memtable limit grows with the number of series up to its maximum', () => {
  const limits = {
    ...READINGS_LIMITS,
    memtableBytes: 1_000,
    memtableBytesPerSeries: 10,
    maxMemtableBytes: 1_500,
  };
  expect(memtableLimit(limits, 0)).toBe(1_000);
  expect([49, 50, 51].map((series) => memtableLimit(limits, series))).toEqual([
    1_490, 1_500, 1_500,
  ]);
  expect(memtableLimit({ ...limits, maxMemtableBytes: 500 }, 100)).toBe(1_000);
});
