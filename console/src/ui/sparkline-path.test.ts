import { expect, it } from 'vitest';
import { sparklinePath } from './sparkline-path.ts';

const range = { startMs: 0, endMs: 100 };

it('a sparkline fills its box from the lowest to the highest value', () => {
  const line = sparklinePath({ timestamp: [0, 5, 10], mean: [1, 3, 2] }, range, 200, 44);
  expect(line).toEqual({ path: 'M0.0 42.0L10.0 2.0L20.0 22.0', min: 1, max: 3 });
});

it('a sparkline is interrupted by a long gap, level for one value and absent without any', () => {
  expect(sparklinePath({ timestamp: [0, 50], mean: [1, 1] }, range, 200, 44)?.path).toBe(
    'M0.0 22.0M100.0 22.0',
  );
  expect(sparklinePath({ timestamp: [], mean: [] }, range, 200, 44)).toBeNull();
  expect(sparklinePath(undefined, range, 200, 44)).toBeNull();
});
