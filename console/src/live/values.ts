import type { ReadingValue } from '../service/index.ts';

export interface LiveValue {
  readonly timestamp: number;
  readonly value: ReadingValue;
}

/**
 * The newest value of each Variable that the page has heard of. Who shows a value listens to that
 * one alone, so a busy fleet repaints only what changed.
 */
export interface Values {
  read(variableId: string): LiveValue | undefined;
  /** Ignored when it is older than what is known. */
  offer(variableId: string, value: LiveValue): void;
  subscribe(variableId: string, listener: () => void): () => void;
  clear(): void;
}

export function createValues(): Values {
  const values = new Map<string, LiveValue>();
  const listeners = new Map<string, Set<() => void>>();
  return {
    read: (variableId) => values.get(variableId),
    offer(variableId, offered) {
      const known = values.get(variableId);
      if (known && known.timestamp > offered.timestamp) return;
      if (known?.timestamp === offered.timestamp && known.value === offered.value) return;
      values.set(variableId, offered);
      for (const listener of listeners.get(variableId) ?? []) listener();
    },
    subscribe(variableId, listener) {
      const those = listeners.get(variableId) ?? new Set();
      listeners.set(variableId, those);
      those.add(listener);
      return () => {
        those.delete(listener);
        if (those.size === 0) listeners.delete(variableId);
      };
    },
    clear() {
      values.clear();
    },
  };
}
