import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createDeferred } from './deferred.ts';
import { every } from './every.ts';

const fail = (error: unknown) => {
  throw error;
};

describe('periodic work', () => {
  it('runs again and again until it is stopped', async () => {
    let runs = 0;
    const count = () => {
      runs += 1;
    };
    const work = every(1, count, fail);
    work.start();
    await expect.poll(() => runs).toBeGreaterThan(2);
    await work.stop();
    const stoppedAt = runs;
    await pause(20);
    expect(runs).toBe(stoppedAt);
  });

  it('never overlaps itself, and its stop waits for the run in progress', async () => {
    const held = createDeferred<void>();
    let runs = 0;
    const work = every(
      1,
      () => {
        runs += 1;
        return held.promise;
      },
      fail,
    );
    work.start();
    await expect.poll(() => runs).toBe(1);
    await pause(20);
    expect(runs).toBe(1);
    let isStopped = false;
    const stopping = work.stop().then(() => {
      isStopped = true;
    });
    await pause(5);
    expect(isStopped).toBe(false);
    held.resolve();
    await stopping;
  });

  it('reports a failed run, also one that throws at once, and goes on', async () => {
    const errors: unknown[] = [];
    const reasons = [new Error('first'), new Error('second')];
    const work = every(
      1,
      () => {
        const reason = reasons.shift();
        if (reason) throw reason;
      },
      (error) => errors.push(error),
    );
    work.start();
    await expect.poll(() => errors.length).toBe(2);
    await work.stop();
  });

  it('runs at once when asked, after the run in progress, and not before it starts or after it stops', async () => {
    const held = createDeferred<void>();
    let runs = 0;
    const work = every(
      60_000,
      () => {
        runs += 1;
        return runs === 1 ? held.promise : undefined;
      },
      fail,
    );
    await work.run();
    expect(runs).toBe(0);
    work.start();
    const first = work.run();
    await expect.poll(() => runs).toBe(1);
    const others = [work.run(), work.run()];
    held.resolve();
    await Promise.all([first, ...others]);
    expect(runs).toBe(2);
    await work.stop();
    await work.run();
    expect(runs).toBe(2);
  });

  it('can be started twice without running twice, and again after a stop', async () => {
    let runs = 0;
    const count = () => {
      runs += 1;
    };
    const work = every(5, count, fail);
    work.start();
    work.start();
    await work.stop();
    const before = runs;
    work.start();
    await expect.poll(() => runs).toBeGreaterThan(before);
    await work.stop();
  });
});
