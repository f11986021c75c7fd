import { MAX_WEIGHTED_READINGS } from '@fieldwatch/contract';
import { expect, it } from 'vitest';
import { weightedOrdinals } from './table-handlers.ts';

it.each([
  [[MAX_WEIGHTED_READINGS - 1], [0]],
  [[MAX_WEIGHTED_READINGS], [0]],
  [[MAX_WEIGHTED_READINGS + 1], []],
  [
    [5, 0, MAX_WEIGHTED_READINGS - 5, 1],
    [0, 2],
  ],
])('of Variables with %j readings, those at %j have a mean over time', (counts, expected) => {
  expect([...weightedOrdinals(counts)]).toEqual(expected);
});
