import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { createLog, systemClock } from '../../src/runtime/index.ts';
import { openStorage, type StorageOptions, startEmbedded } from '../../src/storage/index.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL for the whole run; its database `template` has the project's migrations. */
    postgresUrl: string;
    /** A directory that is deleted at the end of the run, also with what a worker left in it. */
    runDir: string;
  }
}

const TEMPLATE = 'template';

const MEMORY = '/dev/shm';
const MIN_FREE_MEMORY_BYTES = 4 * 1024 ** 3;

function urlOf({ host, port, user, password }: pg.ClientConfig, database: string): string {
  const query = new URLSearchParams({ host: String(host), port: String(port) });
  return `postgresql://${user}:${password}@localhost/${database}?${query}`;
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // A connection that is lost fails its next statement, and must not end the process before.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function execute(url: string, sql: string): Promise<void> {
  const client = await connected(url);
  await client.query(sql).finally(() => client.end());
}

/**
 * In memory where there is enough of it: no test that shares this PostgreSQL loses its power, and
 * each database that is made or dropped waits for the disk.
 */
export async function parentDirectory(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => null);
  const isEnough = memory !== null && memory.bavail * memory.bsize >= MIN_FREE_MEMORY_BYTES;
  return isEnough ? MEMORY : tmpdir();
}

/**
 * A server opens a dozen connections, and each hashes the password as often as it says here. Each
 * database that is made is a checkpoint, after which the log has whole pages: they stay in memory, where
 * compressing them costs more than it saves.
 */
async function makeCheap({ user, password }: pg.ClientConfig, url: string): Promise<void> {
  await execute(
    url,
    `SET scram_iterations = 1;
     ALTER ROLE ${user} PASSWORD '${password}';
     ALTER ROLE ${user} SET wal_compression = off`,
  );
}

/** Makes the database that every test database is a copy of. */
async function makeTemplate(target: pg.ClientConfig, options: StorageOptions): Promise<void> {
  await execute(urlOf(target, 'postgres'), `CREATE DATABASE ${TEMPLATE}`);
  const storage = await openStorage({ ...options, databaseUrl: urlOf(target, TEMPLATE) });
  await storage.stop();
}

/** A run that a test starts uses the PostgreSQL of that test's run. */
export const POSTGRES_SETTING = 'FIELDWATCH_TEST_POSTGRES_URL';

/** Once per run: one PostgreSQL, in it a database to copy, and a directory. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env[POSTGRES_SETTING];
  const stop = given === undefined ? await startPostgres(project) : async () => undefined;
  if (given !== undefined) project.provide('postgresUrl', given);
  const runDir = await mkdtemp(join(tmpdir(), 'fieldwatch-run-'));
  project.provide('runDir', runDir);
  return async () => {
    await stop();
    await rm(runDir, { recursive: true, force: true });
  };
}

async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(await parentDirectory(), 'fieldwatch-test-'));
  // So that another user, as whom PostgreSQL runs when we are root, can pass.
  await chmod(dataDir, 0o711);
  const options: StorageOptions = {
    databaseUrl: null,
    dataDir,
    postgresBin: null,
    log: createLog('warn'),
    clock: systemClock,
    onProgress: () => undefined,
  };
  const stops: (() => Promise<void>)[] = [];
  const teardown = async () => {
    for (const stop of stops) await stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    // With connections for four tests that start three servers each.
    const postgres = await startEmbedded({ ...options, processes: 12 });
    stops.push(() => postgres.stop());
    const superuser = postgres.superuserTarget();
    const url = urlOf(superuser, 'postgres');
    await makeCheap(superuser, url);
    await makeTemplate(superuser, options);
    project.provide('postgresUrl', url);
  } catch (error) {
    await teardown();
    throw error;
  }
  return teardown;
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A fresh database with the project's migrations, of this caller alone. */
export function createTestDatabase(): Promise<TestDatabase> {
  // Copying files takes a fraction of what logging every page of them takes.
  return createDatabase(`TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
}

/** A database without tables, in an encoding other than that of the rest. */
export function createEmptyDatabase(encoding: string): Promise<TestDatabase> {
  return createDatabase(`ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`);
}

/** One for all tests of a worker, which ends with its process. */
let administration: Promise<pg.Client> | undefined;

async function administer(sql: string): Promise<void> {
  administration ??= connected(inject('postgresUrl'));
  await (await administration).query(sql);
}

async function createDatabase(options: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`CREATE DATABASE ${name} ${options}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`DROP DATABASE ${name} WITH (FORCE)`) };
}
