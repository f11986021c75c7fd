import { expect, it } from 'vitest';
import type { Readings } from '../../src/readings/index.ts';
import type { Storage } from '../../src/storage/index.ts';
import type { VariableRef } from '../../src/variables/index.ts';
import { createStillClock } from '../support/clock.ts';
import {
  ALL,
  countOf,
  kill,
  openHistory,
  pageOf,
  ramp,
  reading,
  readingsOn,
  storeVariable,
} from '../support/readings.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

it('retention deletes expired history of one organization and nothing of others', async () => {
  const storage = await openHistory();
  const kept = await storeVariable(storage, 'NUMBER');
  const expiring = await storeVariable(storage, 'NUMBER');
  const readings = readingsOn(storage);
  await readings.start();
  const now = Date.now();
  for (const variable of [kept, expiring]) {
    await readings.commit(ramp(variable, 1000, now - 3 * 86_400_000));
    await readings.commit(ramp(variable, 1000, now - 3_600_000));
  }
  await storage.query('update organizations set retention_days = 2 where id = $1', [
    expiring.organizationId,
  ]);
  await kill(readings);
  const next = readingsOn(storage, { readingsPerChunk: 1000 });
  await next.start();
  await next.stop();
  const last = readingsOn(storage);
  await last.deleteExpired();
  expect(await countOf(last, kept)).toBe(2000);
  expect(await countOf(last, expiring)).toBe(1000);
});

it('retention leaves out expired readings of Variables that have too few for a chunk', async () => {
  const storage = await openHistory();
  const [kept, some, all] = [
    await storeVariable(storage, 'NUMBER'),
    await storeVariable(storage, 'NUMBER'),
    await storeVariable(storage, 'STRING'),
  ];
  /** Starts and stops, which flushes, with a round of retention in between. */
  const restart = async (work: (readings: Readings) => Promise<void> = async () => undefined) => {
    const readings = readingsOn(storage);
    await readings.start();
    await work(readings);
    await readings.deleteExpired();
    await readings.stop();
  };
  const now = Date.now();
  const old = now - 3 * DAY_MS;
  await restart(async (readings) => {
    for (const variable of [kept, some]) {
      await readings.commit(ramp(variable, 20, old));
      await readings.commit(ramp(variable, 10, now - HOUR_MS));
    }
    await readings.commit([{ variable: all, at: old, value: 'open' }]);
  });
  await storage.query('update organizations set retention_days = 2 where id = any($1)', [
    [some.organizationId, all.organizationId],
  ]);
  await restart();
  const shut = { variable: all, at: now - HOUR_MS, value: 'shut' };
  await restart(async (readings) => {
    expect(await countOf(readings, kept)).toBe(30);
    expect(await countOf(readings, some)).toBe(10);
    // Nothing is newer: one day after the newest reading, it is one day old.
    expect(await countOf(readings, all)).toBe(1);
    await readings.commit([shut]);
  });
  await restart();
  await restart(async (readings) => expect(await countOf(readings, all)).toBe(1));
  // What is imported right after the history is kept for ever is kept by the next flush.
  await restart(async (readings) => {
    await readings.deleteExpired();
    await storage.query('update organizations set retention_days = null');
    await readings.commit(ramp(some, 20, old));
  });
  await restart(async (readings) => expect(await countOf(readings, some)).toBe(30));
});

const RETENTION_DAYS = 10;
const clock = createStillClock();
const KEPT_FROM = clock.now() - RETENTION_DAYS * DAY_MS;

/** Flushes each batch of times into chunks of its own. Each value says which batch it is of. */
async function storeBatches(storage: Storage, variable: VariableRef, batches: number[][]) {
  for (const [index, times] of batches.entries()) {
    const readings = readingsOn(storage, { minChunkReadings: 1 }, clock);
    await readings.start();
    await readings.commit(times.map((at) => reading(variable, at, `batch ${index}`)));
    await readings.stop();
  }
}

/** What is left of these times after a round of retention and compaction. */
async function leftOf(batches: number[][]) {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'STRING');
  await storeBatches(storage, variable, batches);
  await storage.query('update organizations set retention_days = $1', [RETENTION_DAYS]);
  const readings = readingsOn(storage, {}, clock);
  await readings.deleteExpired();
  await readings.compact(10);
  const { items } = await pageOf(readings, variable, ALL, 1_000);
  const versions = () => storage.query('select xmin::text from chunks order by first_at');
  const before = await versions();
  await readings.compact(10);
  expect(await versions()).toEqual(before);
  return items;
}

it('compaction trims a chunk once a reading in it expired more than a day ago', async () => {
  const kept = [KEPT_FROM, KEPT_FROM + HOUR_MS, clock.now()];
  const expired = [KEPT_FROM - DAY_MS + 1, KEPT_FROM - HOUR_MS, KEPT_FROM - 1];
  const left = async (first: number) =>
    (await leftOf([[first, ...expired, ...kept]])).map(({ timestamp }) => timestamp);
  expect(await left(KEPT_FROM - DAY_MS - 1)).toEqual(kept);
  expect(await left(KEPT_FROM - DAY_MS)).toEqual([KEPT_FROM - DAY_MS, ...expired, ...kept]);
});

it('trimming a chunk brings no value back that a later one has replaced', async () => {
  const times = [KEPT_FROM - 3 * DAY_MS, KEPT_FROM - HOUR_MS, KEPT_FROM + HOUR_MS, clock.now()];
  const replaced = [KEPT_FROM - HOUR_MS, KEPT_FROM + HOUR_MS];
  expect(await leftOf([times, replaced])).toEqual([
    { timestamp: KEPT_FROM + HOUR_MS, value: 'batch 1' },
    { timestamp: clock.now(), value: 'batch 0' },
  ]);
});

it('compaction trims nothing while history is kept for ever or the clock is not trusted', async () => {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'STRING');
  await storeBatches(storage, variable, [[KEPT_FROM - 3 * DAY_MS, clock.now()]]);
  const countWith = async (isClockTrusted: boolean) => {
    const readings = readingsOn(storage, {}, clock, () => isClockTrusted);
    await readings.deleteExpired();
    await readings.compact(10);
    return await countOf(readings, variable);
  };
  expect(await countWith(true)).toBe(2);
  await storage.query('update organizations set retention_days = $1', [RETENTION_DAYS]);
  expect(await countWith(false)).toBe(2);
  expect(await countWith(true)).toBe(1);
});
