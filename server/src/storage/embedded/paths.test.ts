import {
  chmod,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { isRoot, openEmbedded, refusal } from '../../../test/support/embedded.ts';
import { temporaryDirectory } from '../../../test/support/storage.ts';
import { createLog } from '../../runtime/index.ts';
import { findBinaries, findPackage, type Package } from './binaries.ts';
import { prepareHome } from './home.ts';
import { startEmbedded } from './index.ts';
import { programFailure } from './start-failures.ts';

async function removeLinks(directory: string): Promise<void> {
  const libraries = join(directory, 'native', 'lib');
  for (const name of await readdir(libraries)) {
    const path = join(libraries, name);
    if ((await lstat(path)).isSymbolicLink()) await rm(path);
  }
}

/** A copy of the installed package in this directory, without the links that npm leaves out. */
async function packageWithoutLinks(directory: string): Promise<Package> {
  const installed = await findPackage();
  await cp(installed.directory, directory, { recursive: true, verbatimSymlinks: true });
  await removeLinks(directory);
  return { directory, version: installed.version };
}

async function linksOf(directory: string): Promise<string[]> {
  const list = await readFile(join(directory, 'native', 'pg-symlinks.json'), 'utf8');
  return JSON.parse(list).map(({ target }: { target: string }) => join(directory, target));
}

it('makes the library links that npm left out, in a copy where it may not write', async () => {
  const directory = join(await temporaryDirectory(), 'package');
  const source = await packageWithoutLinks(directory);
  const dataDir = await temporaryDirectory();
  const home = await prepareHome(dataDir, dataDir);
  const find = () => findBinaries(home, null, dataDir, async () => source);
  expect(await find()).toEqual({ directory: join(directory, 'native', 'bin'), major: 18 });
  const links = await linksOf(directory);
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) await stat(link);

  await removeLinks(directory);
  const folders = ['native/lib/postgresql', 'native/lib', 'native'].map((name) =>
    join(directory, name),
  );
  for (const folder of folders) await chmod(folder, 0o555);
  onTestFinished(async () => {
    for (const folder of folders.toReversed()) await chmod(folder, 0o755);
  });
  await mkdir(join(home.path, 'postgresql-of-old'));
  // Root may always write.
  const place = isRoot ? directory : join(home.path, `postgresql-${source.version}`);
  expect((await find()).directory).toBe(join(place, 'native', 'bin'));
  for (const link of await linksOf(place)) await stat(link);
  if (!isRoot) expect(await readdir(home.path)).toEqual([`postgresql-${source.version}`]);
});

it('runs from a checkout that the user of PostgreSQL can neither enter nor read', async () => {
  const umask = process.umask(0o077);
  onTestFinished(() => {
    process.umask(umask);
  });
  const checkout = await temporaryDirectory(0o700);
  const shelter = join(await temporaryDirectory(), 'shelter');
  const source = await packageWithoutLinks(join(checkout, 'package'));
  const dataDir = join(checkout, 'data');
  const start = () =>
    startEmbedded({
      dataDir,
      postgresBin: null,
      log: createLog('silent'),
      onProgress: () => undefined,
      shelter,
      findPackage: async () => source,
    });
  const first = await start();
  onTestFinished(() => first.stop());
  // As an older version did; the second start hands the table over.
  const client = new pg.Client(first.superuserTarget());
  await client.connect();
  await client.query('CREATE TABLE t AS SELECT 1 AS n');
  const { rows } = await client.query(`SELECT current_setting('data_directory') AS cluster`);
  await client.end();
  if (isRoot) {
    expect(rows[0].cluster).toMatch(new RegExp(`^${shelter}/[0-9a-f]{16}/cluster$`));
    const home = join(dataDir, 'postgres');
    expect((await lstat(home)).isSymbolicLink()).toBe(true);
    await stat(join(home, `postgresql-${source.version}`, 'native', 'bin', 'postgres'));
  } else {
    expect(rows[0].cluster).toBe(join(dataDir, 'postgres', 'cluster'));
    await expect(stat(shelter)).rejects.toThrow('ENOENT');
  }
  await first.stop();

  const second = await start();
  onTestFinished(() => second.stop());
  const again = new pg.Client(second.target());
  await again.connect();
  expect((await again.query('SELECT n FROM t')).rows).toEqual([{ n: 1 }]);
  await again.end();
  if (isRoot) expect((await readdir(shelter)).length).toBe(1);
});

it('refuses to start without the cluster rather than create an empty one', async () => {
  const dataDir = await temporaryDirectory();
  await symlink(join(dataDir, 'gone'), join(dataDir, 'postgres'));
  expect(await refusal(dataDir)).toMatch(
    /^FIELDWATCH_DATA_DIR: .* points to a directory that is gone/,
  );
});

it('listens on the loopback interface where the path of a socket would be too long', async () => {
  const dataDir = join(await temporaryDirectory(), 'd'.repeat(100));
  const storage = await openEmbedded(dataDir);
  expect(
    await storage.query(
      `SELECT current_setting('listen_addresses') AS address, inet_client_addr()::text AS from`,
    ),
  ).toEqual([{ address: '127.0.0.1', from: '127.0.0.1/32' }]);
});

it('clears what a killed first start left half-made, and nothing of a running one', async () => {
  const dataDir = await temporaryDirectory();
  const home = join(dataDir, 'postgres');
  const ours = join(home, `making-${process.pid}-left`);
  const running = join(home, `making-${process.ppid}-busy`);
  for (const path of [ours, running]) await mkdir(join(path, 'cluster'), { recursive: true });
  await prepareHome(dataDir, dataDir);
  expect(await readdir(home)).toEqual([`making-${process.ppid}-busy`]);
});

it('says that the data directory cannot be made', async () => {
  const file = join(await temporaryDirectory(), 'file');
  await writeFile(file, '');
  const dataDir = join(file, 'data');
  expect(await refusal(dataDir)).toBe(
    `FIELDWATCH_DATA_DIR: ${dataDir} cannot be made or written: a part of the path is not a directory.`,
  );
});

it('says that the data directory cannot be written', async () => {
  // Root may write anywhere but where the kernel itself refuses.
  const dataDir = isRoot ? '/sys/fieldwatch' : await temporaryDirectory(0o500);
  expect(await refusal(dataDir)).toMatch(
    /^FIELDWATCH_DATA_DIR: .* cannot be made or written: (permission is denied|.*read-only)\.$/,
  );
});

it('says that the disk is full', () => {
  const output = 'creating files ... initdb: error: could not write: No space left on device';
  expect(programFailure('/data', 'initdb', output).message).toBe(
    'FIELDWATCH_DATA_DIR: no space is left on the disk of /data.',
  );
});

it('says that FIELDWATCH_POSTGRES_BIN holds no PostgreSQL', async () => {
  const dataDir = await temporaryDirectory();
  expect(await refusal(dataDir, { postgresBin: '/nonexistent' })).toMatch(
    /^FIELDWATCH_POSTGRES_BIN: initdb and postgres in \/nonexistent do not run.*ENOENT/,
  );
});
