// One install or build at a time in a checkout. The lock is a directory with one file in it, named
// after the process that holds it. It is created under another name and then renamed; a rename never
// replaces a directory that is not empty, and only an empty directory is removed. So no process can take
// or remove a lock that another process took in the meantime.
import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromRoot } from './run.mjs';

const LOCK = fromRoot('.build/lock');
const POLL_MS = 100;
const LIMIT_MS = 15 * 60_000;

export async function withLock(work) {
  await take();
  const release = () => remove(process.pid);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

async function take() {
  mkdirSync(fromRoot('.build'), { recursive: true });
  for (let waitedMs = 0; !tryTake(); waitedMs += POLL_MS) {
    const holder = holderOf();
    if (isAbandoned(holder)) {
      remove(holder);
      continue;
    }
    if (waitedMs === 0) {
      console.error(`Waiting for process ${holder}, which installs or builds here …`);
    }
    if (waitedMs >= LIMIT_MS) {
      throw new Error(`process ${holder} holds ${LOCK} for too long; remove it if that is wrong.`);
    }
    await sleep(POLL_MS);
  }
}

function tryTake() {
  const own = `${LOCK}-${process.pid}`;
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, String(process.pid)), '');
  const isTaken = attempt(() => renameSync(own, LOCK));
  if (!isTaken) rmSync(own, { recursive: true });
  return isTaken;
}

function holderOf() {
  let names = [];
  attempt(() => {
    names = readdirSync(LOCK);
  });
  return names.length > 0 ? Number(names[0]) : undefined;
}

function remove(holder) {
  attempt(() => {
    if (holder !== undefined) unlinkSync(join(LOCK, String(holder)));
    rmdirSync(LOCK);
  });
}

/** A lock with our own process id was left by an earlier process with the same id. */
function isAbandoned(holder) {
  if (holder === undefined || holder === process.pid) return true;
  try {
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return error.code !== 'EPERM';
  }
}

const FASTER = ['EEXIST', 'ENOENT', 'ENOTEMPTY'];
/** The errors of Windows for an existing directory. */
if (process.platform === 'win32') FASTER.push('EPERM');

/** False when another process was faster. */
function attempt(change) {
  try {
    change();
    return true;
  } catch (error) {
    if (FASTER.includes(error.code)) return false;
    throw error;
  }
}
