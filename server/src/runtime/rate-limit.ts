import { BoundedMap } from './bounded-map.ts';
import type { Clock } from './clock.ts';

export interface RateLimitVerdict {
  /** False when the key has gone over its limit in this window. */
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends; at least 1. */
  readonly resetSeconds: number;
}

/** Counts per key in fixed windows that begin with a key's first hit. */
export interface RateLimit {
  /** Counts one and says whether it was within the limit. */
  hit(key: string): RateLimitVerdict;
  /** Says whether one more would be within the limit, and counts nothing. */
  peek(key: string): RateLimitVerdict;
  /** Takes one hit back. */
  refund(key: string): void;
  reset(key: string): void;
}

interface RateLimitOptions {
  readonly limit: number;
  readonly windowMs: number;
  /** At most this many keys are remembered; the one whose window began first goes first. */
  readonly maxKeys: number;
}

interface Window {
  readonly startedAt: number;
  hits: number;
}

export function createRateLimit(
  clock: Clock,
  { limit, windowMs, maxKeys }: RateLimitOptions,
): RateLimit {
  // Insertion order is the order of beginnings, so the first entry is always the first to end.
  const windows = new BoundedMap<string, Window>(maxKeys);

  function current(key: string, now: number): Window | undefined {
    const window = windows.get(key);
    if (!window) return undefined;
    const age = now - window.startedAt;
    if (age >= 0 && age < windowMs) return window;
    windows.delete(key);
    return undefined;
  }

  function begin(key: string, now: number): Window {
    const window = { startedAt: now, hits: 0 };
    windows.set(key, window);
    return window;
  }

  function verdict(hits: number, allowed: boolean, endsInMs: number): RateLimitVerdict {
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - hits),
      resetSeconds: Math.max(1, Math.ceil(endsInMs / 1000)),
    };
  }

  return {
    hit(key) {
      const now = clock.now();
      const window = current(key, now) ?? begin(key, now);
      window.hits = Math.min(window.hits + 1, limit + 1);
      return verdict(window.hits, window.hits <= limit, window.startedAt + windowMs - now);
    },
    peek(key) {
      const now = clock.now();
      const window = current(key, now);
      if (!window) return verdict(0, limit > 0, windowMs);
      return verdict(window.hits, window.hits < limit, window.startedAt + windowMs - now);
    },
    refund(key) {
      const window = current(key, clock.now());
      if (window && window.hits > 0) window.hits -= 1;
    },
    reset(key) {
      windows.delete(key);
    },
  };
}
