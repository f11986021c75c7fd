import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../runtime/index.ts';
import { type AcquireOptions, acquire, launchAndLock } from './acquire.ts';
import { findBinaries } from './binaries.ts';
import { prepareCluster } from './cluster.ts';
import { chooseEndpoint } from './endpoint.ts';
import { prepareHome } from './home.ts';
import { launch, type Postmaster } from './launch.ts';
import { clientConfig, openSession, type Session } from './session.ts';

let options: AcquireOptions;

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fw-acquire-'));
  await chmod(dataDir, 0o711);
  const onProgress = () => undefined;
  const home = await prepareHome(dataDir, dataDir);
  const binaries = await findBinaries(home, null, dataDir);
  const cluster = await prepareCluster(home, binaries, { dataDir, onProgress });
  const { signal } = new AbortController();
  options = {
    home,
    binaries,
    cluster,
    dataDir,
    processes: 1,
    log: createLog('silent'),
    onProgress,
    signal,
  };
});

afterAll(async () => {
  await rm(options.dataDir, { recursive: true, force: true });
});

interface Rival {
  readonly postmaster: Postmaster;
  readonly session: Session;
  /** Until somebody else is connected too. */
  waitForVisitor(): Promise<void>;
}

/** A server that has started its PostgreSQL and not taken the lock yet. */
async function startRival(): Promise<Rival> {
  const postmaster = launch(options, await chooseEndpoint(options.home.path));
  onTestFinished(() => postmaster.stop());
  const { password } = options.cluster;
  const connected = () => openSession(postmaster.endpoint, password).catch(() => null);
  let session = await connected();
  while (!session && !postmaster.hasExited()) session = await connected();
  if (!session) throw new Error(await postmaster.exited);
  const observer = new pg.Client(clientConfig(postmaster.endpoint, password, 'postgres'));
  observer.on('error', () => undefined);
  await observer.connect();
  const sessions = `SELECT FROM pg_stat_activity WHERE application_name = 'fieldwatch supervisor'`;
  return {
    postmaster,
    session,
    async waitForVisitor() {
      await expect.poll(async () => (await observer.query(sessions)).rowCount).toBe(2);
      await observer.end();
    },
  };
}

it('does not take the PostgreSQL of a rival at the same socket for its own', async () => {
  const rival = await startRival();
  expect(await launchAndLock(options)).toEqual(expect.any(String));
  expect(rival.postmaster.hasExited()).toBe(false);
  expect(await rival.session.takeLock()).toBe(true);
});

it('gives a rival that is about to take the lock the time to do so', async () => {
  const rival = await startRival();
  const outcome = acquire(options).catch((error: unknown) => error);
  await rival.waitForVisitor();
  expect(await rival.session.takeLock()).toBe(true);
  expect(await outcome).toMatchObject({ message: expect.stringContaining('another Fieldwatch') });
  expect(rival.postmaster.hasExited()).toBe(false);
});

it('goes on when a rival is stopped while it looks at it', async () => {
  const rival = await startRival();
  const outcome = acquire(options);
  await rival.waitForVisitor();
  await rival.postmaster.stop();
  const { postmaster, session } = await outcome;
  onTestFinished(() => postmaster.stop());
  expect(await session.isLockTaken()).toBe(true);
});
