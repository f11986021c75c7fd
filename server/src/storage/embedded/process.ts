import { readFile, readlink, realpath } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { run } from './command.ts';
import { codeOf } from './start-failures.ts';

const COMMAND_LIMIT_MS = 10_000;
const FAST_STOP_LIMIT_MS = 30_000;
const IMMEDIATE_STOP_LIMIT_MS = 10_000;
const POLL_MS = 20;

/** Whether the system has a process of this number that a signal would reach. */
export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** As `hasProcess`, but a process that has ended and only waits for its parent does not count. */
export async function isRunning(pid: number): Promise<boolean> {
  if (!hasProcess(pid)) return false;
  if (process.platform !== 'linux') return true;
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const state = text.slice(text.lastIndexOf(')') + 2).charAt(0);
  return state !== '' && state !== 'Z' && state !== 'X';
}

/** Whether this process is PostgreSQL itself, at work in this cluster: numbers are given out again. */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!(await isRunning(pid))) return false;
  if (process.platform === 'linux') {
    const directory = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    return directory === (await realpath(cluster));
  }
  if (process.platform === 'win32') return true;
  const { output } = await run('ps', ['-o', 'command=', '-p', `${pid}`], null, COMMAND_LIMIT_MS);
  return output.includes('postgres') && output.includes(cluster);
}

/** The signals of PostgreSQL. Windows has none of its own; `pg_ctl` emulates them. */
async function signal(pid: number, name: 'INT' | 'QUIT' | 'KILL', pgCtl: string): Promise<void> {
  if (process.platform === 'win32') {
    await run(pgCtl, ['kill', name, `${pid}`], null, COMMAND_LIMIT_MS);
    return;
  }
  try {
    process.kill(pid, `SIG${name}`);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

async function endsWithin(limitMs: number, pid: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (await isRunning(pid)) {
    if (performance.now() > deadline) return false;
    await pause(POLL_MS);
  }
  return true;
}

/** Stops a postmaster: in good order, then at once, then by force. */
export async function stopPostmaster(pid: number, pgCtl: string): Promise<void> {
  await signal(pid, 'INT', pgCtl);
  if (await endsWithin(FAST_STOP_LIMIT_MS, pid)) return;
  await signal(pid, 'QUIT', pgCtl);
  if (await endsWithin(IMMEDIATE_STOP_LIMIT_MS, pid)) return;
  await signal(pid, 'KILL', pgCtl);
  await endsWithin(IMMEDIATE_STOP_LIMIT_MS, pid);
}
