import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Log } from '../../runtime/index.ts';
import { type Binaries, programIn } from './binaries.ts';
import type { Cluster } from './cluster.ts';
import { spawnOptions } from './command.ts';
import type { Endpoint } from './endpoint.ts';
import type { Home } from './home.ts';
import { stopPostmaster } from './process.ts';
import { type Owner, serverSettings } from './settings.ts';

/** A PostgreSQL that is our child. */
export interface Postmaster {
  readonly endpoint: Endpoint;
  /** What it says of itself when asked who started it. */
  readonly owner: Owner;
  /** Resolves when it has ended, with the last lines that it wrote. */
  readonly exited: Promise<string>;
  hasExited(): boolean;
  stop(): Promise<void>;
}

export interface LaunchOptions {
  /** How many processes of the server connect. */
  readonly processes: number;
  readonly home: Home;
  readonly binaries: Binaries;
  readonly cluster: Cluster;
  readonly log: Log;
}

const KEPT_LINES = 20;

/** FATAL ends one session, whose client gets the error; PANIC ends all sessions. */
function logLine(log: Log, line: string): void {
  if (line.startsWith('PANIC:')) log.error({ postgres: line }, 'PostgreSQL reports');
  else log.debug({ postgres: line }, 'PostgreSQL reports');
}

/** Starts PostgreSQL. Whether it comes up is another question. */
export function launch(options: LaunchOptions, endpoint: Endpoint): Postmaster {
  const { home, binaries, cluster, log } = options;
  const program = programIn(binaries.directory, 'postgres');
  const owner = { pid: process.pid, start: randomBytes(8).toString('hex') };
  const child = spawn(
    program,
    ['-D', cluster.path, ...serverSettings(endpoint, owner, options.processes)],
    {
      ...spawnOptions(program, home.account),
      stdio: ['ignore', 'ignore', 'pipe'],
      // A process group of its own: a Ctrl-C in the terminal is for the server, which stops in order.
      detached: true,
      windowsHide: true,
    },
  );
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    logLine(log, line);
  });
  // For a process that exits without stopping its parts: the signal asks for a fast shutdown.
  const onProcessExit = () => child.kill('SIGINT');
  process.once('exit', onProcessExit);
  let ended = false;
  const exited = new Promise<string>((resolve) => {
    const end = (line?: string) => {
      ended = true;
      process.off('exit', onProcessExit);
      resolve([...lines, ...(line ? [line] : [])].join('\n'));
    };
    child.once('error', (error) => end(`FATAL: ${error.message}`));
    // Backends of a killed postmaster hold the pipe for a moment; the reason is in it already.
    child.once('exit', () => setTimeout(end, 200).unref());
    child.once('close', () => end());
  });
  return {
    endpoint,
    owner,
    exited,
    hasExited: () => ended,
    async stop() {
      if (ended || child.pid === undefined) return;
      await stopPostmaster(child.pid, programIn(binaries.directory, 'pg_ctl'));
      await exited;
    },
  };
}
