import { spawn } from 'node:child_process';
import { chmod, chown, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import {
  isRoot,
  isRunning,
  openEmbedded,
  pidFileIn,
  postmasterPid,
  processField,
  refusal,
} from '../../../test/support/embedded.ts';
import { temporaryDirectory } from '../../../test/support/storage.ts';
import { createLog } from '../../runtime/index.ts';
import type { Transactions } from '../storage.ts';
import { findRunning, makePrivate, startEmbedded } from './index.ts';

const AWAY = { code: 'STORAGE_UNAVAILABLE' };

/** One cluster for all of these tests; each opens it for itself. */
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fw-embedded-'));
  await chmod(dataDir, 0o711);
  const log = createLog('silent');
  const first = await startEmbedded({ dataDir, postgresBin: null, log, onProgress: () => null });
  await first.stop();
});

afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

/** A process of the user that PostgreSQL runs as, which is not PostgreSQL. */
async function startStranger(): Promise<number> {
  const { uid, gid } = await stat(join(dataDir, 'postgres', 'cluster'));
  const child = spawn('/bin/sleep', ['600'], { stdio: 'ignore', uid, gid, cwd: '/' });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  if (child.pid === undefined) throw new Error('no process');
  return child.pid;
}

/** The number of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn('/bin/true', { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  return child.pid ?? 0;
}

it('makes no cluster where a missing one is a loss', async () => {
  const empty = await temporaryDirectory();
  const sentence = await refusal(empty, { mayCreateCluster: false });
  expect(sentence).toMatch(/its database is missing: .* npm start -- --new/);
  await expect(stat(join(empty, 'postgres', 'cluster'))).rejects.toThrow();
  const storage = await openEmbedded(dataDir, { mayCreateCluster: false });
  expect(await storage.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

it('runs PostgreSQL as another user than root, in a process group of its own, until it is stopped', async () => {
  const storage = await openEmbedded(dataDir);
  const pid = await postmasterPid(dataDir);
  const uid = processField('uid', pid);
  if (isRoot) expect(uid).not.toBe(0);
  else expect(uid).toBe(process.getuid?.());
  expect(processField('pgid', pid)).toBe(pid);
  await storage.stop();
  expect(isRunning(pid)).toBe(false);
});

it('keeps its password for the user of the server alone', async () => {
  const { mode, uid } = await stat(join(dataDir, 'postgres.password'));
  expect(mode & 0o777).toBe(0o600);
  expect(uid).toBe(process.getuid?.());
  expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
});

it('takes a data directory that others may read from them', async () => {
  await chmod(dataDir, 0o755);
  const storage = await openEmbedded(dataDir);
  // PostgreSQL's user, where it is another one, passes through to its own directory.
  expect((await stat(dataDir)).mode & 0o777).toBe(isRoot ? 0o711 : 0o700);
  await storage.stop();
});

it('leaves a directory alone that others share, or that holds what is not its own', async () => {
  const shared = await temporaryDirectory(0o1777);
  await makePrivate(shared, 0o700);
  expect((await stat(shared)).mode & 0o7777).toBe(0o1777);
  const foreign = await temporaryDirectory(0o755);
  await writeFile(join(foreign, 'letter'), '');
  await makePrivate(foreign, 0o700);
  expect((await stat(foreign)).mode & 0o777).toBe(0o755);
  await writeFile(join(foreign, 'secret.key'), '');
  await makePrivate(foreign, 0o700);
  expect((await stat(foreign)).mode & 0o777).toBe(0o700);
});

it('serves the server as an ordinary role, which owns what an older version made as superuser', async () => {
  const log = createLog('silent');
  const older = await startEmbedded({ dataDir, postgresBin: null, log, onProgress: () => null });
  const superuser = new pg.Client(older.superuserTarget());
  await superuser.connect();
  for (const made of [
    'CREATE EXTENSION IF NOT EXISTS btree_gist',
    'CREATE TABLE made (id serial PRIMARY KEY, number integer GENERATED ALWAYS AS IDENTITY)',
    'CREATE SEQUENCE made_apart',
    "CREATE TYPE made_mood AS ENUM ('calm')",
    'CREATE FUNCTION made_one() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
  ]) {
    await superuser.query(made);
  }
  await superuser.end();
  await older.stop();

  const storage = await openEmbedded(dataDir);
  const [role] = await storage.query(
    `SELECT rolname AS name, rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication AS "mayMore"
     FROM pg_roles WHERE rolname = current_user`,
  );
  expect(role).toEqual({ name: 'fieldwatch_server', mayMore: false });
  await expect(storage.query('SELECT * FROM pg_authid')).rejects.toThrow('permission denied');
  for (const altered of [
    'ALTER TABLE made ADD COLUMN more text',
    'DROP SEQUENCE made_apart',
    'DROP TYPE made_mood',
    'DROP FUNCTION made_one',
    'DROP TABLE made',
  ]) {
    await storage.query(altered);
  }
});

it('commits durably, folds case beyond ASCII and counts in UTC', async () => {
  const storage = await openEmbedded(dataDir);
  const settings = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums'];
  for (const name of settings) {
    expect(await storage.query('SELECT current_setting($1) AS value', [name])).toEqual([
      { value: 'on' },
    ]);
  }
  expect(
    await storage.query(`SELECT 'ÄRGER' ILIKE 'ärger' AS folds, 'x' < 'Y' AS dictionary`),
  ).toEqual([{ folds: true, dictionary: false }]);
});

it('leaves the processors to others in the background, and takes its part of them otherwise', async () => {
  const storage = await openEmbedded(dataDir);
  const pidOf = async (lane: Transactions) => {
    const [row] = await lane.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return row?.pid;
  };
  const background = await pidOf(storage.background);
  expect(getPriority(await pidOf(storage))).toBe(getPriority());
  expect(getPriority(background)).toBeGreaterThan(getPriority());
  const session = () =>
    readFile(`/proc/${background}/autogroup`, 'utf8').catch(() => 'no sessions');
  await expect.poll(session).toMatch(/nice 10$|^no sessions$/m);
});

it('refuses a second server on one data directory and says so', async () => {
  const storage = await openEmbedded(dataDir);
  expect(await refusal(dataDir)).toBe(
    `FIELDWATCH_DATA_DIR: another Fieldwatch server is running on ${dataDir}; stop it, or give this one another directory.`,
  );
  await storage.check();
});

it('refuses a second server that cannot see the processes of the first, as in another container', async () => {
  const storage = await openEmbedded(dataDir);
  const text = await readFile(pidFileIn(dataDir), 'utf8');
  // Neither its process nor its shared memory, which the seventh line names.
  const seen = [await endedPid(), ...text.split('\n').slice(1, 6), ''];
  await writeFile(pidFileIn(dataDir), seen.join('\n'));
  expect(await refusal(dataDir)).toMatch(/another Fieldwatch server is running/);
  await writeFile(pidFileIn(dataDir), text);
  await storage.check();
});

it('starts over a process file whose number now belongs to another program', async () => {
  const stranger = await startStranger();
  const cluster = join(dataDir, 'postgres', 'cluster');
  const text = `${stranger}\n${cluster}\n1794712461\n5432\n${dataDir}/postgres\n\n  1 1\nready\n`;
  await writeFile(pidFileIn(dataDir), text);
  const { uid, gid } = await stat(cluster);
  if (isRoot) await chown(pidFileIn(dataDir), uid, gid);
  const storage = await openEmbedded(dataDir);
  await storage.check();
  expect(isRunning(stranger)).toBe(true);
});

it('starts over a process file that a crash of the machine left empty', async () => {
  await writeFile(pidFileIn(dataDir), '');
  const storage = await openEmbedded(dataDir);
  await storage.check();
});

it('brings PostgreSQL back when it is killed, and is away until then', async () => {
  const storage = await openEmbedded(dataDir);
  await storage.query('CREATE TABLE IF NOT EXISTS kept (n int)');
  await storage.query('INSERT INTO kept VALUES (1)');
  const pid = await postmasterPid(dataDir);
  const asleep = storage.query('SELECT pg_sleep(600)').catch((error: unknown) => error);
  process.kill(pid, 'SIGKILL');
  expect(await asleep).toMatchObject(AWAY);
  await expect
    .poll(() => storage.query('SELECT n FROM kept').catch(() => null), { timeout: 20_000 })
    .toEqual([{ n: 1 }]);
  expect(await postmasterPid(dataDir)).not.toBe(pid);
  expect(await refusal(dataDir)).toMatch(/another Fieldwatch server is running/);
});

it('takes the lock again when only its session was ended', async () => {
  const storage = await openEmbedded(dataDir);
  const pid = await postmasterPid(dataDir);
  const supervisor = `FROM pg_stat_activity WHERE application_name = 'fieldwatch supervisor'`;
  const superuser = new pg.Client((await findRunning(dataDir)) ?? {});
  await superuser.connect();
  const { rows } = await superuser.query<{ pid: number }>(`SELECT pid ${supervisor}`);
  await superuser.query(`SELECT pg_terminate_backend(pid) ${supervisor}`);
  await superuser.end();
  const holders = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid <> $1`;
  await expect.poll(async () => (await storage.query(holders, [rows[0]?.pid])).length).toBe(1);
  expect(await postmasterPid(dataDir)).toBe(pid);
  expect(await refusal(dataDir)).toMatch(/another Fieldwatch server is running/);
});

it('stops while PostgreSQL is being brought back, and leaves none running', async () => {
  const storage = await openEmbedded(dataDir);
  const pid = await postmasterPid(dataDir);
  const asleep = storage.query('SELECT pg_sleep(600)').catch((error: unknown) => error);
  process.kill(pid, 'SIGKILL');
  expect(await asleep).toMatchObject(AWAY);
  await storage.stop();
  const left = await postmasterPid(dataDir).catch(() => null);
  expect(left !== null && left !== pid && isRunning(left)).toBe(false);
});

it('refuses a data directory of another major version and says which', async () => {
  const path = join(dataDir, 'postgres', 'cluster', 'PG_VERSION');
  await writeFile(path, '16\n');
  onTestFinished(() => writeFile(path, '18\n'));
  expect(await refusal(dataDir)).toBe(
    `FIELDWATCH_DATA_DIR: ${dataDir}/postgres/cluster was made by PostgreSQL 16 and this server runs PostgreSQL 18: set FIELDWATCH_POSTGRES_BIN to the programs of PostgreSQL 16, or use another data directory.`,
  );
});

it('says that the password file is not that of the cluster', async () => {
  const path = join(dataDir, 'postgres.password');
  await rename(path, `${path}.aside`);
  onTestFinished(() => rename(`${path}.aside`, path));
  await writeFile(path, 'another password');
  expect(await refusal(dataDir)).toMatch(
    /^FIELDWATCH_DATA_DIR: the password in .*postgres\.password is not that/,
  );
  expect(await postmasterPid(dataDir).catch(() => null)).toBe(null);
});

it('says that the password file of the cluster is missing, and makes no other', async () => {
  const path = join(dataDir, 'postgres.password');
  await rename(path, `${path}.aside`);
  onTestFinished(() => rename(`${path}.aside`, path));
  expect(await refusal(dataDir)).toMatch(
    /^FIELDWATCH_DATA_DIR: .*postgres\.password is missing, .* restore the file/,
  );
  await expect(stat(path)).rejects.toThrow('ENOENT');
});
