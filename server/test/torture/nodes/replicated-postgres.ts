import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../support/ports.ts';
import { startGateway } from '../gateway.ts';
import type { Engine } from './database.ts';

const USER = 'postgres';
const DATABASE = 'fieldwatch';
const ROLE = 'fieldwatch_server';
const START_LIMIT_MS = 60_000;

/** PostgreSQL does not run as root: the user of the system's own does it then. */
function runAs(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, USER], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** One server of a replicated pair, on the loopback interface. */
class Server {
  readonly port: number;
  readonly directory: string;
  readonly #bin: string;
  #child: ChildProcess | undefined;
  #isWanted = false;

  constructor(bin: string, directory: string, port: number) {
    this.#bin = bin;
    this.directory = directory;
    this.port = port;
  }

  run(program: string, ...args: readonly string[]): void {
    execFileSync(join(this.#bin, program), args, { ...runAs(), stdio: 'ignore', cwd: tmpdir() });
  }

  /** Runs it, and starts it again when it was killed. Resolves when it answers. */
  async start(): Promise<void> {
    this.#isWanted = true;
    this.#spawn();
    const end = Date.now() + START_LIMIT_MS;
    for (;;) {
      try {
        await this.execute('select 1');
        return;
      } catch (error) {
        if (Date.now() > end) throw error;
        await sleep(100);
      }
    }
  }

  #spawn(): void {
    const settings = {
      ...{ port: this.port, listen_addresses: '127.0.0.1', unix_socket_directories: '' },
      ...{ max_connections: 100, wal_keep_size: '256MB', hot_standby: 'on' },
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.#child = spawn(join(this.#bin, 'postgres'), ['-D', this.directory, ...args], {
      ...{ ...runAs(), stdio: 'ignore', cwd: tmpdir() },
    });
    this.#child.once('exit', () => {
      if (this.#isWanted) setTimeout(() => this.#isWanted && this.#spawn(), 200);
    });
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  /** For good: it is not started again. */
  async end(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    this.#isWanted = false;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /** Statements of the superuser, each on its own, also while writes are refused. */
  async execute(...statements: readonly string[]): Promise<void> {
    const { port } = this;
    const client = new pg.Client({ host: '127.0.0.1', port, user: USER, database: 'postgres' });
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query('set default_transaction_read_only = off');
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }
}

async function makeServer(bin: string): Promise<Server> {
  const directory = mkdtempSync(join(tmpdir(), 'fieldwatch-postgres-'));
  const { uid, gid } = runAs();
  if (uid !== undefined && gid !== undefined) chownSync(directory, uid, gid);
  return new Server(bin, directory, await freePort());
}

/**
 * A primary with a synchronous streaming standby, behind one address. `bin` is the directory with
 * PostgreSQL's programs.
 */
export async function startReplicatedPostgres(bin: string): Promise<Engine> {
  const [first, standby] = [await makeServer(bin), await makeServer(bin)];
  let primary = first;
  const gateway = await startGateway({ target: () => primary.port });
  const stop = async () => {
    await Promise.all([first.end('SIGINT'), standby.end('SIGINT')]);
    await gateway.stop();
    for (const { directory } of [first, standby]) rmSync(directory, { recursive: true });
  };
  try {
    first.run('initdb', '-D', first.directory, '-U', USER, '--auth=trust', '-E', 'UTF8');
    await first.start();
    await first.execute(`create role ${ROLE} login`, `create database ${DATABASE} owner ${ROLE}`);
    const source = ['-h', '127.0.0.1', '-p', String(first.port), '-U', USER];
    standby.run(
      'pg_basebackup',
      ...source,
      '-D',
      standby.directory,
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
    );
    await standby.start();
    await first.execute(
      `alter system set synchronous_standby_names = '*'`,
      'select pg_reload_conf()',
    );
  } catch (error) {
    await stop();
    throw error;
  }
  const address = { host: '127.0.0.1', port: gateway.port };
  return {
    url: `postgresql://${ROLE}@${address.host}:${address.port}/${DATABASE}`,
    admin: { ...address, user: USER, database: DATABASE },
    kill: () => primary.kill(),
    setReadOnly: (value) =>
      primary.execute(
        `alter system set default_transaction_read_only = ${value}`,
        'select pg_reload_conf()',
      ),
    async promote() {
      await first.end('SIGKILL');
      await standby.execute('select pg_promote()');
      primary = standby;
    },
    stop,
  };
}
