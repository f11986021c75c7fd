import pg from 'pg';
import { createDataDir } from '../../support/data-dir.ts';
import { createStorageControl } from '../storage-control.ts';
import { startReplicatedPostgres } from './replicated-postgres.ts';

/** A PostgreSQL, and the ways to it. */
export interface Engine {
  readonly url: string;
  /** A superuser's way to the database of the nodes. */
  readonly admin: pg.ClientConfig;
  kill(): void;
  setReadOnly(value: 'on' | 'off'): Promise<void>;
  promote?(): Promise<void>;
  stop(): Promise<void>;
}

/** The PostgreSQL that all nodes share, and what is done to it. */
export interface Database {
  readonly url: string;
  /** Rows of a statement of the harness, outside of what is done to the nodes' sessions. */
  query<Row extends pg.QueryResultRow>(text: string, params?: readonly unknown[]): Promise<Row[]>;
  /** Kills it; it is started again at once. */
  kill(): void;
  /** Refuses writes and ends all sessions, as a primary does that becomes a standby. */
  refuseWrites(): Promise<void>;
  allowWrites(): Promise<void>;
  /** Cancels every statement of the nodes that is running, as a statement timeout does. */
  cancelStatements(): Promise<void>;
  /** Kills the primary and makes its standby the new one; null where there is none. */
  readonly promote: (() => Promise<void>) | null;
  /** Locks the journal against everyone, until the answer is called. */
  lockJournal(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

const HARNESS = 'torture';
const RETRIES = 400;
const RETRY_MS = 50;

const SESSIONS = `from pg_stat_activity
  where datname = current_database() and application_name <> '${HARNESS}'
    and backend_type = 'client backend'`;

/** The PostgreSQL of this project, without a standby. */
async function startEmbeddedEngine(): Promise<Engine> {
  // Most runs have one server, which brings its own, and need not load these.
  const { createLog } = await import('../../../src/runtime/index.ts');
  const { startEmbedded } = await import('../../../src/storage/index.ts');
  const directory = createDataDir();
  const postgres = await startEmbedded({
    ...{ dataDir: directory.path, postgresBin: null, log: createLog('silent') },
    onProgress: () => undefined,
  });
  const { host, port, user, password, database } = postgres.target();
  const address = new URLSearchParams({ host: String(host), port: String(port) });
  const control = createStorageControl(directory.path);
  return {
    url: `postgresql://${user}:${password}@localhost/${database}?${address}`,
    admin: postgres.superuserTarget(),
    kill: () => control.kill(),
    setReadOnly: (value) => (value === 'on' ? control.refuseWrites() : control.allowWrites()),
    async stop() {
      await postgres.stop();
      directory.remove();
    },
  };
}

/** `standbyBin` is the directory of the programs of a PostgreSQL that is to have a standby. */
export async function startDatabase(standbyBin: string | null): Promise<Database> {
  const engine = await (standbyBin === null
    ? startEmbeddedEngine()
    : startReplicatedPostgres(standbyBin));
  const pool = new pg.Pool({ ...engine.admin, application_name: HARNESS, max: 4 });
  pool.on('error', () => undefined);

  async function query<Row extends pg.QueryResultRow>(
    text: string,
    params: readonly unknown[] = [],
  ): Promise<Row[]> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return (await pool.query<Row>(text, [...params])).rows;
      } catch (error) {
        if (attempt === RETRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  return {
    ...{ url: engine.url, query, kill: engine.kill, promote: engine.promote ?? null },
    async refuseWrites() {
      await engine.setReadOnly('on');
      await query(`select pg_terminate_backend(pid) ${SESSIONS}`);
    },
    allowWrites: () => engine.setReadOnly('off'),
    async cancelStatements() {
      await query(`select pg_cancel_backend(pid) ${SESSIONS} and state = 'active'`);
    },
    async lockJournal() {
      const client = await pool.connect();
      await client.query('begin');
      await client.query('lock table journal in access exclusive mode');
      return async () => {
        await client.query('rollback').finally(() => client.release());
      };
    },
    async stop() {
      await pool.end();
      await engine.stop();
    },
  };
}
