import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { groupCommitOn, heldStorage } from '../../test/support/group-commit.ts';
import { readingOf } from '../../test/support/reading.ts';
import type { BatchLimits } from './group-commit.ts';

/** Longer than a test takes. */
const NEVER_MS = 60_000;

/** A group commit in which a wait lasts longer than the test. */
function lingeringGroup(limits: Partial<BatchLimits> = {}) {
  const storage = heldStorage();
  const { raw } = groupCommitOn(storage.commit, { lingerMs: NEVER_MS, ...limits });
  return {
    storage,
    add: (count: number, isAwaited: boolean) =>
      new Promise<void>((resolve) =>
        raw.add(Array.from({ length: count }, readingOf), () => resolve(), isAwaited),
      ),
    /** After two turns of the event loop, which are enough for a batch that does not wait. */
    async batchSizes() {
      await nextTurn();
      await nextTurn();
      return storage.batches.map(({ length }) => length);
    },
  };
}

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

  it('commits awaited readings without a wait, except while another batch is being written', async () => {
    const { storage, add, batchSizes } = lingeringGroup();
    const all = [add(60, true)];
    expect(await batchSizes()).toEqual([60]);
    all.push(add(1, true));
    expect(await batchSizes()).toEqual([60]);
    storage.endOne();
    await all[0];
    expect(await batchSizes()).toEqual([60, 1]);
    storage.endOne();
    await all[1];
    all.push(add(61, true));
    expect(await batchSizes()).toEqual([60, 1, 61]);
    storage.endOne();
    await all[2];
    // That the last batch was awaited says nothing of the next one.
    all.push(add(1, false));
    expect(await batchSizes()).toEqual([60, 1, 61]);
    all.push(add(1, true));
    expect(await batchSizes()).toEqual([60, 1, 61, 2]);
    storage.endOne();
    await Promise.all(all);
  });

  it('commits awaited readings beside another batch from their minimum number on', async () => {
    const { storage, add, batchSizes } = lingeringGroup({ minEagerReadings: 100 });
    const all = [add(60, false)];
    expect(await batchSizes()).toEqual([60]);
    all.push(add(98, true));
    expect(await batchSizes()).toEqual([60]);
    all.push(add(1, true));
    expect(await batchSizes()).toEqual([60]);
    all.push(add(1, true));
    expect(await batchSizes()).toEqual([60, 100]);
    storage.endOne();
    await all[0];
    // Without a sender that awaits them, a larger batch saves processor time.
    all.push(add(101, false));
    expect(await batchSizes()).toEqual([60, 100]);
    all.push(add(1, true));
    expect(await batchSizes()).toEqual([60, 100, 102]);
    storage.endOne();
    storage.endOne();
    await Promise.all(all);
  });
});
