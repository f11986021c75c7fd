import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { groupCommitOn, heldStorage } from '../../test/support/group-commit.ts';
import { readingOf } from '../../test/support/reading.ts';

/** Longer than a test takes. */
const NEVER_MS = 60_000;

describe('a group commit', () => {
  it('waits for further readings after a large batch, and not after a small one', async () => {
    const storage = heldStorage();
    const { commit } = groupCommitOn(storage.commit, { lingerMs: 50 });
    const sent: Promise<void>[] = [];
    const isImmediateAfter = async (count: number) => {
      sent.push(commit(Array.from({ length: count }, readingOf)));
      await expect.poll(() => storage.batches.length).toBe(sent.length);
      storage.endOne();
      await sent.at(-1);
      sent.push(commit([readingOf(1)]));
      // Two turns of the event loop are enough for a batch that does not wait.
      await nextTurn();
      await nextTurn();
      return storage.batches.length === sent.length;
    };
    expect(await isImmediateAfter(59)).toBe(true);
    storage.endOne();
    expect(await isImmediateAfter(60)).toBe(false);
    await expect.poll(() => storage.batches.length).toBe(sent.length);
    storage.endOne();
    await Promise.all(sent);
  });

  it('lets no sender wait for further readings that awaits its answer, unless a batch is being written', async () => {
    const storage = heldStorage();
    const { raw } = groupCommitOn(storage.commit, { lingerMs: NEVER_MS });
    const add = (count: number, isAwaited: boolean) =>
      new Promise<void>((resolve) =>
        raw.add(Array.from({ length: count }, readingOf), () => resolve(), isAwaited),
      );
    const batchesSoon = async () => {
      await nextTurn();
      await nextTurn();
      return storage.batches.length;
    };
    const all = [add(60, true)];
    expect(await batchesSoon()).toBe(1);
    all.push(add(1, true));
    expect(await batchesSoon()).toBe(1);
    storage.endOne();
    await all[0];
    expect(await batchesSoon()).toBe(2);
    storage.endOne();
    await all[1];
    all.push(add(60, true));
    await expect.poll(() => storage.batches.length).toBe(3);
    storage.endOne();
    await all[2];
    // That the last batch was awaited says nothing of the next one.
    all.push(add(1, false));
    expect(await batchesSoon()).toBe(3);
    all.push(add(1, true));
    expect(await batchesSoon()).toBe(4);
    storage.endOne();
    await Promise.all(all);
  });

  it('lets no sender wait for further readings once there are enough, if it awaits its answer', async () => {
    const storage = heldStorage();
    const { raw } = groupCommitOn(storage.commit, { lingerMs: NEVER_MS, enoughReadings: 100 });
    const add = (count: number, isAwaited: boolean) =>
      new Promise<void>((resolve) =>
        raw.add(Array.from({ length: count }, readingOf), () => resolve(), isAwaited),
      );
    const sizesSoon = async () => {
      await nextTurn();
      await nextTurn();
      return storage.batches.map(({ length }) => length);
    };
    const all = [add(60, false)];
    expect(await sizesSoon()).toEqual([60]);
    all.push(add(98, true));
    expect(await sizesSoon()).toEqual([60]);
    all.push(add(1, true));
    expect(await sizesSoon()).toEqual([60]);
    all.push(add(1, true));
    expect(await sizesSoon()).toEqual([60, 100]);
    storage.endOne();
    await all[0];
    // Nobody awaits these, and more of them save processor time.
    all.push(add(101, false));
    expect(await sizesSoon()).toEqual([60, 100]);
    all.push(add(1, true));
    expect(await sizesSoon()).toEqual([60, 100, 102]);
    storage.endOne();
    storage.endOne();
    await Promise.all(all);
  });
});
