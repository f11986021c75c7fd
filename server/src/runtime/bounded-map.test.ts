import { expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

it('a bounded map evicts its oldest entry beyond the limit', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2).set('c', 3);
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 3],
  ]);
});

it('setting an entry of a bounded map again makes it the newest and evicts none', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2).set('a', 3);
  expect([...map.keys()]).toEqual(['b', 'a']);
  map.set('c', 4);
  expect([...map.keys()]).toEqual(['a', 'c']);
});

it('reading an entry of a bounded map does not save it from eviction', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect(map.has('a')).toBe(false);
});
