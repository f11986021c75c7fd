import { useEffect, useRef } from 'react';
import { createSignal } from './signal.ts';

/** A shortcut of the page that is shown. */
export interface PageKey {
  /** Any of these keys, as `KeyboardEvent.key` names them. */
  readonly keys: readonly string[];
  readonly meaning: string;
  /** False when the key has no effect now, so that the browser's own remains. */
  readonly act: () => boolean;
}

const registered = createSignal<readonly PageKey[]>([]);

/** The shortcuts of the page, for the handler of all keys and for the list of shortcuts. */
export const pageKeys = { read: registered.read, subscribe: registered.subscribe };

/** Registers shortcuts while the component is mounted. Their number and keys do not change. */
export function usePageKeys(keys: readonly PageKey[]): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const stable = latest.current.map(({ keys: names, meaning }, index) => ({
      keys: names,
      meaning,
      act: () => latest.current[index]?.act() ?? false,
    }));
    registered.set(stable);
    return () => registered.set([]);
  }, []);
}
