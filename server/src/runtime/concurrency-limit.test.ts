import { expect, it } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';

it('a concurrency limit counts each key and all of them, and what leaves makes room', () => {
  const limit = createConcurrencyLimit({ perKey: 2, inAll: 3 });
  expect([limit.enter('a'), limit.enter('a'), limit.enter('a')]).toEqual([
    'entered',
    'entered',
    'over key limit',
  ]);
  expect([limit.enter('b'), limit.enter('b')]).toEqual(['entered', 'over total limit']);
  limit.leave('a');
  expect([limit.enter('b'), limit.enter('a')]).toEqual(['entered', 'over total limit']);
});
