/** Detects an event loop that keeps falling behind. */
export interface LagWatch {
  isLagging(): boolean;
  stop(): void;
}

const SAMPLE_MS = 250;

/**
 * A timer that looks how late it is. One late tick is a pause that has passed by the time anyone
 * could act on it; two in a row are a loop that cannot keep up.
 */
export function watchLag(maxLagMs: number): LagWatch {
  let previous = performance.now();
  let lateTicks = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    lateTicks = now - previous - SAMPLE_MS > maxLagMs ? lateTicks + 1 : 0;
    previous = now;
  }, SAMPLE_MS);
  timer.unref();
  return {
    isLagging: () => lateTicks >= 2,
    stop: () => clearInterval(timer),
  };
}
