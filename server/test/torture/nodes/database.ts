import pg from 'pg';
import { createLog } from '../../../src/runtime/index.ts';
import { startEmbedded } from '../../../src/storage/index.ts';
import { createDataDir } from '../../support/data-dir.ts';
import { createStorageControl } from '../storage-control.ts';

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
  /** Locks the journal against everyone, until the answer is called. */
  lockJournal(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

const HARNESS = 'torture';
const RETRIES = 200;

const SESSIONS = `from pg_stat_activity
  where datname = current_database() and application_name <> '${HARNESS}'
    and backend_type = 'client backend'`;

export async function startDatabase(): Promise<Database> {
  const directory = createDataDir();
  const postgres = await startEmbedded({
    ...{ dataDir: directory.path, postgresBin: null, log: createLog('silent') },
    onProgress: () => undefined,
  });
  const { host, port, user, password, database } = postgres.target();
  const address = new URLSearchParams({ host: String(host), port: String(port) });
  const control = createStorageControl(directory.path);
  const pool = new pg.Pool({
    ...{ ...postgres.superuserTarget(), application_name: HARNESS, max: 4 },
  });
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
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  return {
    url: `postgresql://${user}:${password}@localhost/${database}?${address}`,
    query,
    kill: () => control.kill(),
    async refuseWrites() {
      await control.refuseWrites();
      await query(`select pg_terminate_backend(pid) ${SESSIONS}`);
    },
    allowWrites: () => control.allowWrites(),
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
      await postgres.stop();
      directory.remove();
    },
  };
}
