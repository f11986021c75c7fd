import { useState } from 'react';
import { keysFor, NO_KEYS, withMovedKey, withoutKey } from './item-keys.ts';

/**
 * Keys of the items of a list that are edited in place and have no id. An item keeps its key, and so
 * its focus and the text of its fields, while others are removed or moved.
 */
export function useItemKeys(length: number) {
  const [stored, store] = useState(NO_KEYS);
  const current = keysFor(stored, length);
  return {
    keys: current.keys,
    remove: (index: number) => store(withoutKey(current, index)),
    move: (from: number, to: number) => store(withMovedKey(current, from, to)),
  };
}

/** What a form of Mantine does with its lists. */
interface ListForm {
  insertListItem(path: string, item: unknown): void;
  removeListItem(path: string, index: number): void;
  reorderListItem(path: string, places: { from: number; to: number }): void;
}

/** A list of a form, whose items have keys. */
export function useFormList(form: ListForm, path: string, length: number) {
  const items = useItemKeys(length);
  return {
    keys: items.keys,
    insert: (item: object) => form.insertListItem(path, item),
    remove(index: number): void {
      items.remove(index);
      form.removeListItem(path, index);
    },
    move(from: number, to: number): void {
      items.move(from, to);
      form.reorderListItem(path, { from, to });
    },
  };
}
