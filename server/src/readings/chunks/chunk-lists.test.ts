import { expect, it } from 'vitest';
import { createStillClock } from '../../../test/support/clock.ts';
import { openHistory, reading, readingsOn, storeVariable } from '../../../test/support/readings.ts';
import { createDeferred } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import type { Range } from '../reading.ts';
import { ChunkChanges } from './chunk-changes.ts';
import { ChunkLists } from './chunk-lists.ts';

const START = 1_700_000_000_000;
const CHUNK_MS = 10_000;

/** Two series with four chunks each, which end 10 s apart. */
async function startLists() {
  const storage = await openHistory();
  const variables = [
    await storeVariable(storage, 'NUMBER'),
    await storeVariable(storage, 'NUMBER'),
  ];
  const readings = readingsOn(storage, { readingsPerChunk: 10, minChunkReadings: 1 });
  await readings.start();
  for (const variable of variables) {
    const all = Array.from({ length: 40 }, (_, n) => reading(variable, START + n * 1_000, n));
    await readings.commit(all);
  }
  await readings.stop();
  let asked = 0;
  const db: Queries = {
    query(...args) {
      asked += 1;
      return storage.query(...args);
    },
  };
  let isAlone = true;
  const clock = createStillClock();
  const changes = new ChunkChanges(() => isAlone);
  const lists = new ChunkLists(changes, clock);
  const seriesIds = variables.map(({ seriesId }) => seriesId);
  return {
    changes,
    clock,
    seriesIds,
    leaveAlone: (alone: boolean) => {
      isAlone = alone;
    },
    /** The first times of the chunks, from the start, and how often PostgreSQL was asked for them. */
    async list(range: Range, ids = seriesIds) {
      const before = asked;
      const found = await lists.list(db, ids, range);
      const firstOf = (id: number) => [...(found.get(id)?.firstAt ?? [])].map((at) => at - START);
      return { chunks: ids.map(firstOf), asked: asked - before };
    },
  };
}

const ALL = { from: START, to: START + 4 * CHUNK_MS };
const EVERY = [0, 10_000, 20_000, 30_000];

it('a list of chunks is asked for once, and again after a change of chunks', async () => {
  const { list, changes } = await startLists();
  expect(await list(ALL)).toEqual({ chunks: [EVERY, EVERY], asked: 1 });
  expect(await list(ALL)).toEqual({ chunks: [EVERY, EVERY], asked: 0 });
  await changes.during(async () => {
    expect((await list(ALL)).asked).toBe(1);
    expect((await list(ALL)).asked).toBe(1);
  });
  expect((await list(ALL)).asked).toBe(1);
  expect((await list(ALL)).asked).toBe(0);
  await expect(changes.during(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect((await list(ALL)).asked).toBe(1);
});

it('a list that was asked for while chunks changed, or before they did, is not used later', async () => {
  const { list, changes } = await startLists();
  const { promise, resolve } = createDeferred<void>();
  const change = changes.during(() => promise);
  const during = list(ALL);
  resolve();
  await Promise.all([change, during]);
  const before = list(ALL);
  await changes.during(async () => undefined);
  expect((await before).asked).toBe(1);
  expect((await list(ALL)).asked).toBe(1);
  expect((await list(ALL)).asked).toBe(0);
});

it('a list answers ranges within its own, and those that end a little later', async () => {
  const { list, seriesIds } = await startLists();
  const part = { from: START + 10_500, to: START + 26_500 };
  expect(await list(part)).toEqual({ chunks: [EVERY.slice(1, 3), EVERY.slice(1, 3)], asked: 1 });
  const within = { from: START + 20_000, to: START + 20_001 };
  expect(await list(within)).toEqual({ chunks: [[20_000], [20_000]], asked: 0 });
  // A sixteenth of 16 s.
  const later = { from: part.from, to: part.to + 1_000 };
  expect((await list(later)).asked).toBe(0);
  expect((await list({ ...later, to: later.to + 1 })).asked).toBe(1);
  expect((await list({ from: part.from - 1, to: part.to })).asked).toBe(1);
  const [first = 0] = seriesIds;
  expect(await list(part, [first])).toEqual({ chunks: [EVERY.slice(1, 3)], asked: 0 });
  expect((await list({ from: 0, to: Number.MAX_SAFE_INTEGER })).chunks).toEqual([EVERY, EVERY]);
});

it('a list is not used while there are other nodes, or after there were', async () => {
  const { list, leaveAlone } = await startLists();
  await list(ALL);
  leaveAlone(false);
  expect((await list(ALL)).asked).toBe(1);
  expect((await list(ALL)).asked).toBe(1);
  leaveAlone(true);
  expect((await list(ALL)).asked).toBe(1);
  expect((await list(ALL)).asked).toBe(0);
});

it('a list is used for a minute', async () => {
  const { list, clock } = await startLists();
  await list(ALL);
  clock.advance(59_999);
  expect((await list(ALL)).asked).toBe(0);
  clock.advance(1);
  expect((await list(ALL)).asked).toBe(1);
});
