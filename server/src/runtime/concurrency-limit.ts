/** Limits how much goes on at once, for each key and in all. */
export interface ConcurrencyLimit {
  /** Counts one in, unless that would be over a limit; then says which. */
  enter(key: string): 'entered' | 'over key limit' | 'over total limit';
  /** Counts one out that was counted in. */
  leave(key: string): void;
}

export function createConcurrencyLimit(limits: {
  readonly perKey: number;
  readonly inAll: number;
}): ConcurrencyLimit {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    enter(key) {
      const own = counts.get(key) ?? 0;
      if (own >= limits.perKey) return 'over key limit';
      if (total >= limits.inAll) return 'over total limit';
      counts.set(key, own + 1);
      total += 1;
      return 'entered';
    },
    leave(key) {
      const own = (counts.get(key) ?? 1) - 1;
      if (own === 0) counts.delete(key);
      else counts.set(key, own);
      total -= 1;
    },
  };
}
