import { describe, expect, it } from 'vitest';
import { keysFor, NO_KEYS, withMovedKey, withoutKey } from './item-keys.ts';

describe('the keys of the items of a list', () => {
  const three = keysFor(NO_KEYS, 3);

  it('stay when an item before them is removed', () => {
    expect(withoutKey(three, 0).keys).toEqual([1, 2]);
  });

  it('are not used again for an item that is added after a removal', () => {
    expect(keysFor(withoutKey(three, 2), 3).keys).toEqual([0, 1, 3]);
  });

  it.each([
    ['down', 0, 2, [1, 2, 0]],
    ['up', 2, 0, [2, 0, 1]],
    ['by one', 1, 2, [0, 2, 1]],
  ])('follow an item that is moved %s', (_, from, to, keys) => {
    expect(withMovedKey(three, from, to).keys).toEqual(keys);
  });

  it('are those of the first items when the list is replaced by a shorter one', () => {
    expect(keysFor(three, 2).keys).toEqual([0, 1]);
  });
});
