import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { openTestStorage, spawnStorage, temporaryMigrations } from '../../test/support/storage.ts';

/** An empty database: the project's own migrations are not what is tested here. */
async function emptyDatabase(): Promise<string> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

const FIRST = 'CREATE TABLE first (n int);\nINSERT INTO first VALUES (1);\n';
const SECOND = 'CREATE TABLE second (n int);\n';

async function failureOf(databaseUrl: string, migrationsDir: URL): Promise<string> {
  const error = await openTestStorage({ databaseUrl, migrationsDir }).catch((e: unknown) => e);
  expect(error).toMatchObject({ name: 'StartFailure' });
  return error instanceof Error ? error.message : '';
}

it('applies each migration once, in order, and reports each', async () => {
  const databaseUrl = await emptyDatabase();
  const migrationsDir = await temporaryMigrations({ '0001-first.sql': FIRST });
  const progress: string[] = [];
  const onProgress = (text: string) => progress.push(text);
  await openTestStorage({ databaseUrl, migrationsDir, onProgress });
  await writeFile(new URL('0002-second.sql', migrationsDir), SECOND);
  const clock = { now: () => 1_794_712_461_123, elapsed: () => 0 };
  const storage = await openTestStorage({ databaseUrl, migrationsDir, onProgress, clock });
  expect(progress).toEqual([
    'Migrating the database: 0001-first.sql',
    'Migrating the database: 0002-second.sql',
  ]);
  expect(await storage.query('SELECT n FROM first')).toEqual([{ n: 1 }]);
  expect(
    await storage.query(
      'SELECT version, file, applied_at FROM schema_migrations WHERE version = 2',
    ),
  ).toEqual([{ version: 2, file: '0002-second.sql', applied_at: clock.now() }]);
});

it('refuses a database to which an edited, renamed, missing or later migration was applied', async () => {
  const databaseUrl = await emptyDatabase();
  const migrationsDir = await temporaryMigrations({
    '0001-first.sql': FIRST,
    '0002-second.sql': SECOND,
  });
  await openTestStorage({ databaseUrl, migrationsDir });

  const crlf = await temporaryMigrations({
    '0001-first.sql': FIRST.replaceAll('\n', '\r\n'),
    '0002-second.sql': SECOND,
  });
  await openTestStorage({ databaseUrl, migrationsDir: crlf });

  const edited = { '0001-first.sql': `${FIRST}-- edited`, '0002-second.sql': SECOND };
  expect(await failureOf(databaseUrl, await temporaryMigrations(edited))).toMatch(
    /^The migration 0001-first\.sql was changed after it had been applied/,
  );
  const renamed = { '0001-other.sql': FIRST, '0002-second.sql': SECOND };
  expect(await failureOf(databaseUrl, await temporaryMigrations(renamed))).toMatch(
    /^The migration 0001-first\.sql was changed .*0001-other\.sql/,
  );
  expect(
    await failureOf(databaseUrl, await temporaryMigrations({ '0002-second.sql': SECOND })),
  ).toMatch(/^The migration 0002-second\.sql is misnamed or out of order/);
  await rm(new URL('0002-second.sql', migrationsDir));
  expect(await failureOf(databaseUrl, migrationsDir)).toBe(
    'The database is at version 2 (0002-second.sql) and this build knows versions up to 1 only: run the newer build, or restore the backup from before the upgrade.',
  );
});

it('refuses a database that lacks an earlier migration than its last', async () => {
  const databaseUrl = await emptyDatabase();
  const migrationsDir = await temporaryMigrations({
    '0001-first.sql': FIRST,
    '0002-second.sql': SECOND,
  });
  const storage = await openTestStorage({ databaseUrl, migrationsDir });
  await storage.query('DELETE FROM schema_migrations WHERE version = 1');
  expect(await failureOf(databaseUrl, migrationsDir)).toBe(
    'The migration 0001-first.sql was never applied to this database, though later ones were.',
  );
});

it('refuses misnamed files and two of one number', async () => {
  const databaseUrl = await emptyDatabase();
  const misnamed = await temporaryMigrations({ 'first.sql': FIRST });
  expect(await failureOf(databaseUrl, misnamed)).toMatch(/first\.sql is misnamed/);
  const twice = await temporaryMigrations({ '0001-a.sql': FIRST, '0001-b.sql': SECOND });
  expect(await failureOf(databaseUrl, twice)).toMatch(/0001-b\.sql is misnamed or out of order/);
});

it('leaves the version before when a migration fails half-way, and names it', async () => {
  const databaseUrl = await emptyDatabase();
  const broken = `${SECOND} SELECT 1/0;`;
  const migrationsDir = await temporaryMigrations({
    '0001-first.sql': FIRST,
    '0002-second.sql': broken,
  });
  expect(await failureOf(databaseUrl, migrationsDir)).toBe(
    'The migration 0002-second.sql failed: division by zero.',
  );
  await writeFile(new URL('0002-second.sql', migrationsDir), SECOND);
  const storage = await openTestStorage({ databaseUrl, migrationsDir });
  expect(await storage.query('SELECT * FROM second')).toEqual([]);
});

it('refuses a migration that ends its own transaction', async () => {
  const databaseUrl = await emptyDatabase();
  const migrationsDir = await temporaryMigrations({ '0001-first.sql': `${FIRST} COMMIT;` });
  expect(await failureOf(databaseUrl, migrationsDir)).toBe(
    'The migration 0001-first.sql failed: it ends the transaction that it runs in.',
  );
});

it('migrates once when several servers start at the same moment', async () => {
  const databaseUrl = await emptyDatabase();
  const migrationsDir = await temporaryMigrations({
    '0001-first.sql': `${FIRST} SELECT pg_sleep(0.3);`,
    '0002-second.sql': SECOND,
  });
  const progress: string[] = [];
  const onProgress = (text: string) => progress.push(text);
  const storages = await Promise.all(
    [1, 2, 3].map(() => openTestStorage({ databaseUrl, migrationsDir, onProgress })),
  );
  expect(progress.length).toBe(2);
  for (const storage of storages) {
    expect(await storage.query('SELECT n FROM first')).toEqual([{ n: 1 }]);
  }
});

it('leaves the version before when the server is killed in the middle of a migration', async () => {
  const databaseUrl = await emptyDatabase();
  const migrationsDir = await temporaryMigrations({
    '0001-first.sql': FIRST,
    '0002-second.sql': `${SECOND} SELECT pg_sleep(600);`,
  });
  const server = spawnStorage('hold', { databaseUrl, dataDir: '/nonexistent', migrationsDir });
  await server.line('progress Migrating the database: 0002');
  const observer = new pg.Client({ connectionString: databaseUrl });
  await observer.connect();
  const isInside = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND wait_event = 'PgSleep'`;
  await expect.poll(async () => (await observer.query(isInside)).rows.length).toBe(1);
  await server.kill();
  expect((await observer.query('SELECT version FROM schema_migrations')).rows).toEqual([
    { version: 1 },
  ]);
  await observer.end();
  // The statement ends when PostgreSQL sees that its client is gone; the lock goes with it.
  await writeFile(new URL('0002-second.sql', migrationsDir), SECOND);
  const storage = await openTestStorage({ databaseUrl, migrationsDir });
  expect(await storage.query('SELECT * FROM second')).toEqual([]);
});
