import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type LagWatch, watchLag } from './lag.ts';

let watch: LagWatch;

afterEach(() => watch.stop());

/** Keeps the event loop from turning. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

describe('a watch on the event loop', () => {
  it('ignores a single pause', async () => {
    watch = watchLag(300);
    block(1_000);
    await pause(10);
    expect(watch.isLagging()).toBe(false);
  });

  it('detects a loop that keeps falling behind, and that it has caught up', async () => {
    watch = watchLag(300);
    for (let time = 0; time < 3; time += 1) {
      block(1_000);
      await pause(1);
    }
    expect(watch.isLagging()).toBe(true);
    await expect.poll(() => watch.isLagging(), { timeout: 10_000 }).toBe(false);
  });
});
