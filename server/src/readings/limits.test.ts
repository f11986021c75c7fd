import { expect, it } from 'vitest';
import { READINGS_LIMITS, tailLid } from './limits.ts';

it('what waits in memory may grow with the Variables that report, up to a lid', () => {
  const limits = {
    ...READINGS_LIMITS,
    tailBytes: 1_000,
    tailBytesAVariable: 10,
    mostTailBytes: 1_500,
  };
  expect(tailLid(limits, 0)).toBe(1_000);
  expect([49, 50, 51].map((variables) => tailLid(limits, variables))).toEqual([
    1_490, 1_500, 1_500,
  ]);
  expect(tailLid({ ...limits, mostTailBytes: 500 }, 100)).toBe(1_000);
});
