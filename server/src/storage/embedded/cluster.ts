import { randomBytes } from 'node:crypto';
import { chmod, chown, link, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirFailure, StartFailure } from '../../runtime/index.ts';
import { type Binaries, programIn } from './binaries.ts';
import { run } from './command.ts';
import { type Home, makeTemporary } from './home.ts';
import { codeOf, programFailure } from './start-failures.ts';

export const SUPERUSER = 'fieldwatch';
export const PASSWORD_FILE = 'postgres.password';

const INITDB_LIMIT_MS = 180_000;
/** The first major version that knows the locale provider `builtin`. */
const BUILTIN_LOCALES = 17;

/** The files of PostgreSQL and the password of its one user. */
export interface Cluster {
  readonly path: string;
  readonly password: string;
}

interface ClusterOptions {
  readonly dataDir: string;
  /** False where a missing cluster is a loss, not a first start. */
  readonly mayCreateCluster?: boolean;
  readonly onProgress: (text: string) => void;
}

/** Kept outside the home: the server's user alone reads it. Null if there is none. */
async function readPassword(dataDir: string): Promise<string | null> {
  try {
    return await readFile(join(dataDir, PASSWORD_FILE), 'utf8');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return null;
  }
}

/** The password of a cluster that exists: another one would not open it. */
async function requirePassword(dataDir: string): Promise<string> {
  const password = await readPassword(dataDir);
  if (password !== null) return password;
  throw new StartFailure(
    `FIELDWATCH_DATA_DIR: ${join(dataDir, PASSWORD_FILE)} is missing, and the PostgreSQL beside it was made with it; restore the file, or restore a backup into another data directory.`,
  );
}

/** The password of a cluster that is made now. */
async function makePassword(dataDir: string): Promise<string> {
  const path = join(dataDir, PASSWORD_FILE);
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const made = await readPassword(dataDir);
  if (made !== null) return made;
  await writeFile(temporary, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
  // A link, unlike a rename, never replaces the password of a server that was faster.
  await link(temporary, path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  await rm(temporary);
  return await readFile(path, 'utf8');
}

async function assertSameMajor(path: string, major: number): Promise<void> {
  const text = await readFile(join(path, 'PG_VERSION'), 'utf8').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new StartFailure(
      `FIELDWATCH_DATA_DIR: ${path} holds no PostgreSQL cluster; restore it, or remove it to start with an empty database.`,
    );
  });
  const held = Number.parseInt(text, 10);
  if (held !== major) {
    throw new StartFailure(
      `FIELDWATCH_DATA_DIR: ${path} was made by PostgreSQL ${held} and this server runs PostgreSQL ${major}: set FIELDWATCH_POSTGRES_BIN to the programs of PostgreSQL ${held}, or use another data directory.`,
    );
  }
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}

/** Made aside and then moved: a killed initdb leaves nothing that looks like a cluster. */
async function makeCluster(
  home: Home,
  binaries: Binaries,
  password: string,
  dataDir: string,
): Promise<void> {
  const temporary = await makeTemporary(home);
  const passwordFile = join(temporary, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (home.account) await chown(passwordFile, home.account.uid, home.account.gid);
  const made = join(temporary, 'cluster');
  const locale =
    binaries.major >= BUILTIN_LOCALES
      ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : ['--locale=C'];
  const { ok, output } = await run(
    programIn(binaries.directory, 'initdb'),
    [
      `--pgdata=${made}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--data-checksums',
      // A commit that needs a new file of the log waits until it is filled: with less, less long.
      '--wal-segsize=2',
      ...locale,
    ],
    home.account,
    INITDB_LIMIT_MS,
  );
  if (!ok) {
    await rm(temporary, { recursive: true, force: true });
    throw programFailure(dataDir, 'initdb', output);
  }
  // Of two first starts at the same time, the second uses the cluster that the first has moved here.
  await rename(made, join(home.path, 'cluster')).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
  });
  await syncDirectory(home.path);
  await rm(temporary, { recursive: true, force: true });
}

/** The cluster in the home, made now if this is the first start. */
export async function prepareCluster(
  home: Home,
  binaries: Binaries,
  { dataDir, mayCreateCluster = true, onProgress }: ClusterOptions,
): Promise<Cluster> {
  const path = join(home.path, 'cluster');
  try {
    if (!(await stat(path).catch(() => null))) {
      if (!mayCreateCluster) {
        throw new StartFailure(
          `FIELDWATCH_DATA_DIR: ${dataDir} holds the key of an installation, and its database is missing: restore the database, or start a new one with npm start -- --new.`,
        );
      }
      onProgress('Making the database (first start only)');
      await makeCluster(home, binaries, await makePassword(dataDir), dataDir);
    }
    await assertSameMajor(path, binaries.major);
    // PostgreSQL refuses a directory that others may read, as a restored copy may be.
    await chmod(path, 0o700);
    return { path, password: await requirePassword(dataDir) };
  } catch (error) {
    throw dataDirFailure(dataDir, error);
  }
}
