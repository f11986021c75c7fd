import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Reading } from '../readings/index.ts';
import { createLog, Failure, systemClock } from '../runtime/index.ts';
import {
  BATCH_LIMITS,
  type BatchLimits,
  createGroupCommit,
  type GroupCommit,
} from './group-commit.ts';

const variable = {
  seriesId: 1,
  id: 'variable',
  organizationId: 'organization',
  deviceId: 'device',
  type: 'NUMBER',
  isLoggingEnabled: true,
  path: 'engine.rpm',
} as const;

const reading = (value: number | string): Reading => ({ variable, at: 1, value });
const away = () => new Failure('STORAGE_UNAVAILABLE', 'Storage does not answer at the moment.');

/** Storage whose commits end when the test says so. */
function heldStorage() {
  const batches: (readonly Reading[])[] = [];
  const ends: (() => void)[] = [];
  return {
    batches,
    commit(readings: readonly Reading[]) {
      batches.push(readings);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
    endOne: () => ends.shift()?.(),
  };
}

function group(
  commit: (readings: readonly Reading[]) => Promise<void>,
  limits: Partial<BatchLimits> = {},
) {
  const announced: unknown[] = [];
  const made = createGroupCommit({
    commit,
    onCommitted: (readings) => announced.push(...readings.map(({ value }) => value)),
    clock: systemClock,
    log: createLog('silent'),
    limits: { ...BATCH_LIMITS, ...limits },
  });
  return { ...made, raw: made, commit: promised(made), announced };
}

/** A commit that is waited for. */
const promised = (made: GroupCommit) => (readings: readonly Reading[]) =>
  new Promise<void>((resolve, reject) => {
    made.commit(readings, (error) => (error === undefined ? resolve() : reject(error)));
  });

const outcome = (work: Promise<void>) =>
  work.then(
    () => 'durable',
    (error: unknown) => (error instanceof Failure ? error.code : String(error)),
  );

describe('a group commit', () => {
  it('takes what comes in together as one', async () => {
    const storage = heldStorage();
    const { commit, announced } = group(storage.commit);
    const all = [1, 2, 3].map((value) => commit([reading(value)]));
    await expect.poll(() => storage.batches.length).toBe(1);
    expect(announced).toEqual([]);
    storage.endOne();
    await Promise.all(all);
    expect(storage.batches[0]?.map(({ value }) => value)).toEqual([1, 2, 3]);
    expect(announced).toEqual([1, 2, 3]);
  });

  it('waits for company after many readings came together, and not after few', async () => {
    const storage = heldStorage();
    const { commit } = group(storage.commit, { lingerMs: 50 });
    const sent: Promise<void>[] = [];
    const isAtOnceAfter = async (count: number) => {
      sent.push(commit(Array.from({ length: count }, reading)));
      await expect.poll(() => storage.batches.length).toBe(sent.length);
      storage.endOne();
      await sent.at(-1);
      sent.push(commit([reading(1)]));
      // Two turns of the event loop are enough for a batch that does not wait.
      await nextTurn();
      await nextTurn();
      return storage.batches.length === sent.length;
    };
    expect(await isAtOnceAfter(59)).toBe(true);
    storage.endOne();
    expect(await isAtOnceAfter(60)).toBe(false);
    await expect.poll(() => storage.batches.length).toBe(sent.length);
    storage.endOne();
    await Promise.all(sent);
  });

  it('has two batches under way at most, and no batch over its size', async () => {
    const storage = heldStorage();
    const { commit } = group(storage.commit, { maxBatchReadings: 2 });
    const all = Array.from({ length: 7 }, (_, value) => commit([reading(value)]));
    const large = commit(Array.from({ length: 5 }, () => reading(9)));
    await expect.poll(() => storage.batches.length).toBe(2);
    for (let ended = 1; ended <= 5; ended += 1) {
      storage.endOne();
      await expect.poll(() => storage.batches.length).toBe(2 + ended);
    }
    storage.endOne();
    storage.endOne();
    await Promise.all([...all, large]);
    expect(storage.batches.map(({ length }) => length)).toEqual([2, 2, 2, 1, 2, 2, 1]);
  });

  it('writes a large message in parts, which is durable when all of them are', async () => {
    const storage = heldStorage();
    const { commit, announced } = group(storage.commit, { maxBatchReadings: 2 });
    let told = '';
    const large = outcome(commit([1, 2, 3, 4, 5].map(reading))).then((result) => {
      told = result;
    });
    for (const values of [
      [1, 2],
      [1, 2, 3, 4],
    ]) {
      await expect.poll(() => storage.batches.length).toBeGreaterThan(announced.length / 2);
      storage.endOne();
      await expect.poll(() => announced).toEqual(values);
      expect(told).toBe('');
    }
    await expect.poll(() => storage.batches.length).toBe(3);
    storage.endOne();
    await large;
    expect([told, announced]).toEqual(['durable', [1, 2, 3, 4, 5]]);
  });

  it('tells of a large message that a part of it could not be written', async () => {
    const written: unknown[] = [];
    const { commit } = group(
      async (readings) => {
        if (readings.some(({ value }) => value === 3)) throw new Error('refused');
        written.push(...readings.map(({ value }) => value));
      },
      { maxBatchReadings: 2 },
    );
    expect(await outcome(commit([1, 2, 3, 4, 5].map(reading)))).toBe('Error: refused');
    expect(written).toEqual([1, 2, 5]);
  });

  it('makes who comes over the lid wait, in order, and loses nothing', async () => {
    const storage = heldStorage();
    const held = group(storage.commit, { maxHeldWeight: 2 });
    const entered: number[] = [];
    const take = async (value: number) => {
      const room = held.enter();
      if (room) await room;
      entered.push(value);
      await held.commit([reading(value)]).finally(held.leave);
    };
    const all = [1, 2, 3, 4, 5].map(take);
    await expect.poll(() => storage.batches.length).toBe(1);
    expect(entered).toEqual([1, 2]);
    const ending = setInterval(storage.endOne, 1);
    await Promise.all(all);
    clearInterval(ending);
    expect(held.announced).toEqual([1, 2, 3, 4, 5]);
  });

  it('weighs a text by its length', async () => {
    const storage = heldStorage();
    const held = group(storage.commit, { maxHeldWeight: 10 });
    const done = held.commit([reading('x'.repeat(160))]);
    const waiting = held.enter();
    expect(waiting).toBeInstanceOf(Promise);
    await expect.poll(() => storage.batches.length).toBe(1);
    storage.endOne();
    await Promise.all([done, waiting]);
  });

  it('refuses who waited too long or would wait behind too many', async () => {
    const storage = heldStorage();
    const held = group(storage.commit, { maxHeldWeight: 1, maxWaiting: 1, waitMs: 20 });
    void held.commit([reading(1)]);
    const [first, second] = [held.enter(), held.enter()];
    expect(await outcome(Promise.resolve(second))).toBe('OVERLOADED');
    expect(await outcome(Promise.resolve(first))).toBe('OVERLOADED');
  });

  it('goes on by itself when storage comes back', async () => {
    let tries = 0;
    const { commit } = group(async () => {
      tries += 1;
      if (tries < 3) throw away();
    });
    expect(await outcome(commit([reading(1)]))).toBe('durable');
    expect(tries).toBe(3);
  });

  it('gives up when storage stays away', async () => {
    const { commit, announced } = group(async () => Promise.reject(away()), {
      retryTimeoutMs: 120,
    });
    const all = await Promise.all([1, 2].map((value) => outcome(commit([reading(value)]))));
    expect(all).toEqual(['STORAGE_UNAVAILABLE', 'STORAGE_UNAVAILABLE']);
    expect(announced).toEqual([]);
  });

  it('finds the one message that storage refuses, and stores the others', async () => {
    const { commit, announced } = group(async (readings) => {
      if (readings.some(({ value }) => value === 3)) throw new RangeError('cannot be stored');
    });
    const values = [1, 2, 3, 4, 5];
    const all = await Promise.all(values.map((value) => outcome(commit([reading(value)]))));
    expect(all.map((each) => each === 'durable')).toEqual([true, true, false, true, true]);
    expect(announced).toEqual([1, 2, 4, 5]);
  });

  it('does not fail when those who are told of readings do', async () => {
    const deaf = createGroupCommit({
      commit: async () => undefined,
      onCommitted: () => {
        throw new Error('deaf');
      },
      clock: systemClock,
      log: createLog('silent'),
    });
    expect(await outcome(promised(deaf)([reading(1)]))).toBe('durable');
  });

  it('tells the others when one cannot be told', async () => {
    const { commit, raw } = group(async () => undefined);
    raw.commit([reading(1)], () => {
      throw new Error('cannot be told');
    });
    expect(await outcome(commit([reading(2)]))).toBe('durable');
  });
});
