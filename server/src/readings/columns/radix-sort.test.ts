import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortOrder } from './radix-sort.ts';

it('the radix sort is stable for any number and range of times', () => {
  const time = fc.oneof(
    fc.integer({ min: 0, max: 50 }),
    fc.integer({ min: 0, max: 8_640_000_000_000_000 }),
  );
  const length = fc.constantFrom(0, 1, 100, 4_095, 4_096, 5_000);
  fc.assert(
    fc.property(length, fc.array(time, { minLength: 1, maxLength: 200 }), (count, some) => {
      const times = Float64Array.from({ length: count }, (_, index) => {
        const at = some[(index * 7919) % some.length] as number;
        return at - (at > 50 ? index % 3 : 0);
      });
      const expected = [...times.keys()].sort(
        (a, b) => (times[a] as number) - (times[b] as number) || a - b,
      );
      expect([...sortOrder(times)]).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});
