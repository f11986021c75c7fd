import pg from 'pg';
import { expect } from 'vitest';
import { rowsIn } from './database.ts';

/** Runs work while no other transaction can read or write the table. */
export async function whileLocked<T>(
  databaseUrl: string,
  table: string,
  work: () => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(`lock table ${pg.escapeIdentifier(table)} in access exclusive mode`);
    return await work();
  } finally {
    await client.end();
  }
}

/** Those of this database: the databases of other tests have tables with the same ids. */
export const OWN_LOCKS = `from pg_locks
  where database = (select oid from pg_database where datname = current_database())`;

/** Resolves once this many statements wait for a lock. */
export async function waitForBlocked(databaseUrl: string, count: number): Promise<void> {
  const blocked = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await rowsIn(databaseUrl, blocked)).length).toBe(count);
}

/** How many statements wait for a lock of the table. */
export async function blockedBy(databaseUrl: string, table: string): Promise<number> {
  const blocked = `select ${OWN_LOCKS} and not granted and relation = $1::regclass`;
  return (await rowsIn(databaseUrl, blocked, [table])).length;
}
