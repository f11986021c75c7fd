import { expect, it } from 'vitest';
import type { Storage } from '../../src/storage/index.ts';
import type { VariableRef } from '../../src/variables/index.ts';
import { OWN_LOCKS } from '../support/locks.ts';
import {
  ALL,
  kill,
  openHistory,
  pageOf,
  reading,
  readingsOn,
  storeVariable,
} from '../support/readings.ts';

const START = 1_700_000_000_000;
const NOTE = { sql: 'insert into notes values ($1)', params: ['raised'] };

async function start() {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'NUMBER');
  await storage.query('create table notes (note text primary key)');
  const readings = readingsOn(storage);
  await readings.start();
  return { storage, variable, readings };
}

async function count(storage: Storage, table: 'journal' | 'notes'): Promise<number> {
  const [row] = await storage.query<{ count: number }>(`select count(*) from ${table}`);
  return row?.count ?? 0;
}

async function countWaiting(storage: Storage): Promise<number> {
  const waiting = `select 1 ${OWN_LOCKS} and not granted and relation = 'notes'::regclass`;
  return (await storage.query(waiting)).length;
}

function ramp(variable: VariableRef, from: number) {
  return Array.from({ length: 3 }, (_, index) => reading(variable, from + index, index));
}

it('statements alongside commit in the transaction of the readings', async () => {
  const { storage, variable, readings } = await start();
  // What is alongside waits for the lock; nothing shows before all of it does.
  const { committing } = await storage.transaction(async (tx) => {
    await tx.query('lock table notes in exclusive mode');
    const committing = readings.commit(ramp(variable, START), { alongside: () => [NOTE] });
    await expect.poll(() => countWaiting(storage)).toBe(1);
    expect(await count(storage, 'journal')).toBe(0);
    expect((await pageOf(readings, variable, ALL, 10)).count).toBe(0);
    return { committing };
  });
  await committing;
  expect(await count(storage, 'notes')).toBe(1);
  expect(await count(storage, 'journal')).toBe(1);
  expect((await pageOf(readings, variable, ALL, 10)).count).toBe(3);
  expect((await readings.latest([variable])).values).toEqual([{ at: START + 2, value: 2 }]);
});

it('of two concurrent batches the later one wins, although its journal row is stored first', async () => {
  const { storage, variable, readings } = await start();
  const { commits } = await storage.transaction(async (tx) => {
    await tx.query('lock table notes in exclusive mode');
    const earlier = readings.commit([reading(variable, START, 1)], { alongside: () => [NOTE] });
    await expect.poll(() => countWaiting(storage)).toBe(1);
    const later = readings.commit([reading(variable, START, 2)]);
    await expect.poll(() => count(storage, 'journal')).toBe(1);
    // Neither is visible before the earlier one is decided.
    expect((await pageOf(readings, variable, ALL, 10)).count).toBe(0);
    return { commits: Promise.all([earlier, later]) };
  });
  await commits;
  const expected = [{ timestamp: START, value: 2 }];
  expect((await pageOf(readings, variable, ALL, 10)).items).toEqual(expected);
  // A replay of the two rows gives the same.
  await kill(readings);
  const next = readingsOn(storage);
  await next.start();
  expect((await pageOf(next, variable, ALL, 10)).items).toEqual(expected);
});

it('a failing alongside discards the batch from journal and memtable, and the next batch commits', async () => {
  const { storage, variable, readings } = await start();
  const failing = readings.commit(ramp(variable, START), {
    *alongside() {
      yield NOTE;
      throw new Error('no such alarm');
    },
  });
  const next = readings.commit(ramp(variable, START + 100));
  await expect(failing).rejects.toThrow('no such alarm');
  await next;
  expect(await count(storage, 'notes')).toBe(0);
  expect(await count(storage, 'journal')).toBe(1);
  const { items } = await pageOf(readings, variable, ALL, 10);
  expect(items.map(({ timestamp }) => timestamp - START)).toEqual([100, 101, 102]);
  await readings.stop();
  const again = readingsOn(storage);
  await again.start();
  expect((await pageOf(again, variable, ALL, 10)).count).toBe(3);
});

it('a failing statement alongside rejects the readings, wherever it is in the list', async () => {
  const { storage, variable, readings } = await start();
  await expect(
    readings.commit(ramp(variable, START), {
      alongside: () => [{ sql: 'insert into nowhere values (1)', params: [] }, NOTE],
    }),
  ).rejects.toThrow('nowhere');
  expect(await count(storage, 'notes')).toBe(0);
  expect(await count(storage, 'journal')).toBe(0);
  expect((await pageOf(readings, variable, ALL, 10)).count).toBe(0);
});

it('readings that cannot be stored run no statement alongside', async () => {
  const { storage, variable, readings } = await start();
  const bad = reading(variable, START, Number.NaN);
  const alongside = () => [NOTE];
  await expect(readings.commit([bad], { alongside })).rejects.toThrow(RangeError);
  expect(await count(storage, 'notes')).toBe(0);
  await readings.commit([], { alongside });
  expect(await count(storage, 'notes')).toBe(1);
  expect(await count(storage, 'journal')).toBe(0);
});
