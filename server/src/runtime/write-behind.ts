import type { Clock } from './clock.ts';

const MIN_DELAY_MS = 2_000;
/** Also after a write that waited for storage, or during which the machine was suspended. */
const MAX_DELAY_MS = 30_000;
/** Writing takes at most this share of the time, unless writes take seconds. */
const MAX_WRITING_SHARE = 1 / 20;

/** The delay after a write of this duration. */
export function delayAfter(tookMs: number): number {
  const delayMs = tookMs / MAX_WRITING_SHARE - tookMs;
  return Math.min(Math.max(MIN_DELAY_MS, delayMs), MAX_DELAY_MS);
}

export interface WriteBehind {
  start(): void;
  /** Ends the periodic writes; one in progress continues. */
  stop(): void;
}

/** Writes periodically, less often the longer a write takes. The write must not reject. */
export function createWriteBehind(clock: Clock, write: () => Promise<unknown>): WriteBehind {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function schedule(tookMs: number): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      const began = clock.elapsed();
      void write().then(() => schedule(clock.elapsed() - began));
    }, delayAfter(tookMs)).unref();
  }

  return {
    start: () => schedule(0),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
