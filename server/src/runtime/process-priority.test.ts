import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { setNiceness } from './index.ts';

/** A process that leads a session of its own, as those of PostgreSQL do. */
function startSession(): number {
  const { pid, kill } = startSleep();
  onTestFinished(() => void kill());
  return pid;
}

function startSleep() {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  return { pid: child.pid ?? 0, kill: () => child.kill('SIGKILL') };
}

/** Where the system schedules by sessions, it has a file for that of each process. */
const sessionOf = (pid: number) =>
  readFile(`/proc/${pid}/autogroup`, 'utf8').catch(() => 'no sessions');

it('lowers the priority of a process and of its session', async () => {
  const pid = startSession();
  await setNiceness(pid, 10);
  expect(getPriority(pid)).toBe(10);
  expect(await sessionOf(pid)).toMatch(/ nice 10$|^no sessions$/m);
});

it('lowers several sessions at once, which the system accepts one after the other', async () => {
  const pids = [startSession(), startSession(), startSession()];
  await Promise.all(pids.map((pid) => setNiceness(pid, 10)));
  for (const pid of pids) expect(await sessionOf(pid)).toMatch(/ nice 10$|^no sessions$/m);
});

it('does nothing about a process that has ended', async () => {
  const { pid, kill } = startSleep();
  kill();
  await expect.poll(() => getPriorityOrNull(pid)).toBe(null);
  await expect(setNiceness(pid, 10)).resolves.toBe(undefined);
});

function getPriorityOrNull(pid: number): number | null {
  try {
    return getPriority(pid);
  } catch {
    return null;
  }
}

const RAISE = `
  const { raiseOwnPriority } = await import(${JSON.stringify(import.meta.resolve('./process-priority.ts'))});
  await raiseOwnPriority();
  process.stdout.write(String((await import('node:os')).getPriority()));
`;

/** The niceness of a process that raised its priority, with a session of its own or within ours. */
function raisedIn(detached: boolean): Promise<string> {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', RAISE];
  const child = spawn(process.execPath, args, { detached, stdio: ['ignore', 'pipe', 'inherit'] });
  return text(child.stdout);
}

/** Root may, and a user whose limit allows it. */
function mayRaise(): boolean {
  try {
    setPriority(startSession(), -5);
    return true;
  } catch {
    return false;
  }
}

it('a process that leads its session raises its priority, where the system allows it', async () => {
  const expected = process.platform === 'linux' && mayRaise() ? -5 : getPriority();
  expect(await raisedIn(true)).toBe(String(expected));
});

it('a process in the session of others has the priority that it was started with', async () => {
  expect(await raisedIn(false)).toBe(String(getPriority()));
});
