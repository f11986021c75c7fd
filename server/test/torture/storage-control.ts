import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** The first process of the server's PostgreSQL; null when none runs. */
export function postmasterPid(dataDir: string): number | null {
  try {
    const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    // A killed PostgreSQL leaves the file behind, and its number may be another program's by now.
    const args = execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
    return args.includes(dataDir) ? pid : null;
  } catch {
    return null;
  }
}

/** PostgreSQL and every process that it started. */
function postgresPids(dataDir: string): number[] {
  const postmaster = postmasterPid(dataDir);
  if (postmaster === null) return [];
  const children = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, parent]) => (parent === postmaster ? [pid] : []));
  return [postmaster, ...children];
}

const CANNOT_CONNECT_NOW = '57P03';
const START_LIMIT_MS = 60_000;

/**
 * Waits for a PostgreSQL that is starting: after it was killed, the connections of the server may
 * serve for a moment longer, so that the server answers before a new one accepts connections.
 */
async function connected(config: pg.ClientConfig): Promise<pg.Client> {
  for (const deadline = Date.now() + START_LIMIT_MS; ; await sleep(100)) {
    const client = new pg.Client(config);
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      const isStarting = error instanceof pg.DatabaseError && error.code === CANNOT_CONNECT_NOW;
      if (!isStarting || Date.now() > deadline) throw error;
    }
  }
}

const LEFT_OPEN = `select distinct alarm_id as id
  from alarm_events open left join alarm_watches watch using (organization_id, alarm_id)
  where open.cleared_at is null
    and coalesce(watch.phase, 'CLEAR') not in ('TRIGGERED', 'CLEARING')`;

/** Each with the place and the transaction of its row, which show more where an index is damaged. */
const STORED = `select jsonb_build_object('alarm', wanted.id,
    'watch', (select jsonb_agg(to_jsonb(watch) || jsonb_build_object('row', watch.xmin::text))
      from alarm_watches watch where watch.alarm_id = wanted.id),
    'events', (select jsonb_agg(jsonb_build_object('id', id, 'raised', raised_at,
        'cleared', cleared_at, 'revision', revision, 'row', ctid::text || ' ' || xmin::text)
        order by raised_at) from alarm_events where alarm_id = wanted.id),
    'log', (select jsonb_agg(jsonb_build_object('event', event_id, 'kind', kind, 'at', entry.at,
        'recorded', recorded_at, 'row', entry.xmin::text) order by number)
      from alarm_event_log entry where event_id in
        (select id from alarm_events where alarm_id = wanted.id)))::text as text
  from unnest($1::uuid[]) as wanted (id)`;

/** What is done to the PostgreSQL of a server from outside. */
export function createStorageControl(dataDir: string) {
  const socket = join(dataDir, 'postgres', '.s.PGSQL.5432');

  async function administer<T>(
    work: (client: pg.Client) => Promise<T>,
    database = 'postgres',
  ): Promise<T> {
    const password = await readFile(join(dataDir, 'postgres.password'), 'utf8');
    const host = join(dataDir, 'postgres');
    const user = 'fieldwatch';
    const client = await connected({ host, port: 5432, user, password, database });
    await client.query('set default_transaction_read_only = off');
    return await work(client).finally(() => client.end());
  }

  const setReadOnly = (value: 'on' | 'off') =>
    administer(async (client) => {
      await client.query(`alter system set default_transaction_read_only = ${value}`);
      await client.query('select pg_reload_conf()');
    });

  return {
    kill(): void {
      const pid = postmasterPid(dataDir);
      if (pid !== null) process.kill(pid, 'SIGKILL');
    },
    /** Returns the processes that were stopped. */
    halt(): readonly number[] {
      const pids = postgresPids(dataDir);
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      return pids;
    },
    resume(pids: readonly number[]): void {
      for (const pid of pids) {
        try {
          process.kill(pid, 'SIGCONT');
        } catch {
          // It has ended.
        }
      }
    },
    /** Ends every connection, and lets nobody open another. */
    async disconnect(): Promise<void> {
      await administer(async (client) => {
        renameSync(socket, `${socket}.away`);
        await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where pid <> pg_backend_pid() and backend_type = 'client backend'`,
        );
      });
    },
    reconnect: () => renameSync(`${socket}.away`, socket),
    /** The Alarms that are clear and have an open event. */
    leftOpenAlarms: () =>
      administer(async (client) => {
        const { rows } = await client.query<{ id: string }>(LEFT_OPEN);
        return rows.map(({ id }) => id);
      }, 'fieldwatch'),
    /** All that is stored of each of these Alarms, as text. */
    storedOf: (alarmIds: readonly string[]) =>
      administer(async (client) => {
        const { rows } = await client.query<{ text: string }>(STORED, [alarmIds]);
        return rows.map(({ text }) => text);
      }, 'fieldwatch'),
    refuseWrites: () => setReadOnly('on'),
    allowWrites: () => setReadOnly('off'),
  };
}

export type StorageControl = ReturnType<typeof createStorageControl>;
