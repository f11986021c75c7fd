import type { Clock } from './clock.ts';

const SHORTEST_PAUSE_MS = 2_000;
/** Writing takes at most this part of the time. */
const SHARE = 1 / 20;

/** How long to wait after a writing that took so long. */
export function pauseAfter(tookMs: number): number {
  return Math.max(SHORTEST_PAUSE_MS, tookMs / SHARE - tookMs);
}

export interface WriteBehind {
  start(): void;
  /** Ends the writing by time; one that is under way goes on. */
  stop(): void;
}

/** Writes again and again, the more seldom the more there is to write. The writing must not reject. */
export function createWriteBehind(clock: Clock, write: () => Promise<unknown>): WriteBehind {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function schedule(tookMs: number): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      const began = clock.now();
      void write().then(() => schedule(clock.now() - began));
    }, pauseAfter(tookMs)).unref();
  }

  return {
    start: () => schedule(0),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
