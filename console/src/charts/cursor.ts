/** The pointer's position. Only its subscribers render again when it moves. */
export interface Cursor {
  read(): number | null;
  set(index: number | null): void;
  subscribe(listener: () => void): () => void;
}

export function createCursor(): Cursor {
  const listeners = new Set<() => void>();
  let current: number | null = null;
  return {
    read: () => current,
    set(index) {
      if (index === current) return;
      current = index;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
