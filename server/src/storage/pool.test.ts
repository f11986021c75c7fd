import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { getPriority } from 'node:os';
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { OWN_LOCKS } from '../../test/support/locks.ts';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { openTestStorage } from '../../test/support/storage.ts';
import { createLog, isoDateTime } from '../runtime/index.ts';
import { type Storage, violates } from './index.ts';
import { createPool } from './pool.ts';
import { createWriteProbe } from './write-probe.ts';

const AWAY = {
  name: 'Failure',
  code: 'STORAGE_UNAVAILABLE',
  retryAfterSeconds: expect.any(Number),
};

let url: string;

beforeAll(async () => {
  ({ url } = await createTestDatabase());
});

async function open(requests = 5): Promise<Storage> {
  const storage = await openTestStorage({ databaseUrl: url, lanes: { requests } });
  await storage.query('DROP TABLE IF EXISTS t');
  return storage;
}

/** Ends every other connection to this database, as a restart of PostgreSQL does. */
async function endOtherConnections(storage: Storage): Promise<void> {
  const others = `FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  await storage.query(`SELECT pg_terminate_backend(pid) ${others}`);
  await expect.poll(async () => (await storage.query(`SELECT ${others}`)).length).toBe(0);
}

it('after a time of read-only sessions the first write is accepted', async () => {
  const own = await createTestDatabase();
  const storage = await openTestStorage({ databaseUrl: own.url, lanes: { requests: 5 } });
  const name = new URL(own.url).pathname.slice(1);
  await storage.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await endOtherConnections(storage);
  await storage.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
  const reads = Array.from({ length: 5 }, () => storage.query('SELECT pg_sleep(0.05)'));
  await Promise.all(reads);
  await expect(storage.query('CREATE TABLE t ()')).rejects.toMatchObject(AWAY);
  await Promise.all(Array.from({ length: 5 }, () => storage.query('SELECT pg_sleep(0.05)')));
  const options = '-c default_transaction_read_only=off';
  const writable = new pg.Client({ connectionString: own.url, options });
  await writable.connect();
  await writable.query(`ALTER DATABASE ${name} SET default_transaction_read_only = off`);
  await writable.end();
  expect(await storage.query('CREATE TABLE t ()')).toEqual([]);
  await storage.stop();
  await own.drop();
});

it('carries a time through storage exactly to the millisecond', async () => {
  const storage = await open();
  const times = Array.from({ length: 1000 }, (_, ms) => 1_794_712_461_000 + ms);
  const rows = await storage.query<{ at: number }>(
    'SELECT at FROM unnest($1::timestamptz[]) WITH ORDINALITY AS t (at, n) ORDER BY n',
    [times.map(isoDateTime)],
  );
  expect(rows.map(({ at }) => at)).toEqual(times);
  const early = -86_400_001;
  const [row] = await storage.query(
    `SELECT array_agg(at) AS all, null::timestamptz AS none FROM (SELECT $1::timestamptz AS at)`,
    [isoDateTime(early)],
  );
  expect(row).toEqual({ all: [early], none: null });
});

it('answers in UTC and ISO form whatever the database prefers', async () => {
  const own = await createTestDatabase();
  const first = await openTestStorage({ databaseUrl: own.url });
  const [row] = await first.query<{ name: string }>('SELECT current_database() AS name');
  await first.query(`ALTER DATABASE ${row?.name} SET DateStyle = 'German'`);
  await first.query(`ALTER DATABASE ${row?.name} SET TimeZone = 'Asia/Kolkata'`);
  const second = await openTestStorage({ databaseUrl: own.url });
  expect(
    await second.query(`SELECT to_timestamp(1) AS at, date '2026-01-02' AS day, 1.50 AS exact`),
  ).toEqual([{ at: 1000, day: '2026-01-02', exact: '1.50' }]);
});

it('reads int8 as a number and refuses one beyond the safe range', async () => {
  const storage = await open();
  expect(
    await storage.query('SELECT count(*) AS n, ARRAY[1::int8, NULL] AS list FROM pg_class'),
  ).toEqual([{ n: expect.any(Number), list: [1, null] }]);
  await expect(storage.query('SELECT 9007199254740993::int8')).rejects.toThrow(RangeError);
});

it('passes a broken constraint through, recognisable by its name and without the values', async () => {
  const storage = await open();
  await storage.query('CREATE TABLE t (secret text CONSTRAINT only_once UNIQUE)');
  await storage.query(`INSERT INTO t VALUES ('canary')`);
  const error = await storage.query(`INSERT INTO t VALUES ('canary')`).catch((e: unknown) => e);
  expect(violates(error, 'only_once')).toBe(true);
  expect(violates(error, 'another')).toBe(false);
  expect(violates(new Error('only_once'), 'only_once')).toBe(false);
  expect(JSON.stringify(error)).not.toContain('canary');
});

it('keeps the connection of a statement that failed', async () => {
  const storage = await open(1);
  const [before] = await storage.query('SELECT pg_backend_pid()');
  await expect(storage.query('SELECT 1/0')).rejects.toThrow(pg.DatabaseError);
  await expect(storage.transaction(async (tx) => await tx.query('SELECT 1/0'))).rejects.toThrow(
    'division by zero',
  );
  expect(await storage.query('SELECT pg_backend_pid()')).toEqual([before]);
});

it('calls a commit whose outcome is unknown STORAGE_UNAVAILABLE and does not run it again', async () => {
  const storage = await open();
  await storage.query('CREATE TABLE t (n int)');
  await storage.query(
    `CREATE FUNCTION end_connection() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`,
  );
  await storage.query(
    `CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW EXECUTE FUNCTION end_connection()`,
  );
  let runs = 0;
  await expect(
    storage.transaction(async (tx) => {
      runs += 1;
      await tx.query('INSERT INTO t VALUES (1)');
    }),
  ).rejects.toMatchObject(AWAY);
  expect(runs).toBe(1);
  expect(await storage.query('SELECT n FROM t')).toEqual([]);
});

it('calls a connection that ends under a statement STORAGE_UNAVAILABLE and works with the next one', async () => {
  const storage = await open();
  const sleeping = storage.query('SELECT pg_sleep(30)').catch((error: unknown) => error);
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const waiting = storage
    .transaction(async (tx) => {
      await tx.query('SELECT 1');
      await gate;
      await tx.query('SELECT 2');
    })
    .catch((error: unknown) => error);
  const active = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND (query LIKE '%pg_sleep(30)' OR state LIKE 'idle in%')`;
  await expect.poll(() => storage.query(active)).toHaveLength(2);
  await endOtherConnections(storage);
  goOn();
  expect(await sleeping).toMatchObject(AWAY);
  expect(await waiting).toMatchObject(AWAY);
  await storage.check();
});

it('takes the write probes of several servers at the same time', async () => {
  const storage = await open();
  const probes = Array.from({ length: 8 }, () => createWriteProbe(storage));
  await Promise.all(probes.map((probe) => probe()));
  expect(await storage.query(`SELECT 1 FROM pg_class WHERE relname LIKE '%probe%'`)).toEqual([]);
});

it('is away where nothing listens', async () => {
  const nowhere = [
    { host: '127.0.0.1', port: 1 },
    { host: '/nonexistent', port: 5432 },
  ];
  for (const target of nowhere) {
    const storage = createPool({ target: () => target, size: 1, log: createLog('silent') });
    await expect(storage.query('SELECT 1')).rejects.toMatchObject(AWAY);
    await expect(storage.transaction(async () => 1)).rejects.toMatchObject(AWAY);
    await expect(createWriteProbe(storage)()).rejects.toMatchObject(AWAY);
    await storage.stop();
  }
});

it('is away within its limit where a server takes the connection and never answers', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const target = () => ({ host: '127.0.0.1', port });
  const storage = createPool({ target, size: 1, log: createLog('silent') });
  await expect(createWriteProbe(storage)()).rejects.toMatchObject(AWAY);
  for (const socket of sockets) socket.destroy();
  silent.close();
  await storage.stop();
});

it('gives up a connection on which no answer comes, and takes another', async () => {
  const target = () => ({ connectionString: url });
  const log = createLog('silent');
  const storage = createPool({ target, size: 1, log, answerLimitMs: 500 });
  await expect(storage.query('SELECT pg_sleep(600)')).rejects.toMatchObject(AWAY);
  expect(await storage.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await storage.stop();
});

it('calls a statement over its time limit STORAGE_UNAVAILABLE and keeps the connection', async () => {
  const holder = await open(1);
  await holder.query('CREATE TABLE t (n int)');
  const target = () => ({ connectionString: url, statement_timeout: 200 });
  const storage = createPool({ target, size: 1, log: createLog('silent') });
  const [before] = await storage.query('SELECT pg_backend_pid()');
  await holder.transaction(async (tx) => {
    await tx.query('LOCK TABLE t');
    await expect(storage.query('SELECT n FROM t')).rejects.toMatchObject(AWAY);
    await expect(
      storage.transaction((tx2) => tx2.query('INSERT INTO t VALUES (1)')),
    ).rejects.toMatchObject(AWAY);
    await expect(
      storage.atomically(() => [{ sql: 'INSERT INTO t VALUES (1)', params: [] }]),
    ).rejects.toMatchObject(AWAY);
  });
  expect(await storage.query('SELECT pg_backend_pid()')).toEqual([before]);
  await storage.stop();
});

it('calls a read-only transaction STORAGE_UNAVAILABLE and gives up its connection', async () => {
  const holder = await open(1);
  await holder.query('CREATE TABLE t (n int)');
  let isReadOnly = true;
  const options = () => (isReadOnly ? '-c default_transaction_read_only=on' : '');
  const target = () => ({ connectionString: url, options: options() });
  const storage = createPool({ target, size: 1, log: createLog('silent') });
  expect(await storage.query('SELECT n FROM t')).toEqual([]);
  await expect(storage.query('INSERT INTO t VALUES (1)')).rejects.toMatchObject(AWAY);
  // What the next connection reaches takes writes.
  isReadOnly = false;
  await storage.query('INSERT INTO t VALUES (1)').catch(() => undefined);
  await storage.query('INSERT INTO t VALUES (2)');
  expect(await storage.query('SELECT n FROM t')).toContainEqual({ n: 2 });
  await storage.stop();
});

it('runs queries in order on one connection, each on what was committed before it began', async () => {
  const [storage, other] = [await open(2), await open(1)];
  await other.query('CREATE TABLE t (n int)');
  const pid = 'SELECT pg_backend_pid() AS pid';
  const holder = await other.openSessionLocks(() => undefined);
  await holder.tryLock({ space: 1, number: 1 });
  const found = storage.inOrder((queries) =>
    Promise.all([
      queries.query(`${pid} FROM pg_advisory_lock(1, 1)`),
      queries.query(`${pid}, n FROM t`),
    ]),
  );
  await expect.poll(() => other.query(`SELECT ${OWN_LOCKS} AND NOT granted`)).toHaveLength(1);
  await other.query('INSERT INTO t VALUES (1)');
  await holder.end();
  const [first, second] = await found;
  expect(second).toEqual([{ ...first[0], n: 1 }]);
});

it('frees the connection of ordered queries after the last result, also when the first has failed', async () => {
  const storage = await open(1);
  const [before] = await storage.query('SELECT pg_backend_pid()');
  let isLastThere = false;
  const failed = storage.inOrder((queries) =>
    Promise.all([
      queries.query('SELECT 1/0'),
      queries.query('SELECT pg_sleep(0.2)').then(() => {
        isLastThere = true;
      }),
    ]),
  );
  await expect(failed).rejects.toThrow('division by zero');
  expect(isLastThere).toBe(true);
  expect(await storage.query('SELECT pg_backend_pid()')).toEqual([before]);
});

it('limits how many wait for a connection', async () => {
  const storage = await open(1);
  const waiting = Array.from({ length: 110 }, () => storage.query('SELECT 1').then(() => 'answer'));
  const outcomes = await Promise.allSettled(waiting);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBe(10);
  expect(refused[0]).toMatchObject({ reason: { code: 'OVERLOADED' } });
});

it('is away after it was stopped, and stops once', async () => {
  const storage = await open();
  await Promise.all([storage.stop(), storage.stop()]);
  await expect(storage.query('SELECT 1')).rejects.toMatchObject(AWAY);
  await expect(storage.check()).rejects.toMatchObject(AWAY);
});

it('leaves the processes of a PostgreSQL that is not its own as they are', async () => {
  const { background } = await open();
  const [row] = await background.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  expect(getPriority(row?.pid)).toBe(getPriority());
});
