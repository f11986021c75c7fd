import { setTimeout as pause } from 'node:timers/promises';
import { StartFailure } from '../../runtime/index.ts';
import { isUnavailable } from '../errors.ts';
import { programIn } from './binaries.ts';
import { chooseEndpoint, type Endpoint } from './endpoint.ts';
import { type LaunchOptions, launch, type Postmaster } from './launch.ts';
import {
  disownPostmasterFile,
  type PostmasterFile,
  readPostmasterFile,
  removeEmptyPostmasterFile,
} from './postmaster-file.ts';
import { hasProcess, isPostmasterOf, isRunning, stopPostmaster } from './process.ts';
import { openSession, type Session } from './session.ts';
import { codeOf, programFailure } from './start-failures.ts';

export interface AcquireOptions extends LaunchOptions {
  readonly dataDir: string;
  readonly onProgress: (text: string) => void;
  /** Ends the attempt early. */
  readonly signal: AbortSignal;
}

/** A PostgreSQL of our own, and the session that holds the lock of the data directory. */
export interface Acquired {
  readonly postmaster: Postmaster;
  readonly session: Session;
}

const POLL_MS = 25;
/** Recovery after a crash replays at most `max_wal_size` and a little more. */
const READY_LIMIT_MS = 300_000;
/** For orphaned backends of a killed PostgreSQL to notice, and for a rival to come up. */
const CONTENTION_LIMIT_MS = 60_000;
/** How long a server takes at most from "PostgreSQL answers" to "the lock is held". */
const LOCK_GRACE_MS = 5_000;

function otherServer(dataDir: string): StartFailure {
  return new StartFailure(
    `FIELDWATCH_DATA_DIR: another Fieldwatch server is running on ${dataDir}; stop it, or give this one another directory.`,
  );
}

const NOT_YET: readonly string[] = ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', '57P03'];

/** Connects as soon as PostgreSQL answers; null when it ends before that. */
async function connectWhenReady(
  options: AcquireOptions,
  endpoint: Endpoint,
  isAlive: () => Promise<boolean>,
): Promise<Session | null> {
  const deadline = performance.now() + READY_LIMIT_MS;
  let reportAt = performance.now() + 3_000;
  while (await isAlive()) {
    try {
      return await openSession(endpoint, options.cluster.password);
    } catch (error) {
      const passing = NOT_YET.includes(codeOf(error)) || codeOf(error) === '';
      if (codeOf(error) === '28P01') {
        throw new StartFailure(
          `FIELDWATCH_DATA_DIR: the password in ${options.dataDir}/postgres.password is not that of the PostgreSQL beside it; restore the file that was made with it.`,
        );
      }
      if (!passing || performance.now() > deadline) throw error;
    }
    options.signal.throwIfAborted();
    if (performance.now() > reportAt) {
      reportAt = Number.POSITIVE_INFINITY;
      options.onProgress('PostgreSQL is recovering from an unclean stop');
    }
    await pause(POLL_MS);
  }
  return null;
}

/** Whether the server that started this PostgreSQL is gone, so that no server will take the lock. */
async function isAbandoned(session: Session): Promise<boolean> {
  const owner = await session.owner();
  const deadline = performance.now() + LOCK_GRACE_MS;
  while (!(await session.isLockTaken())) {
    if (owner === null || !(await isRunning(owner.pid))) return true;
    if (performance.now() > deadline) return true;
    await pause(POLL_MS);
  }
  return false;
}

/** Stops a PostgreSQL that a killed server left behind; fails when its server is alive. */
async function clearRunning(options: AcquireOptions, file: PostmasterFile): Promise<void> {
  const { cluster, binaries, dataDir, log } = options;
  // Without an endpoint it is about to come up; the caller looks again.
  if (!file.endpoint) return;
  const isAlive = () => isPostmasterOf(file.pid, cluster.path);
  const session = await connectWhenReady(options, file.endpoint, isAlive);
  if (!session) return;
  try {
    // The lock stays with us until it has stopped: of several that find it, one goes on.
    if (!(await isAbandoned(session)) || !(await session.takeLock())) throw otherServer(dataDir);
    log.info({ pid: file.pid }, 'stopping a PostgreSQL that a killed server left behind');
    await stopPostmaster(file.pid, programIn(binaries.directory, 'pg_ctl'));
  } catch (error) {
    // Another server that starts now may have stopped it under our hands; the caller looks again.
    if (!isUnavailable(error)) throw error;
  } finally {
    await session.end();
  }
}

/**
 * A PostgreSQL in another container shares these files and not our process numbers, so that
 * neither we nor our PostgreSQL would see it; but its socket answers.
 */
async function assertNoneUnseen(options: AcquireOptions, file: PostmasterFile): Promise<void> {
  if (!file.endpoint) return;
  const session = await openSession(file.endpoint, options.cluster.password).catch(() => null);
  if (!session) return;
  await session.end();
  throw otherServer(options.dataDir);
}

async function clearTheWay(options: AcquireOptions): Promise<void> {
  const { path } = options.cluster;
  const file = await readPostmasterFile(path);
  if (!file) return;
  if (await isPostmasterOf(file.pid, path)) {
    await clearRunning(options, file);
    return;
  }
  await assertNoneUnseen(options, file);
  if (file.pid !== process.pid && hasProcess(file.pid)) await disownPostmasterFile(path, file);
}

const LOST_RACE = 'another server was faster';

const PASSING: readonly RegExp[] = [
  new RegExp(LOST_RACE),
  /lock file .* already exists/,
  /shared memory block .* still in use/,
  /Address already in use/,
];

/** Whether a PostgreSQL that ended at once may come up a little later. */
async function isPassing(options: AcquireOptions, output: string): Promise<boolean> {
  if (/lock file .* is empty/.test(output)) {
    await pause(1_000);
    await removeEmptyPostmasterFile(options.cluster.path);
    return true;
  }
  return PASSING.some((pattern) => pattern.test(output));
}

/** Null when it was not ours that answered: a rival on this cluster listens at the same socket. */
async function takeOwnLock(session: Session, postmaster: Postmaster): Promise<boolean | null> {
  const owner = await session.owner();
  return owner?.start === postmaster.owner.start ? await session.takeLock() : null;
}

/** Our own PostgreSQL with the lock held, or what it said when it ended before that. */
export async function launchAndLock(options: AcquireOptions): Promise<Acquired | string> {
  const postmaster = launch(options, await chooseEndpoint(options.home.path));
  try {
    const isAlive = async () => !postmaster.hasExited();
    const session = await connectWhenReady(options, postmaster.endpoint, isAlive);
    if (!session) return await postmaster.exited;
    const isLocked = await takeOwnLock(session, postmaster).catch(() => null);
    if (isLocked) return { postmaster, session };
    await session.end();
    if (isLocked === false) throw otherServer(options.dataDir);
    await postmaster.stop();
    return LOST_RACE;
  } catch (error) {
    await postmaster.stop();
    throw error;
  }
}

/** Starts PostgreSQL on the cluster and takes the lock, whatever a former server left there. */
export async function acquire(options: AcquireOptions): Promise<Acquired> {
  const deadline = performance.now() + CONTENTION_LIMIT_MS;
  for (;;) {
    options.signal.throwIfAborted();
    await clearTheWay(options);
    const outcome = await launchAndLock(options);
    if (typeof outcome !== 'string') return outcome;
    if (!(await isPassing(options, outcome)) || performance.now() > deadline) {
      throw programFailure(options.dataDir, 'PostgreSQL', outcome);
    }
    await pause(POLL_MS * 4);
  }
}
