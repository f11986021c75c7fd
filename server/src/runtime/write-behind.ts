import type { Clock } from './clock.ts';

const MIN_DELAY_MS = 2_000;
/** Writing takes at most this share of the time. */
const MAX_WRITING_SHARE = 1 / 20;

/** The delay after a write of this duration. */
export function delayAfter(tookMs: number): number {
  return Math.max(MIN_DELAY_MS, tookMs / MAX_WRITING_SHARE - tookMs);
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
