import { readFile, writeFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * Linux may share the processor between sessions first, and between the processes of each session then
 * (`kernel.sched_autogroup_enabled`, the default of most distributions). Each process of PostgreSQL is
 * a session of its own, so the niceness of the process alone has no effect on others: the session has
 * one as well.
 */

/** A weight three times that of other work. Root may take it, and a user whose limit allows it. */
const RAISED_NICENESS = -5;
/** Linux accepts one change of a session per 100 ms from a user without privileges. */
const RETRY_MS = 150;
const MAX_ATTEMPTS = 10;

/**
 * Gives this process priority over other work of the machine, where the system allows it. The priority
 * of a session that it shares with others, such as that of a shell, is not changed.
 */
export async function raiseOwnPriority(): Promise<void> {
  if (getPriority() === 0 && (await isSessionLeader()))
    await setNiceness(process.pid, RAISED_NICENESS);
}

/** Sets the niceness of a process and of the session that it leads, where the system allows it. */
export async function setNiceness(pid: number, niceness: number): Promise<void> {
  try {
    setPriority(pid, niceness);
  } catch {
    return;
  }
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    if (await setSession(pid, niceness)) return;
    await sleep(RETRY_MS, undefined, { ref: false });
  }
}

/** False when the attempt is to be repeated. */
async function setSession(pid: number, niceness: number): Promise<boolean> {
  try {
    await writeFile(`/proc/${pid}/autogroup`, String(niceness));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EAGAIN';
  }
}

async function isSessionLeader(): Promise<boolean> {
  const stat = await readFile('/proc/self/stat', 'utf8').catch(() => '');
  // The name of the program, in brackets, may have spaces: state, parent, group and session follow it.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3] === String(process.pid);
}
