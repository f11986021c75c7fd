import { expect, it } from 'vitest';
import type { Readings } from '../../src/readings/index.ts';
import {
  countOf,
  kill,
  openHistory,
  ramp,
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
