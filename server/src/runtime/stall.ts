/**
 * Returns at each call whether more than the limit has passed since the call before: the process was
 * halted, or its event loop was blocked. It uses the monotonic clock, which cannot be set.
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
