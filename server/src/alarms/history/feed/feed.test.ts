import { expect, it } from 'vitest';
import { createLog, Failure } from '../../../runtime/index.ts';
import type { OrderedQueries } from '../../../storage/index.ts';
import { createAlarmFeed } from './feed.ts';

const ORGANIZATION = 'organization';

/** Storage whose log has one line, and which fails to read it as often as configured. */
function oneLineAfter(failures: number) {
  let reads = 0;
  const storage: OrderedQueries = {
    inOrder: (work) => work(storage),
    async query<Row extends object>(text: string, params: readonly unknown[] = []) {
      if (text.includes('pg_locks')) return [{ horizon: 2 }] as Row[];
      if (text.includes('max(number)')) return [{ newest: 0, newestBelow: 0 }] as Row[];
      reads += 1;
      if (reads <= failures) throw new Failure('STORAGE_UNAVAILABLE', 'Away.');
      const times = { raisedAt: 0, clearedAt: null, acknowledgedAt: null, assetIds: [] };
      const line = { number: 1, kind: 'RAISED', notes: [], ...times };
      const rows = params.includes(0) ? [line] : [];
      return rows as object[] as Row[];
    },
  };
  const announced: string[] = [];
  const feed = createAlarmFeed({
    storage,
    log: createLog('silent'),
    isFollowed: () => true,
    hasPeers: () => false,
    onNoted: () => undefined,
    announce: (_, { change }) => announced.push(change),
  });
  return { feed, announced, reads: () => reads };
}

it('an alarm event that could not be read is announced once storage answers again', async () => {
  const { feed, announced } = oneLineAfter(1);
  await feed.newestId(ORGANIZATION);
  feed.note([ORGANIZATION]);
  await expect.poll(() => announced, { timeout: 10_000 }).toEqual(['RAISED']);
  await feed.stop();
});

it('the feed stops also while storage does not answer', async () => {
  const { feed, announced, reads } = oneLineAfter(1_000);
  await feed.newestId(ORGANIZATION);
  feed.note([ORGANIZATION]);
  await expect.poll(reads).toBe(1);
  await feed.stop();
  expect(announced).toEqual([]);
});

/** How many promises settle one after the other between a read and the end of the announcement. */
const HOPS = Array.from({ length: 16 }, (_, hops) => hops);

it.each(HOPS)('an event noted %i microtasks after a read is announced', async (hops) => {
  const numbers = [1];
  const announced: string[] = [];
  async function noteLater() {
    for (let hop = 0; hop < hops; hop += 1) await undefined;
    numbers.push(2);
    feed.note([ORGANIZATION]);
  }
  const storage: OrderedQueries = {
    inOrder: (work) => work(storage),
    async query<Row extends object>(text: string, params: readonly unknown[] = []) {
      if (text.includes('pg_locks')) return [{ horizon: numbers.length + 1 }] as Row[];
      if (text.includes('max(number)')) return [{ newest: 0, newestBelow: 0 }] as Row[];
      const after = params.find((param) => typeof param === 'number') ?? 0;
      if (after === 0) void noteLater();
      const times = { raisedAt: 0, clearedAt: null, acknowledgedAt: null, assetIds: [] };
      const lines = numbers.filter((number) => number > after);
      const rows = lines.map((number) => ({
        ...times,
        ...{ number, kind: 'RAISED', notes: [] },
      }));
      return rows as object[] as Row[];
    },
  };
  const feed = createAlarmFeed({
    storage,
    log: createLog('silent'),
    isFollowed: () => true,
    hasPeers: () => false,
    onNoted: () => undefined,
    announce: (_, { id }) => announced.push(id),
  });
  await feed.newestId(ORGANIZATION);
  feed.note([ORGANIZATION]);
  await expect.poll(() => announced).toEqual(['1', '2']);
  await feed.stop();
});
