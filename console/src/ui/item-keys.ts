/** The keys of the items of a list, in its order, and the next one that is free. */
export interface ItemKeys {
  readonly keys: readonly number[];
  readonly next: number;
}

export const NO_KEYS: ItemKeys = { keys: [], next: 0 };

/** For a list of this length: items at its end get new keys, and those of missing items are dropped. */
export function keysFor({ keys, next }: ItemKeys, length: number): ItemKeys {
  const added = Math.max(0, length - keys.length);
  const fresh = Array.from({ length: added }, (_, index) => next + index);
  return { keys: [...keys.slice(0, length), ...fresh], next: next + added };
}

export function withoutKey({ keys, next }: ItemKeys, index: number): ItemKeys {
  return { keys: keys.toSpliced(index, 1), next };
}

export function withMovedKey({ keys, next }: ItemKeys, from: number, to: number): ItemKeys {
  return { keys: keys.toSpliced(from, 1).toSpliced(to, 0, ...keys.slice(from, from + 1)), next };
}
