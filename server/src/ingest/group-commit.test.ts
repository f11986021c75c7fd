import { describe, expect, it } from 'vitest';
import { groupCommitOn, groupOf, heldStorage, promised } from '../../test/support/group-commit.ts';
import { readingOf } from '../../test/support/reading.ts';
import { Failure } from '../runtime/index.ts';

const unavailable = () =>
  new Failure('STORAGE_UNAVAILABLE', 'Storage does not answer at the moment.');

const outcome = (work: Promise<void>) =>
  work.then(
    () => 'durable',
    (error: unknown) => (error instanceof Failure ? error.code : String(error)),
  );

describe('a group commit', () => {
  it('commits readings that arrive together as one batch', async () => {
    const storage = heldStorage();
    const { commit, announced } = groupCommitOn(storage.commit);
    const all = [1, 2, 3].map((value) => commit([readingOf(value)]));
    await expect.poll(() => storage.batches.length).toBe(1);
    expect(announced).toEqual([]);
    storage.endOne();
    await Promise.all(all);
    expect(storage.batches[0]?.map(({ value }) => value)).toEqual([1, 2, 3]);
    expect(announced).toEqual([1, 2, 3]);
  });

  it('has at most two batches in flight, and no batch above the maximum size', async () => {
    const storage = heldStorage();
    const { commit } = groupCommitOn(storage.commit, { maxBatchReadings: 2 });
    const all = Array.from({ length: 7 }, (_, value) => commit([readingOf(value)]));
    const large = commit(Array.from({ length: 5 }, () => readingOf(9)));
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

  it('writes a large message in parts and completes it when all are durable', async () => {
    const storage = heldStorage();
    const { commit, announced } = groupCommitOn(storage.commit, { maxBatchReadings: 2 });
    let result = '';
    const large = outcome(commit([1, 2, 3, 4, 5].map(readingOf))).then((each) => {
      result = each;
    });
    for (const values of [
      [1, 2],
      [1, 2, 3, 4],
    ]) {
      await expect.poll(() => storage.batches.length).toBeGreaterThan(announced.length / 2);
      storage.endOne();
      await expect.poll(() => announced).toEqual(values);
      expect(result).toBe('');
    }
    await expect.poll(() => storage.batches.length).toBe(3);
    storage.endOne();
    await large;
    expect([result, announced]).toEqual(['durable', [1, 2, 3, 4, 5]]);
  });

  it('fails a large message when a part of it could not be written', async () => {
    const written: unknown[] = [];
    const { commit } = groupCommitOn(
      async (readings) => {
        if (readings.some(({ value }) => value === 3)) throw new Error('refused');
        written.push(...readings.map(({ value }) => value));
      },
      { maxBatchReadings: 2 },
    );
    expect(await outcome(commit([1, 2, 3, 4, 5].map(readingOf)))).toBe('Error: refused');
    expect(written).toEqual([1, 2, 5]);
  });

  it('delays messages above the held weight, in order and without loss', async () => {
    const storage = heldStorage();
    const held = groupCommitOn(storage.commit, { maxHeldWeight: 2 });
    const entered: number[] = [];
    const take = async (value: number) => {
      const admitted = held.enter();
      if (admitted) await admitted;
      entered.push(value);
      await held.commit([readingOf(value)]).finally(held.leave);
    };
    const all = [1, 2, 3, 4, 5].map(take);
    await expect.poll(() => storage.batches.length).toBe(1);
    expect(entered).toEqual([1, 2]);
    const ending = setInterval(storage.endOne, 1);
    await Promise.all(all);
    clearInterval(ending);
    expect(held.announced).toEqual([1, 2, 3, 4, 5]);
  });

  it('counts a text by its length', async () => {
    const storage = heldStorage();
    const held = groupCommitOn(storage.commit, { maxHeldWeight: 10 });
    const done = held.commit([readingOf('x'.repeat(160))]);
    const waiting = held.enter();
    expect(waiting).toBeInstanceOf(Promise);
    await expect.poll(() => storage.batches.length).toBe(1);
    storage.endOne();
    await Promise.all([done, waiting]);
  });

  it('refuses a message that waited too long or behind too many others', async () => {
    const storage = heldStorage();
    const held = groupCommitOn(storage.commit, { maxHeldWeight: 1, maxWaiting: 1, waitMs: 20 });
    void held.commit([readingOf(1)]);
    const [first, second] = [held.enter(), held.enter()];
    expect(await outcome(Promise.resolve(second))).toBe('OVERLOADED');
    expect(await outcome(Promise.resolve(first))).toBe('OVERLOADED');
  });

  it.each(['STORAGE_UNAVAILABLE', 'OVERLOADED'] as const)(
    'retries a batch that fails with %s until it is stored',
    async (code) => {
      let tries = 0;
      const { commit } = groupCommitOn(async () => {
        tries += 1;
        if (tries < 3) throw new Failure(code, 'Not at the moment.');
      });
      expect(await outcome(commit([readingOf(1)]))).toBe('durable');
      expect(tries).toBe(3);
    },
  );

  it('fails when storage stays unavailable until the timeout', async () => {
    const { commit, announced } = groupCommitOn(async () => Promise.reject(unavailable()), {
      retryTimeoutMs: 120,
    });
    const all = await Promise.all([1, 2].map((value) => outcome(commit([readingOf(value)]))));
    expect(all).toEqual(['STORAGE_UNAVAILABLE', 'STORAGE_UNAVAILABLE']);
    expect(announced).toEqual([]);
  });

  it('fails only the message that storage refuses, and stores the others', async () => {
    const { commit, announced } = groupCommitOn(async (readings) => {
      if (readings.some(({ value }) => value === 3)) throw new RangeError('cannot be stored');
    });
    const values = [1, 2, 3, 4, 5];
    const all = await Promise.all(values.map((value) => outcome(commit([readingOf(value)]))));
    expect(all.map((each) => each === 'durable')).toEqual([true, true, false, true, true]);
    expect(announced).toEqual([1, 2, 4, 5]);
  });

  it('stores readings when their announcement fails', async () => {
    const failing = groupOf({
      commit: async () => undefined,
      announce: () => {
        throw new Error('cannot announce');
      },
    });
    expect(await outcome(promised(failing)([readingOf(1)]))).toBe('durable');
  });

  it('acknowledges the other messages when one acknowledgement fails', async () => {
    const { commit, raw } = groupCommitOn(async () => undefined);
    raw.add([readingOf(1)], () => {
      throw new Error('cannot acknowledge');
    });
    expect(await outcome(commit([readingOf(2)]))).toBe('durable');
  });
});
