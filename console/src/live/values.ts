import type { ReadingValue } from '../service/index.ts';

export interface LiveValue {
  readonly timestamp: number;
  readonly value: ReadingValue;
}

/**
 * The newest known value of each Variable. A component subscribes to its own Variables only, so a
 * busy fleet repaints only changed values.
 */
export interface Values {
  read(variableId: string): LiveValue | undefined;
  /** Ignores a value that is older than the known one. */
  update(variableId: string, value: LiveValue): void;
  subscribe(variableId: string, listener: () => void): () => void;
  clear(): void;
}

export function createValues(): Values {
  const values = new Map<string, LiveValue>();
  const listeners = new Map<string, Set<() => void>>();
  return {
    read: (variableId) => values.get(variableId),
    update(variableId, next) {
      const known = values.get(variableId);
      if (known && known.timestamp > next.timestamp) return;
      if (known?.timestamp === next.timestamp && known.value === next.value) return;
      values.set(variableId, next);
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
