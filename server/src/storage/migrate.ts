import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { type Clock, isoDateTime, StartFailure } from '../runtime/index.ts';
import { connectionDefaults, type Target } from './pool.ts';

export interface Migration {
  readonly version: number;
  readonly file: string;
  readonly sql: string;
  readonly sha256: string;
}

export interface Applied {
  readonly version: number;
  readonly file: string;
  readonly sha256: string;
}

interface MigrateOptions {
  readonly target: Target;
  readonly directory: URL;
  readonly clock: Clock;
  readonly onProgress: (text: string) => void;
  /** The version to stop at, for a backup of that version; all without it. */
  readonly upTo?: number;
}

const FILE = /^(\d{4})-[a-z0-9-]+\.sql$/;
/** Any constant will do that no other program takes for a lock in this database. */
const LOCK = 7_114_823_905;
const LOCK_WAIT_LIMIT = '10min';
/** In another encoding PostgreSQL compares, searches and measures bytes, or refuses characters. */
export const ENCODING = 'UTF8';

/**
 * The migrations of this build, in order: 0001, 0002, … without a gap. Read synchronously, as a part of
 * a start: that takes a tenth of the time for so many small files.
 */
export function readMigrations(directory: URL): readonly Migration[] {
  const files = readdirSync(directory).filter((file) => file.endsWith('.sql'));
  return files.sort().map((file, index) => {
    const version = Number(FILE.exec(file)?.[1]);
    if (version !== index + 1) {
      throw new StartFailure(
        `The migration ${file} is misnamed or out of order: expected ${String(index + 1).padStart(4, '0')}-name.sql.`,
      );
    }
    // A checkout with other line ends is still the same migration.
    const sql = readFileSync(new URL(file, directory), 'utf8').replaceAll('\r\n', '\n');
    return { version, file, sql, sha256: createHash('sha256').update(sql).digest('hex') };
  });
}

/** What is left to apply; refuses a database whose past is not the past of this build. */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly Applied[],
): readonly Migration[] {
  const appliedByVersion = new Map(applied.map((entry) => [entry.version, entry]));
  const newest = Math.max(0, ...appliedByVersion.keys());
  if (newest > known.length) {
    throw new StartFailure(
      `The database is at version ${newest} (${appliedByVersion.get(newest)?.file}) and this build knows versions up to ${known.length} only: run the newer build, or restore the backup from before the upgrade.`,
    );
  }
  for (const { version, file, sha256 } of known) {
    const entry = appliedByVersion.get(version);
    if (!entry && version < newest) {
      throw new StartFailure(
        `The migration ${file} was never applied to this database, though later ones were.`,
      );
    }
    if (entry && (entry.file !== file || entry.sha256 !== sha256)) {
      throw new StartFailure(
        `The migration ${entry.file} was changed after it had been applied to this database (now ${file}): restore it and put the change into a new migration.`,
      );
    }
  }
  return known.slice(newest);
}

async function apply(client: pg.Client, migration: Migration, appliedAt: string): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(migration.sql);
    if (client.getTransactionStatus() !== 'T') {
      throw new Error('it ends the transaction that it runs in');
    }
    await client.query(
      'INSERT INTO schema_migrations (version, file, sha256, applied_at) VALUES ($1, $2, $3, $4)',
      [migration.version, migration.file, migration.sha256, appliedAt],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartFailure(`The migration ${migration.file} failed: ${reason}.`, { cause: error });
  }
}

export async function readApplied(client: pg.Client): Promise<readonly Applied[]> {
  const { rows } = await client.query<Applied>(
    'SELECT version, file, sha256 FROM schema_migrations ORDER BY version',
  );
  return rows;
}

/** The encoding of the database. Any other than UTF8 is refused while the database is empty. */
async function readEncoding(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string; encoding: string; isNew: boolean }>(
    `SELECT current_database() AS name, current_setting('server_encoding') AS encoding,
       to_regclass('schema_migrations') IS NULL AS "isNew"`,
  );
  const { name = '', encoding = ENCODING, isNew = false } = rows[0] ?? {};
  if (!isNew || encoding === ENCODING) return encoding;
  throw new StartFailure(
    `DATABASE_URL: the database ${name} has the encoding ${encoding}, and ${ENCODING} is needed: create it with ENCODING '${ENCODING}' TEMPLATE template0.`,
  );
}

async function migrateLocked(client: pg.Client, options: MigrateOptions): Promise<void> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       version integer PRIMARY KEY,
       file text NOT NULL,
       sha256 text NOT NULL,
       applied_at timestamptz NOT NULL
     )`,
  );
  const known = readMigrations(options.directory);
  const rows = await readApplied(client);
  for (const migration of pendingMigrations(known.slice(0, options.upTo), rows)) {
    options.onProgress(`Migrating the database: ${migration.file}`);
    await apply(client, migration, isoDateTime(options.clock.now()));
  }
}

/**
 * Brings the database to this build's version, and returns its encoding. Of servers that start at once,
 * one does it.
 */
export async function migrate(options: MigrateOptions): Promise<string> {
  const client = new pg.Client({ ...connectionDefaults, ...options.target() });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`SET lock_timeout = '${LOCK_WAIT_LIMIT}'`);
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query('RESET lock_timeout');
    const encoding = await readEncoding(client);
    await migrateLocked(client, options);
    return encoding;
  } finally {
    await client.end();
  }
}
