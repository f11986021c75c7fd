import pg from 'pg';
import { SUPERUSER } from './cluster.ts';
import type { Endpoint } from './endpoint.ts';
import { ensureServerDatabase, handOver, SERVER_ROLE, serverPassword } from './server-role.ts';
import { OWNER_SETTING, type Owner, parseOwner } from './settings.ts';

/** Held by a running server in the database `postgres` for as long as it lives. */
const SERVER_LOCK = 5_120_776_341;
const CONNECT_LIMIT_MS = 5_000;
const STATEMENT_LIMIT_MS = 30_000;

/** The superuser's way in. */
export function clientConfig(
  { host, port }: Endpoint,
  password: string,
  database: string,
): pg.ClientConfig {
  return { host, port, user: SUPERUSER, password, database, ssl: false };
}

/** The server's own way in. */
export function serverConfig(
  { host, port }: Endpoint,
  password: string,
  database: string,
): pg.ClientConfig {
  const user = SERVER_ROLE;
  return { host, port, user, password: serverPassword(password), database, ssl: false };
}

/** One connection of the supervisor itself. */
export interface Session {
  /** Resolves when the connection is gone, for whatever reason. */
  readonly ended: Promise<void>;
  /** True when this session holds the lock of the data directory from now on. */
  takeLock(): Promise<boolean>;
  isLockTaken(): Promise<boolean>;
  /** Null for a PostgreSQL that was started by other hands. */
  owner(): Promise<Owner | null>;
  /** The database is there, and belongs to the server's role. */
  ensureDatabase(name: string): Promise<void>;
  end(): Promise<void>;
}

export async function openSession(endpoint: Endpoint, password: string): Promise<Session> {
  const client = new pg.Client({
    ...clientConfig(endpoint, password, 'postgres'),
    application_name: 'fieldwatch supervisor',
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    query_timeout: STATEMENT_LIMIT_MS,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  await client.connect();

  async function isTrue(sql: string, params: unknown[]): Promise<boolean> {
    const { rows } = await client.query<{ answer: boolean }>(sql, params);
    return rows[0]?.answer === true;
  }

  return {
    ended,
    takeLock: () => isTrue('SELECT pg_try_advisory_lock($1) AS answer', [SERVER_LOCK]),
    isLockTaken: () =>
      isTrue(
        `SELECT EXISTS (
           SELECT FROM pg_locks
           WHERE locktype = 'advisory' AND granted AND objsubid = 1
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
             AND (classid::int8 << 32 | objid::int8) = $1
         ) AS answer`,
        [SERVER_LOCK],
      ),
    async owner() {
      const { rows } = await client.query<{ owner: string | null }>(
        'SELECT current_setting($1, true) AS owner',
        [OWNER_SETTING],
      );
      return parseOwner(rows[0]?.owner);
    },
    async ensureDatabase(name) {
      await ensureServerDatabase(client, name, password);
      await handOver(clientConfig(endpoint, password, name));
    },
    async end() {
      await client.end();
    },
  };
}
