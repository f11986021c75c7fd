import { describe, expect, it } from 'vitest';
import { partitionOf } from '../../src/nodes/index.ts';
import type { Readings, Value } from '../../src/readings/index.ts';
import { createDeferred } from '../../src/runtime/index.ts';
import type { Storage } from '../../src/storage/index.ts';
import type { VariableRef } from '../../src/variables/index.ts';
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
const JOURNAL_SPACE = 0x46_57_4a_4c;
const JOURNAL_LOCKS = `locktype = 'advisory' and classid = ${JOURNAL_SPACE}`;

async function started(storage: Storage, limits: Parameters<typeof readingsOn>[1] = {}) {
  const readings = readingsOn(storage, limits);
  await readings.start();
  return readings;
}

async function valuesOf(readings: Readings, variable: VariableRef): Promise<Value[]> {
  const { items } = await pageOf(readings, variable, ALL, 100_000);
  return items.map(({ value }) => value);
}

async function writers(storage: Storage): Promise<number[]> {
  const rows = await storage.query<{ writer: number }>(
    'select distinct writer from journal order by writer',
  );
  return rows.map(({ writer }) => writer);
}

async function countWaiting(storage: Storage): Promise<number> {
  return (
    await storage.query(`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  ).length;
}

/** Ends the sessions that hold locks of journals, as a failover of PostgreSQL does. */
async function endLockSessions(storage: Storage): Promise<void> {
  await storage.query(
    `select pg_terminate_backend(pid) from pg_locks where ${JOURNAL_LOCKS}
       and database = (select oid from pg_database where datname = current_database())`,
  );
}

describe('two servers on one database', () => {
  it('lose no reading when one flushes and is killed after the other has started', async () => {
    const storage = await openHistory();
    const variables: VariableRef[] = [];
    for (let count = 0; count < 30; count += 1) {
      variables.push(await storeVariable(storage, 'NUMBER'));
    }
    const batch = (from: number) =>
      variables.flatMap((variable) =>
        Array.from({ length: 150 }, (_, index) => reading(variable, from + index, index)),
      );
    const one = await started(storage);
    await one.commit(batch(START));
    await one.commit(batch(START + 1_000));
    const other = await started(storage);
    // Carried over in more journal rows than there were commits since the other has started.
    await one.commit(batch(START + 2_000));
    await one.stop();
    await other.commit([reading(variables[0] as VariableRef, START + 5_000, 1)]);
    await other.stop();
    const third = await started(storage);
    for (const [index, variable] of variables.entries()) {
      expect((await pageOf(third, variable, ALL, 1)).count).toBe(index === 0 ? 451 : 450);
    }
  });

  it('keep the readings that each committed, after one stopped and one was killed', async () => {
    const storage = await openHistory();
    const [a, b] = [await storeVariable(storage, 'NUMBER'), await storeVariable(storage, 'NUMBER')];
    const one = await started(storage);
    await one.commit([reading(a, START, 1)]);
    const other = await started(storage);
    await one.commit([reading(a, START + 1, 2)]);
    await other.commit([reading(b, START, 3)]);
    await other.stop();
    await kill(one);
    const third = await started(storage);
    expect(await valuesOf(third, a)).toEqual([1, 2]);
    expect(await valuesOf(third, b)).toEqual([3]);
  });

  it('leave the journal of each other alone while both are alive', async () => {
    const storage = await openHistory();
    const variable = await storeVariable(storage, 'NUMBER');
    const one = await started(storage);
    await one.commit([reading(variable, START, 1)]);
    const before = await storage.query('select * from journal');
    const other = await started(storage);
    expect(await valuesOf(other, variable)).toEqual([]);
    await other.stop();
    expect(await storage.query('select * from journal')).toEqual(before);
    await kill(one);
    expect(await valuesOf(await started(storage), variable)).toEqual([1]);
  });

  it('have their journals replayed in the order of their commits', async () => {
    const storage = await openHistory();
    const variable = await storeVariable(storage, 'NUMBER');
    const [one, other] = [await started(storage), await started(storage)];
    for (let value = 1; value <= 5; value += 1) {
      await (value % 2 === 1 ? one : other).commit([reading(variable, START, value)]);
    }
    await kill(one);
    await kill(other);
    const third = await started(storage);
    expect(await valuesOf(third, variable)).toEqual([5]);
    await third.commit([reading(variable, START + 1, 6)]);
    // Carried over, the readings keep their place.
    await third.stop();
    expect(await valuesOf(await started(storage), variable)).toEqual([5, 6]);
  });

  it('have corrections win that are flushed late, after a compaction of later flushes', async () => {
    const storage = await openHistory();
    const variable = await storeVariable(storage, 'NUMBER');
    const limits = { minChunkReadings: 1 };
    const ramp = Array.from({ length: 10 }, (_, index) => reading(variable, START + index, 0));
    const first = await started(storage, limits);
    await first.commit(ramp);
    await first.stop();
    const [slow, quick] = [await started(storage, limits), await started(storage, limits)];
    const heldUp = await storeVariable(storage, 'NUMBER');
    await slow.commit([reading(variable, START + 5, 1), reading(heldUp, START, 1)]);
    await quick.commit([reading(variable, START + 3, 2), reading(variable, START + 7, 2)]);
    const compactor = readingsOn(storage, limits);
    const { flushing } = await storage.transaction(async (tx) => {
      await tx.query('select 1 from variables where id = $1 for update', [heldUp.id]);
      const flushing = slow.stop();
      await expect.poll(() => countWaiting(storage)).toBe(1);
      await quick.stop();
      await compactor.compact(10);
      return { flushing };
    });
    await flushing;
    const expected = [0, 0, 0, 2, 0, 1, 0, 2, 0, 0];
    expect(await valuesOf(compactor, variable)).toEqual(expected);
    await compactor.compact(10);
    expect(await valuesOf(compactor, variable)).toEqual(expected);
    expect(await storage.query('select 1 from chunks')).toHaveLength(2);
  });
});

it('the id of a journal row is never used again', async () => {
  const storage = await openHistory();
  await storage.query('create table used (writer bigint, id bigint, primary key (writer, id))');
  await storage.query(
    `create function note_used() returns trigger language plpgsql as $$ begin
       insert into used values (new.writer, new.id); return null; end $$`,
  );
  await storage.query(
    'create trigger note_used after insert on journal for each row execute function note_used()',
  );
  const variable = await storeVariable(storage, 'NUMBER');
  const readings = await started(storage, { flushAfterMs: 0, checkEveryMs: 10 });
  for (let round = 0; round < 10; round += 1) {
    await readings.commit([reading(variable, START + round, round)]);
    const [before] = await storage.query<{ count: number }>('select count(*) from used');
    const flushed = async () => {
      const [now] = await storage.query<{ count: number }>('select count(*) from used');
      return now?.count ?? 0;
    };
    await expect.poll(flushed).toBeGreaterThan(before?.count ?? 0);
  }
  expect(await valuesOf(readings, variable)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  await readings.stop();
  expect(await valuesOf(await started(storage), variable)).toHaveLength(10);
});

describe('a server that loses the lock of its journal', () => {
  it('takes it again and goes on under the same number', async () => {
    const storage = await openHistory();
    const variable = await storeVariable(storage, 'NUMBER');
    const readings = await started(storage);
    await readings.commit([reading(variable, START, 1)]);
    const before = await writers(storage);
    await endLockSessions(storage);
    await committed(readings, variable, 2);
    expect(await writers(storage)).toEqual(before);
    expect(await valuesOf(readings, variable)).toEqual([1, 2]);
  });

  it('goes on under another number when its journal was adopted, and nothing is lost', async () => {
    const storage = await openHistory();
    const variable = await storeVariable(storage, 'NUMBER');
    const adopter = await storage.openSessionLocks(() => undefined);
    const adopted = createDeferred<void>();
    let sessions = 0;
    const halted = await started({
      ...storage,
      async openSessionLocks(onLost) {
        sessions += 1;
        if (sessions > 1) await adopted.promise;
        return await storage.openSessionLocks(onLost);
      },
    });
    await halted.commit([reading(variable, START, 1)]);
    const [number = 0] = await writers(storage);
    await endLockSessions(storage);
    const key = { space: JOURNAL_SPACE, number };
    await expect.poll(() => adopter.tryLock(key)).toBe(true);
    await expect.poll(() => sessions).toBe(2);
    const refused = { code: 'STORAGE_UNAVAILABLE' };
    await expect(halted.commit([reading(variable, START, 9)])).rejects.toMatchObject(refused);
    adopted.resolve();
    await committed(halted, variable, 2);
    expect(await writers(storage)).toHaveLength(2);
    await adopter.end();
    await halted.stop();
    expect(await valuesOf(await started(storage), variable)).toEqual([1, 2]);
  });
});

/** Commits a reading once the server may write again. */
async function committed(readings: Readings, variable: VariableRef, value: number): Promise<void> {
  const commit = () => readings.commit([reading(variable, START + value, value)]).then(() => true);
  const refused = { code: 'STORAGE_UNAVAILABLE' };
  await expect
    .poll(() =>
      commit().catch((error: unknown) => {
        expect(error).toMatchObject(refused);
        return false;
      }),
    )
    .toBe(true);
}

it('partitions that leave one after the other leave no reading in the journal of their node', async () => {
  const storage = await openHistory();
  const variables = [
    await storeVariable(storage, 'NUMBER'),
    await storeVariable(storage, 'NUMBER'),
  ];
  const node = await started(storage);
  await node.commit(variables.map((variable) => reading(variable, START, 1)));
  for (const { deviceId } of variables) await node.drain([partitionOf(deviceId)]);
  expect(await writers(storage)).toEqual([]);
  const next = readingsOn(storage);
  for (const variable of variables) expect(await valuesOf(next, variable)).toEqual([1]);
});

it('a node that another one has taken over from stores nothing more', async () => {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'NUMBER');
  const node = await started(storage);
  await node.commit([reading(variable, START, 1)]);
  await storage.query(`update nodes set epoch = nextval('node_epochs')`);
  const late = reading(variable, START + 1, 2);
  const alongside = () => [{ sql: 'select 1', params: [] }];
  for (const work of [
    () => node.commit([late]),
    () => node.commit([late], { alongside }),
    () => node.commit([], { alongside }),
    () => node.drain([partitionOf(variable.deviceId)]),
  ]) {
    await expect(work()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  }
  await kill(node);
  const next = await started(storage);
  expect(await valuesOf(next, variable)).toEqual([1]);
});
