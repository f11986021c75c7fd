import { expect, it } from 'vitest';
import { ranked } from './ranked.ts';

it('a search lists the exact match first, then names that begin with it, then the rest', () => {
  const found = ['Old tank 1', 'Tank 12', 'Tank 10', 'Tank 1'];
  expect(ranked(found, ' tank 1 ', (name) => [name])).toEqual([
    'Tank 1',
    'Tank 12',
    'Tank 10',
    'Old tank 1',
  ]);
});

it('a search ranks a record by the best of its names', () => {
  const found = [['Tank A · Fuel'], ['Tank B · Fuel', 'Fuel']];
  expect(ranked(found, 'fuel', (names) => names)[0]).toBe(found[1]);
});
