import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const LEFT_OUT = ['node_modules', 'data', 'data-demo', '.git'];
const STOP_LIMIT_MS = 20_000;

/** A copy of the sources, installed and built, without any data. */
export interface Checkout {
  readonly path: string;
  /** Starts a command there, in a process group of its own as a terminal would. */
  start(command: string, args: readonly string[], settings?: Readonly<Record<string, string>>): Run;
  /** The process number of its PostgreSQL, or null when none runs. */
  postgresPid(): Promise<number | null>;
  remove(): Promise<void>;
}

export interface Run {
  /** Resolves with all output so far once it contains the text; rejects when the command ends before. */
  until(text: string): Promise<string>;
  readonly ended: Promise<{ readonly exitCode: number | null; readonly output: string }>;
  /** A signal to the command alone. */
  signal(name: NodeJS.Signals): void;
  /** A signal to everything that the command started, as Ctrl-C sends it. */
  signalAll(name: NodeJS.Signals): void;
}

export async function makeCheckout(): Promise<Checkout> {
  const path = await mkdtemp(join(tmpdir(), 'fieldwatch-checkout-'));
  await chmod(path, 0o755);
  await copySources(path);
  await linkPackages(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  const runs: ChildProcess[] = [];
  return {
    path,
    start(command, args, settings = {}) {
      const child = spawnIn(path, command, args, settings);
      runs.push(child);
      return follow(child);
    },
    async postgresPid() {
      const file = join(path, 'data/postgres/cluster/postmaster.pid');
      const text = await readFile(file, 'utf8').catch(() => '');
      return Number.parseInt(text, 10) || null;
    },
    async remove() {
      await Promise.all(runs.map(end));
      await once(spawn('rm', ['-rf', path], { stdio: 'inherit' }), 'exit');
    },
  };
}

/** Starts a command in the real checkout, which is built. Whoever starts it sees that it ends. */
export function startInCheckout(
  command: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Run {
  return follow(spawnIn(ROOT, command, args, settings));
}

function spawnIn(
  path: string,
  command: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): ChildProcess {
  return spawn(command, args, {
    cwd: path,
    env: { ...withoutSettings(process.env), NO_COLOR: '1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

/** By `tar`, as `rm` deletes: thousands of files one by one take Node four times the processor time. */
async function copySources(to: string): Promise<void> {
  const excluded = LEFT_OUT.map((name) => `--exclude=${name}`);
  const archive = spawn('tar', ['-C', ROOT, ...excluded, '-cf', '-', '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const extract = spawn('tar', ['-C', to, '-xf', '-'], {
    stdio: [archive.stdout, 'ignore', 'inherit'],
  });
  const codes = await Promise.all([archive, extract].map((child) => once(child, 'exit')));
  if (codes.some(([code]) => code !== 0)) throw new Error('the sources could not be copied');
}

/** Packages are shared with the real checkout; the workspaces among them are the copy's own. */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from)) {
    if (name === '@fieldwatch') {
      await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    } else if (name.startsWith('@')) {
      await linkPackages(join(from, name), join(to, name));
    } else if (name !== '.vite' && name !== '.cache') {
      await symlink(join(from, name), join(to, name));
    }
  }
}

function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^(FIELDWATCH_|DATABASE_URL$|NODE_ENV$|VITEST|FORCE_COLOR$)/.test(name),
    ),
  );
}

function follow(child: ChildProcess): Run {
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<{ exitCode: number | null; output: string }>((resolve) => {
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
  return {
    ended,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!output.includes(text)) return;
          listeners.delete(look);
          resolve(output);
        };
        listeners.add(look);
        look();
        void ended.then(() => reject(new Error(`ended without "${text}":\n${output}`)));
      }),
    signal: (name) => child.kill(name),
    signalAll: (name) => signalGroup(child, name),
  };
}

function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, name);
}

/** What a failed test left running. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const limit = setTimeout(() => signalGroup(child, 'SIGKILL'), STOP_LIMIT_MS);
  await gone;
  clearTimeout(limit);
}
