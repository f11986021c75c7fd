import { useSyncExternalStore } from 'react';

/** The time of day in epoch milliseconds. */
export function nowMs(): number {
  return Date.now();
}

interface Ticker {
  readonly subscribe: (onTick: () => void) => () => void;
  readonly read: () => number;
}

/** One shared timer per interval; it runs only while it has subscribers. */
function createTicker(everyMs: number): Ticker {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let current = nowMs();
  return {
    subscribe(onTick) {
      listeners.add(onTick);
      timer ??= setInterval(() => {
        current = nowMs();
        for (const listener of listeners) listener();
      }, everyMs);
      return () => {
        listeners.delete(onTick);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    read() {
      // Without a running timer the last tick may be old.
      if (timer === undefined) current = nowMs();
      return current;
    },
  };
}

const SECONDS = createTicker(1_000);
const QUARTER_MINUTES = createTicker(15_000);

/** The current time, rounded down to a multiple of this many milliseconds, at least a second. */
export function useSteppedNow(stepMs: number): number {
  const { subscribe, read } = SECONDS;
  return useSyncExternalStore(subscribe, () => Math.floor(read() / stepMs) * stepMs);
}

/** The current time, updated each second, or often enough for "3 min ago". */
export function useNow(pace: 'seconds' | 'minutes' = 'minutes'): number {
  const { subscribe, read } = pace === 'seconds' ? SECONDS : QUARTER_MINUTES;
  return useSyncExternalStore(subscribe, read);
}
