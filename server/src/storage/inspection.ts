import pg from 'pg';
import { type Clock, StartFailure } from '../runtime/index.ts';
import { certainDeviation } from './clock-check/index.ts';
import { type SecretOptions, secretRefusal } from './installation.ts';
import { type Applied, pendingMigrations, readMigrations } from './migrate.ts';
import { MIGRATIONS } from './open.ts';
import { connectionDefaults, type Target } from './pool.ts';
import { run, sql } from './sql.ts';
import type { Queries } from './storage.ts';

/** What a database says of itself, read without changing it. */
export interface DatabaseFacts {
  /** As PostgreSQL writes it: 18.4. */
  readonly version: string;
  /** As PostgreSQL names it: UTF8. */
  readonly encoding: string;
  /** How far the clock of this machine is certainly ahead; negative when it is behind. */
  readonly deviationMs: number;
  /** The newest applied migration; null for an empty database. */
  readonly migration: number | null;
  readonly pendingMigrations: number;
  /** Why this build cannot use the database; null when it can. */
  readonly migrationProblem: string | null;
  /** Why a server would not start with its key; null when key and database fit. */
  readonly secretProblem: string | null;
}

/** Runs work on one connection. */
export async function withQueries<T>(
  target: Target,
  work: (db: Queries) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connectionDefaults, ...target() });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work({
      async query<Row extends object>(text: string, params: readonly unknown[] = []) {
        return (await client.query<Row>(text, [...params])).rows;
      },
    });
  } finally {
    await client.end();
  }
}

/** Whether a server has ever started with this database. */
export async function hasSchema(db: Queries): Promise<boolean> {
  const [row] = await run<{ isMigrated: boolean }>(
    db,
    sql`select to_regclass('schema_migrations') is not null as "isMigrated"`,
  );
  return row?.isMigrated ?? false;
}

export async function inspectDatabase(
  db: Queries,
  { clock, secret }: { readonly clock: Clock; readonly secret: SecretOptions },
): Promise<DatabaseFacts> {
  const askedAt = clock.now();
  const [row] = await run<{ version: string; encoding: string; now: number; isMigrated: boolean }>(
    db,
    sql`select current_setting('server_version') as version,
          current_setting('server_encoding') as encoding, clock_timestamp() as now,
          to_regclass('schema_migrations') is not null as "isMigrated"`,
  );
  if (!row) throw new Error('the database returned no version');
  const deviationMs = certainDeviation(row.now, askedAt, clock.now());
  const applied = row.isMigrated ? await listApplied(db) : [];
  const { pending, problem } = await comparedMigrations(applied);
  const isEmpty = applied.length === 0;
  return {
    version: row.version.split(' ')[0] ?? row.version,
    encoding: row.encoding,
    deviationMs,
    migration: applied.at(-1)?.version ?? null,
    pendingMigrations: pending,
    migrationProblem: problem,
    secretProblem: problem === null ? await secretProblemOf(db, { ...secret, isEmpty }) : null,
  };
}

function listApplied(db: Queries): Promise<Applied[]> {
  return run<Applied>(
    db,
    sql`select version, file, sha256 from schema_migrations order by version`,
  );
}

async function comparedMigrations(applied: readonly Applied[]) {
  try {
    const pending = pendingMigrations(readMigrations(MIGRATIONS), applied);
    return { pending: pending.length, problem: null };
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    return { pending: 0, problem: error.message };
  }
}

async function secretProblemOf(
  db: Queries,
  options: Parameters<typeof secretRefusal>[1],
): Promise<string | null> {
  try {
    return await secretRefusal(db, options);
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    return error.message;
  }
}
