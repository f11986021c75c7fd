import { BoundedMap, type Clock } from '../../runtime/index.ts';

/** Remembers what was loaded for a moment. Callers that ask at the same time share one load. */
export interface ShortCache<V> {
  get(key: string): Promise<V>;
  /** The next `get` loads again, also when a load is in progress. */
  invalidate(key: string): void;
}

interface ShortCacheOptions<V> {
  /** Counted from the start of the load, so that nothing older than this is ever given out. */
  readonly ttlMs: number;
  readonly maxEntries: number;
  load(key: string): Promise<V>;
}

/** How long who someone is may be remembered: a change by another process acts within this time. */
export const FRESHNESS = { ttlMs: 1_000, maxEntries: 10_000 } as const;

interface Entry<V> {
  readonly startedAt: number;
  readonly value: Promise<V>;
}

export function createShortCache<V>(
  clock: Clock,
  { ttlMs, maxEntries, load }: ShortCacheOptions<V>,
): ShortCache<V> {
  const entries = new BoundedMap<string, Entry<V>>(maxEntries);

  function begin(key: string, startedAt: number): Entry<V> {
    const entry = { startedAt, value: load(key) };
    entries.set(key, entry);
    entry.value.catch(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
    return entry;
  }

  return {
    get(key) {
      const now = clock.now();
      const known = entries.get(key);
      const age = known ? now - known.startedAt : ttlMs;
      return known && age >= 0 && age < ttlMs ? known.value : begin(key, now).value;
    },
    invalidate(key) {
      entries.delete(key);
    },
  };
}
