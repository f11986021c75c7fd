/** An observable value. */
export interface Signal<T> {
  read(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

export function createSignal<T>(first: T): Signal<T> {
  const listeners = new Set<() => void>();
  let current = first;
  return {
    read: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
