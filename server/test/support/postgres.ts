import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { createLog, systemClock } from '../../src/runtime/index.ts';
import { openStorage, startEmbedded } from '../../src/storage/index.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL for the whole run; its database `template` has the project's migrations. */
    postgresUrl: string;
  }
}

const TEMPLATE = 'template';

function urlOf({ host, port, user, password }: pg.ClientConfig, database: string): string {
  const query = new URLSearchParams({ host: String(host), port: String(port) });
  return `postgresql://${user}:${password}@localhost/${database}?${query}`;
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Once per run: one PostgreSQL, and in it a database to copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldwatch-test-'));
  // So that another user, as whom PostgreSQL runs when we are root, can pass.
  await chmod(dataDir, 0o711);
  const log = createLog('warn');
  const postgres = await startEmbedded({
    dataDir,
    postgresBin: null,
    log,
    onProgress: () => undefined,
  });
  const adminUrl = urlOf(postgres.target(), 'postgres');
  await execute(adminUrl, `CREATE DATABASE ${TEMPLATE}`);
  const storage = await openStorage({
    databaseUrl: urlOf(postgres.target(), TEMPLATE),
    dataDir,
    postgresBin: null,
    log,
    clock: systemClock,
    onProgress: () => undefined,
  });
  await storage.stop();
  project.provide('postgresUrl', adminUrl);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** A fresh database with the project's migrations, of this caller alone. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const adminUrl = inject('postgresUrl');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await execute(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`) };
}
