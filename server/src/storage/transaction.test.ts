import { beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { openTestStorage } from '../../test/support/storage.ts';
import { isChanged, type Storage } from './index.ts';

let url: string;

beforeAll(async () => {
  ({ url } = await createTestDatabase());
});

async function open(): Promise<Storage> {
  const storage = await openTestStorage({ databaseUrl: url, lanes: { requests: 5 } });
  await storage.query('DROP TABLE IF EXISTS t');
  return storage;
}

it('commits what resolves, rolls back what rejects, and calls back after a commit only', async () => {
  const storage = await open();
  await storage.query('CREATE TABLE t (n int)');
  const calls: string[] = [];
  const result = await storage.transaction(async (tx) => {
    tx.afterCommit(() => calls.push('kept'));
    tx.afterCommit(() => {
      throw new Error('of no consequence for the transaction');
    });
    await Promise.all([1, 2, 3].map((n) => tx.query('INSERT INTO t VALUES ($1)', [n])));
    expect(calls).toEqual([]);
    return 'done';
  });
  expect(result).toBe('done');
  await expect(
    storage.transaction(async (tx) => {
      tx.afterCommit(() => calls.push('lost'));
      await tx.query('INSERT INTO t VALUES (4)');
      throw new Error('changed my mind');
    }),
  ).rejects.toThrow('changed my mind');
  expect(calls).toEqual(['kept']);
  expect(await storage.query('SELECT n FROM t ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

it('does not take a transaction for committed when a failed statement in it was overlooked', async () => {
  const storage = await open();
  await storage.query('CREATE TABLE t (n int)');
  const committed: string[] = [];
  await expect(
    storage.transaction(async (tx) => {
      tx.afterCommit(() => committed.push('yes'));
      await tx.query('INSERT INTO t VALUES (1)');
      await tx.query('SELECT 1/0').catch(() => undefined);
    }),
  ).rejects.toThrow('division by zero');
  expect(committed).toEqual([]);
  expect(await storage.query('SELECT n FROM t')).toEqual([]);
});

it('commits statements that need no answers, all of them or none', async () => {
  const storage = await open();
  await storage.query('CREATE TABLE t (n integer PRIMARY KEY)');
  const insert = (n: number) => ({ sql: 'INSERT INTO t VALUES ($1)', params: [n] });
  await storage.atomically(() => [insert(1), insert(2)]);
  await expect(storage.atomically(() => [insert(3), insert(2), insert(4)])).rejects.toMatchObject({
    constraint: 't_pkey',
  });
  const giving = storage.atomically(function* () {
    yield insert(5);
    throw new Error('changed my mind');
  });
  await expect(giving).rejects.toThrow('changed my mind');
  await storage.atomically(() => []);
  expect(await storage.query('SELECT n FROM t ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }]);
});

it('creates the statements again when PostgreSQL aborts a transaction', async () => {
  const storage = await open();
  await storage.query('CREATE TABLE t (n integer PRIMARY KEY)');
  let asked = 0;
  await storage.atomically(function* () {
    asked += 1;
    yield { sql: 'INSERT INTO t VALUES ($1)', params: [asked] };
    if (asked < 3) yield { sql: `DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$`, params: [] };
  });
  expect(await storage.query('SELECT n FROM t')).toEqual([{ n: 3 }]);
});

it('says that rows were changed meanwhile when a statement insists on all of them', async () => {
  const storage = await open();
  const require = (changed: number) => storage.query('SELECT require_rows($1, 2)', [changed]);
  await require(2);
  const error = await require(1).catch((e: unknown) => e);
  expect(isChanged(error)).toBe(true);
  expect(isChanged(new Error('rows'))).toBe(false);
});

it('runs statements that are given together in their order, and none behind one that fails', async () => {
  const storage = await open();
  await storage.query('CREATE TABLE t (n integer PRIMARY KEY)');
  const counts = await storage.transaction((tx) =>
    Promise.all([
      tx.query('INSERT INTO t VALUES (1)'),
      tx.query('SELECT n FROM t'),
      tx.query('INSERT INTO t VALUES (2)'),
      tx.query('SELECT n FROM t'),
    ]),
  );
  expect(counts.map(({ length }) => length)).toEqual([0, 1, 0, 2]);
  const answers: string[] = [];
  const broken = storage.transaction(async (tx) => {
    const given = [3, 1, 4].map((n) => tx.query('INSERT INTO t VALUES ($1)', [n]));
    for (const { status } of await Promise.allSettled(given)) answers.push(status);
    await Promise.all(given);
  });
  await expect(broken).rejects.toMatchObject({ constraint: 't_pkey' });
  expect(answers).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await storage.query('SELECT n FROM t ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }]);
});

it('reports the first failure, though the answer to a later statement comes sooner', async () => {
  const storage = await open();
  const failing = storage.transaction(async (tx) => {
    const failed = tx.query('SELECT 1 / 0').catch(async (error: unknown) => {
      await new Promise(setImmediate);
      throw error;
    });
    await Promise.all([failed, tx.query('SELECT 1')]);
  });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
});

it('refuses statements of a transaction that has ended', async () => {
  const storage = await open();
  const tx = await storage.transaction(async (open) => open);
  await expect(tx.query('SELECT 1')).rejects.toThrow('has ended');
  expect(() => tx.afterCommit(() => undefined)).toThrow('has ended');
});

it('runs the victim of a deadlock again until both have committed', async () => {
  const storage = await open();
  await storage.query('CREATE TABLE t (id int PRIMARY KEY, n int)');
  await storage.query('INSERT INTO t VALUES (1, 0), (2, 0)');
  let runs = 0;
  let arrived = 0;
  let bothHoldOne: () => void = () => undefined;
  const met = new Promise<void>((resolve) => {
    bothHoldOne = resolve;
  });
  const add = (order: readonly number[]) =>
    storage.transaction(async (tx) => {
      runs += 1;
      for (const id of order) {
        await tx.query('UPDATE t SET n = n + 1 WHERE id = $1', [id]);
        arrived += 1;
        if (arrived === 2) bothHoldOne();
        await met;
      }
    });
  await Promise.all([add([1, 2]), add([2, 1])]);
  // The victim may take its first row again before the other wakes, and then one of them is a victim.
  expect(runs).toBeGreaterThan(2);
  expect(await storage.query('SELECT n FROM t')).toEqual([{ n: 2 }, { n: 2 }]);
});

it('gives up on a transaction that is a victim each time', async () => {
  const storage = await open();
  let runs = 0;
  await expect(
    storage.transaction(async (tx) => {
      runs += 1;
      await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`);
    }),
  ).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', cause: { message: 'again' } });
  expect(runs).toBe(4);
});
