import { expect, it } from 'vitest';
import {
  ALL,
  openHistory,
  pageOf,
  reading,
  readingsOn,
  storeVariable,
} from '../support/readings.ts';

const START = 1_700_000_000_000;
const IN_ORDER = 4_000;
const LATE = 20_000;
const BATCH = 1_000;

/** Each number below LATE once, in no order. */
const shuffled = (index: number) => (index * 7_919) % LATE;

it('many late readings in random order stay within memory and are correct during compaction', async () => {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'NUMBER');
  const limits = { memtableBytes: 100_000, readingsPerChunk: 128, minChunkReadings: 32 };
  const readings = readingsOn(storage, limits);
  await readings.start();
  const newest = Array.from({ length: IN_ORDER }, (_, index) =>
    reading(variable, START + index * 10, -1),
  );
  await readings.commit(newest);
  for (let first = 0; first < LATE; first += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, index) => {
      const place = shuffled(first + index);
      return reading(variable, START - 10 * (place + 1), place);
    });
    await readings.commit(batch);
  }
  await readings.stop();

  const next = readingsOn(storage, limits);
  const rightOnes = async () => {
    const { count, items } = await pageOf(next, variable, ALL, LATE);
    expect(count).toBe(LATE + IN_ORDER);
    expect(items.map(({ value }) => value)).toEqual(items.map((_, index) => LATE - 1 - index));
  };
  const compaction = next.compact(1);
  await rightOnes();
  await compaction;
  await rightOnes();
  const overlaps = await storage.query(
    `select 1 from chunks a join chunks b on a.variable_number = b.variable_number
       and a.ctid <> b.ctid and a.first_at <= b.last_at and b.first_at <= a.last_at`,
  );
  expect(overlaps).toEqual([]);
  const [chunks] = await storage.query<{ count: number }>('select count(*) from chunks');
  expect(chunks?.count).toBeLessThan((2 * (LATE + IN_ORDER)) / limits.readingsPerChunk);
});
