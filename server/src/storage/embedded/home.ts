import { randomBytes } from 'node:crypto';
import {
  access,
  chmod,
  chown,
  constants,
  lstat,
  mkdir,
  readdir,
  realpath,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { dataDirFailure, makeDataDir, StartFailure } from '../../runtime/index.ts';
import { type Account, run } from './command.ts';
import { makePrivate } from './private-directory.ts';
import { isRunning } from './process.ts';
import { codeOf } from './start-failures.ts';

/** The directory that belongs to PostgreSQL, and the user that it runs as. */
export interface Home {
  readonly path: string;
  /** Null: PostgreSQL runs as the user of this process. */
  readonly account: Account | null;
}

/** Where PostgreSQL lives when its user cannot enter the data directory. */
export const SHELTER = '/var/lib/fieldwatch';

const ACCOUNTS: readonly string[] = ['postgres', '_postgres', 'nobody'];
const COMMAND_LIMIT_MS = 10_000;
const TEMPORARY = /^making-(\d+)-/;

async function findAccount(): Promise<Account> {
  for (const name of ACCOUNTS) {
    const [user, group] = await Promise.all(
      ['-u', '-g'].map((flag) => run('id', [flag, name], null, COMMAND_LIMIT_MS)),
    );
    // macOS gives `nobody` a number that only fits as a negative one.
    if (user?.ok && group?.ok) {
      return { name, uid: Number(user.output) | 0, gid: Number(group.output) | 0 };
    }
  }
  throw new StartFailure(
    'PostgreSQL refuses to run as root, and there is neither a user "postgres" nor "nobody" to run it as: set DATABASE_URL, or start the server as another user.',
  );
}

async function chooseAccount(home: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(join(home, 'cluster')).catch(() => null);
  // Files that another user's server made stay that user's.
  if (owner && owner.uid !== 0) return { name: `#${owner.uid}`, uid: owner.uid, gid: owner.gid };
  return await findAccount();
}

/** Found by trying: mode bits are not all that decides it. */
async function canEnter(account: Account, directory: string): Promise<boolean> {
  const script = 'cd "$1" && cd -P .';
  return (await run('/bin/sh', ['-c', script, 'sh', directory], account, COMMAND_LIMIT_MS)).ok;
}

/** A random name, so that a new data directory never meets an old cluster. */
async function makeSheltered(link: string, shelter: string): Promise<void> {
  // The mode of mkdir is cut by the umask.
  if (await mkdir(shelter, { recursive: true })) await chmod(shelter, 0o711);
  const target = join(shelter, randomBytes(8).toString('hex'));
  await mkdir(target, { mode: 0o700 });
  await symlink(target, link).catch(async (error: unknown) => {
    await rm(target, { recursive: true });
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}

async function makeHome(dataDir: string, shelter: string): Promise<Home> {
  makeDataDir(dataDir);
  const link = join(dataDir, 'postgres');
  const account = await chooseAccount(link);
  if (!(await lstat(link).catch(() => null))) {
    if (account && !(await canEnter(account, dataDir))) await makeSheltered(link, shelter);
    else await mkdir(link, { recursive: true, mode: 0o700 });
  }
  const path = await realpath(link).catch(() => {
    throw new StartFailure(
      `FIELDWATCH_DATA_DIR: ${link} points to a directory that is gone; restore it, or remove the link to start with an empty database.`,
    );
  });
  if (account) await chown(path, account.uid, account.gid);
  // PostgreSQL's user has to pass through to a home within; it can neither list nor read.
  const isWithin = account !== null && path.startsWith(join(await realpath(dataDir), sep));
  await makePrivate(dataDir, isWithin ? 0o711 : 0o700);
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  await chmod(path, 0o700);
  if (account && !(await canEnter(account, path))) {
    throw new StartFailure(
      `FIELDWATCH_DATA_DIR: the user ${account.name}, as whom PostgreSQL runs, cannot enter ${dirname(path)}.`,
    );
  }
  return { path, account };
}

/** Makes the home where there is none, and clears what a killed server left half-made in it. */
export async function prepareHome(dataDir: string, shelter: string): Promise<Home> {
  try {
    const home = await makeHome(dataDir, shelter);
    for (const name of await readdir(home.path)) {
      const pid = Number(TEMPORARY.exec(name)?.[1]);
      // A maker with our own number is a former process: this one has made nothing yet.
      if (pid === process.pid || (pid > 0 && !(await isRunning(pid)))) {
        await rm(join(home.path, name), { recursive: true, force: true });
      }
    }
    return home;
  } catch (error) {
    throw dataDirFailure(dataDir, error);
  }
}

/** Makes a directory for something that is moved to its place once it is complete. */
export async function makeTemporary(home: Home): Promise<string> {
  const path = join(home.path, `making-${process.pid}-${randomBytes(6).toString('hex')}`);
  await mkdir(path, { mode: 0o700 });
  if (home.account) await chown(path, home.account.uid, home.account.gid);
  return path;
}
