/**
 * Tells, at each call, whether so long has passed since the call before: the process was halted, or
 * its event loop was blocked. Measured by the monotonic clock, which nobody can set.
 */
export function createStallDetector(limitMs: number): () => boolean {
  let previous = performance.now();
  return () => {
    const now = performance.now();
    const isStalled = now - previous > limitMs;
    previous = now;
    return isStalled;
  };
}
