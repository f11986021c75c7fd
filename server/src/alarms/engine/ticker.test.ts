import { expect, it, onTestFinished } from 'vitest';
import { createStillClock } from '../../../test/support/clock.ts';
import { createLog, isoDateTime } from '../../runtime/index.ts';
import type { Transactions } from '../../storage/index.ts';
import { ArrivalAlignment } from './arrival-alignment.ts';
import { Readiness } from './readiness.ts';
import { Ticker } from './ticker.ts';

const eventually = { timeout: 5_000, interval: 20 };
const GRACE_MS = 30_000;

/** A ticker of a node that acts for two partitions, and the lists of due watches that it asks for. */
function start() {
  const clock = createStillClock();
  const lists: (readonly unknown[])[] = [];
  const unused = () => Promise.reject(new Error('nothing is due'));
  const storage: Transactions = {
    async query(text, params = []) {
      if (text.includes('due_at <=')) lists.push(params);
      return [];
    },
    transaction: unused,
    atomically: unused,
  };
  const common = { storage, clock, log: createLog('silent'), ownership: { partitions: [1, 2] } };
  const readiness = new Readiness();
  readiness.begin(clock.now() - 10 * GRACE_MS);
  const ticker = new Ticker({
    ...common,
    readiness,
    alignment: new ArrivalAlignment({ ...common, runId: 'run', onAligned: () => undefined }),
    onStored: () => undefined,
    failpoint: () => undefined,
  });
  onTestFinished(() => ticker.stop());
  ticker.start();
  return {
    clock,
    ticker,
    /** What the next whole tick asks for. */
    async nextLists(count: number) {
      lists.length = 0;
      await expect.poll(() => lists.length, eventually).toBeGreaterThanOrEqual(2 * count);
      return lists.slice(-count);
    },
  };
}

it('partitions of a lost node are judged apart for the grace time, by readings that came since', async () => {
  const { ticker, clock, nextLists } = start();
  const takenAt = isoDateTime(clock.now());
  const all = expect.arrayContaining([[1, 2]]);
  expect(await nextLists(1)).toEqual([all]);
  ticker.taken(new Set([2]));
  clock.advance(GRACE_MS - 1);
  const apart = await nextLists(2);
  expect(apart).toContainEqual(expect.arrayContaining([[1]]));
  expect(apart).toContainEqual(expect.arrayContaining([takenAt, [2]]));
  clock.advance(1);
  expect(await nextLists(1)).toEqual([all]);
});
