import { describe, expect, it } from 'vitest';
import { createShare } from './share.ts';
import type { Transactions } from './storage.ts';

/** A lane whose queries end when the test says so. */
function createHeldLane() {
  const ends: (() => void)[] = [];
  const lane: Transactions = {
    query: () => new Promise((resolve) => ends.push(() => resolve([]))),
    transaction: () => Promise.reject(new Error('not in this test')),
    atomically: () => Promise.reject(new Error('not in this test')),
  };
  return { lane, ends };
}

const LIMITS = { maxConcurrent: 2, maxWaiting: 1, waitLimitMs: 60_000 };
const OVERLOADED = { code: 'OVERLOADED', retryAfterSeconds: 1 };
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a share of a lane', () => {
  it('runs up to its limit, queues what comes then, and refuses more than it queues', async () => {
    const { lane, ends } = createHeldLane();
    const share = createShare(lane, LIMITS);
    const admitted = [share.query('1'), share.query('2'), share.query('3')];
    await turn();
    expect(ends).toHaveLength(2);
    await expect(share.query('4')).rejects.toMatchObject(OVERLOADED);
    ends[0]?.();
    await admitted[0];
    await turn();
    expect(ends).toHaveLength(3);
    for (const end of ends) end();
    expect(await Promise.all(admitted)).toEqual([[], [], []]);
  });

  it('releases the connection of work that failed', async () => {
    const { lane, ends } = createHeldLane();
    const share = createShare(lane, { ...LIMITS, maxConcurrent: 1, maxWaiting: 0 });
    await expect(share.transaction(async () => 1)).rejects.toThrow('not in this test');
    const next = share.query('1');
    await turn();
    ends[0]?.();
    expect(await next).toEqual([]);
  });

  it('refuses work that has waited for its limit, and reserves no connection for it', async () => {
    const { lane, ends } = createHeldLane();
    const share = createShare(lane, { ...LIMITS, maxConcurrent: 1, waitLimitMs: 1 });
    const first = share.query('1');
    await expect(share.query('2')).rejects.toMatchObject(OVERLOADED);
    ends[0]?.();
    await first;
    const third = share.query('3');
    await turn();
    ends.at(-1)?.();
    expect(await third).toEqual([]);
  });
});
