import { expect, it } from 'vitest';
import type { Storage } from '../../src/storage/index.ts';
import type { VariableRef } from '../../src/variables/index.ts';
import { ALL, openHistory, reading, readingsOn, storeVariable } from '../support/readings.ts';

const START = 1_700_000_000_000;

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

function ramp(variable: VariableRef, from: number) {
  return Array.from({ length: 3 }, (_, index) => reading(variable, from + index, index));
}

it('what is done alongside commits with the readings', async () => {
  const { storage, variable, readings } = await start();
  await readings.commit(ramp(variable, START), {
    async alongside(tx) {
      await tx.query(`insert into notes values ('raised')`);
      // Nothing shows before all of it does.
      expect(await count(storage, 'journal')).toBe(0);
      expect((await readings.raw(variable, ALL, 10)).count).toBe(0);
    },
  });
  expect(await count(storage, 'notes')).toBe(1);
  expect(await count(storage, 'journal')).toBe(1);
  expect((await readings.raw(variable, ALL, 10)).count).toBe(3);
  expect(await readings.latest([variable])).toEqual([{ at: START + 2, value: 2 }]);
});

it('when it fails, nothing is kept, not in memory either, and the next batch is', async () => {
  const { storage, variable, readings } = await start();
  const failing = readings.commit(ramp(variable, START), {
    async alongside(tx) {
      await tx.query(`insert into notes values ('raised')`);
      throw new Error('no such alarm');
    },
  });
  const next = readings.commit(ramp(variable, START + 100));
  await expect(failing).rejects.toThrow('no such alarm');
  await next;
  expect(await count(storage, 'notes')).toBe(0);
  expect(await count(storage, 'journal')).toBe(1);
  const { items } = await readings.raw(variable, ALL, 10);
  expect(items.map(({ timestamp }) => timestamp - START)).toEqual([100, 101, 102]);
  await readings.stop();
  const again = readingsOn(storage);
  await again.start();
  expect((await again.raw(variable, ALL, 10)).count).toBe(3);
});

it('a statement that fails alongside fails the readings, also when its error is hidden', async () => {
  const { storage, variable, readings } = await start();
  await expect(
    readings.commit(ramp(variable, START), {
      async alongside(tx) {
        await tx.query('insert into nowhere values (1)').catch(() => undefined);
      },
    }),
  ).rejects.toThrow('nowhere');
  expect(await count(storage, 'journal')).toBe(0);
  expect((await readings.raw(variable, ALL, 10)).count).toBe(0);
});

it('readings that cannot be stored leave undone what was to go alongside', async () => {
  const { storage, variable, readings } = await start();
  const bad = reading(variable, START, Number.NaN);
  const alongside = (tx: { query(sql: string): Promise<unknown> }) =>
    tx.query(`insert into notes values ('raised')`).then(() => undefined);
  await expect(readings.commit([bad], { alongside })).rejects.toThrow(RangeError);
  expect(await count(storage, 'notes')).toBe(0);
  await readings.commit([], { alongside });
  expect(await count(storage, 'notes')).toBe(1);
  expect(await count(storage, 'journal')).toBe(0);
});
