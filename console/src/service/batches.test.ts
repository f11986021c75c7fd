import { expect, it } from 'vitest';
import { batchesOf } from './batches.ts';

it('ids are requested once each, at most 200 at once, whatever their order', () => {
  expect(batchesOf([])).toEqual([]);
  expect(batchesOf(['b', 'a', 'b'])).toEqual([['a', 'b']]);
  const ids = Array.from({ length: 450 }, (_, index) => `variable ${index}`);
  expect(batchesOf(ids).map(({ length }) => length)).toEqual([200, 200, 50]);
  expect(batchesOf(ids.toReversed())).toEqual(batchesOf(ids));
});
