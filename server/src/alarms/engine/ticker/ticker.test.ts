import { expect, it, onTestFinished } from 'vitest';
import { createStillClock } from '../../../../test/support/clock.ts';
import { createLog, isoDateTime } from '../../../runtime/index.ts';
import type { Transactions } from '../../../storage/index.ts';
import { Readiness } from '../readiness.ts';
import { ArrivalAlignment } from './arrival-alignment.ts';
import { Ticker } from './ticker.ts';

const eventually = { timeout: 5_000, interval: 20 };
const GRACE_MS = 30_000;

const TICKS_PER_CHECK = 5;

const DUE = { organizationId: 'organization', alarmId: 'alarm' };

/** A ticker of a node that acts for two partitions, and the lists of due watches that it asks for. */
function start({ isPending = true, isDue = false } = {}) {
  let checks = 0;
  const clock = createStillClock();
  const lists: (readonly unknown[])[] = [];
  let judgements = 0;
  const judge = () => {
    judgements += 1;
    return Promise.reject(new Error('nothing is stored here'));
  };
  const unused = () => Promise.reject(new Error('nothing is due'));
  const storage: Transactions = {
    async query<Row extends object>(text: string, params: readonly unknown[] = []) {
      if (text.includes('due_at <=')) {
        lists.push(params);
        return isDue && !text.includes('arrived_at >=') ? [DUE as Row] : [];
      }
      if (!text.startsWith('select 1 from alarm_watches')) return [];
      checks += 1;
      return isPending ? [{} as Row] : [];
    },
    transaction: judge,
    atomically: unused,
  };
  const common = { storage, clock, log: createLog('silent'), ownership: { partitions: [1, 2] } };
  const readiness = new Readiness();
  readiness.begin(clock.now() - 10 * GRACE_MS);
  const ticker = new Ticker({
    ...common,
    readiness,
    alignment: new ArrivalAlignment({ ...common, runId: 'run', onAligned: () => undefined }),
    resolveConflict: async () => true,
    onStored: () => undefined,
    failpoint: () => undefined,
  });
  onTestFinished(() => ticker.stop());
  ticker.start();
  return {
    clock,
    ticker,
    readiness,
    lists,
    judgements: () => judgements,
    checks: () => checks,
    setPending: (value: boolean) => {
      isPending = value;
    },
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

it('while nothing is pending a ticker checks for that alone, until something is stored or found', async () => {
  const { ticker, lists, checks, setPending } = start({ isPending: false });
  const nextChecks = (count: number) => {
    const before = checks();
    return expect.poll(() => checks() - before, eventually).toBe(count);
  };
  await nextChecks(1);
  lists.length = 0;
  await nextChecks(1);
  expect(lists).toEqual([]);
  ticker.changed();
  await expect.poll(() => lists.length, eventually).toBeGreaterThan(0);
  await nextChecks(2);
  expect(lists.length).toBeLessThan(2 * TICKS_PER_CHECK);
  lists.length = 0;
  setPending(true);
  await expect.poll(() => lists.length, eventually).toBeGreaterThan(TICKS_PER_CHECK);
});

it('what is due at the first answer of storage after an outage is left to the readings that Devices kept', async () => {
  const { readiness, clock, nextLists, judgements } = start({ isDue: true });
  await expect.poll(judgements, eventually).toBeGreaterThan(0);
  // Twice: some ticks begin with another question to storage, never two in a row.
  for (let outage = 0; outage < 2; outage += 1) {
    clock.advance(GRACE_MS);
    readiness.lost();
    const before = judgements();
    expect(await nextLists(1)).toEqual([expect.arrayContaining([isoDateTime(clock.now())])]);
    expect(judgements()).toBe(before);
  }
});
