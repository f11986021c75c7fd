import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDir } from './data-dir.ts';
import { StartFailure } from './start-failure.ts';

const FILE = 'secret.key';
const BYTES = 32;

/** A key that is not in use yet: no start has recorded its check value in the database. */
const NEW_FILE = 'secret.key.new';

/** The installation's secret: the setting, or else the key file in the data directory; null if neither. */
export function readSecret(setting: string | null, dataDir: string): Buffer | null {
  return setting === null ? readFile(dataDir, FILE) : Buffer.from(setting);
}

/** The secret of a first start that was interrupted; null if there is none. */
export function readNewSecret(dataDir: string): Buffer | null {
  return readFile(dataDir, NEW_FILE);
}

/**
 * A new secret, in a file of its own until `keepSecret`: a first start that is interrupted leaves
 * no key that looks like that of an installation, and the next one uses the same. Two first starts
 * at once agree on one file, since a link never overwrites.
 */
export function createSecret(dataDir: string): Buffer {
  return inDataDir(dataDir, NEW_FILE, (path) =>
    decoded(path, read(path) ?? create(path, dataDir, randomBytes(BYTES))),
  );
}

/** The new secret is in use from now on. */
export function keepSecret(dataDir: string): void {
  inDataDir(dataDir, FILE, (path) => {
    try {
      renameSync(join(dataDir, NEW_FILE), path);
    } catch (error) {
      // Another server that started at the same time was faster.
      if (read(path) === undefined) throw error;
    }
  });
}

function readFile(dataDir: string, file: string): Buffer | null {
  return inDataDir(dataDir, file, (path) => {
    const kept = read(path);
    return kept === undefined ? null : decoded(path, kept);
  });
}

function decoded(path: string, text: string): Buffer {
  const secret = Buffer.from(text, 'base64url');
  if (secret.length === BYTES) return secret;
  throw new StartFailure(
    `FIELDWATCH_DATA_DIR: ${path} is damaged; restore it from a backup, or set FIELDWATCH_SECRET_KEY.`,
  );
}

function inDataDir<T>(dataDir: string, file: string, work: (path: string) => T): T {
  const path = join(dataDir, file);
  try {
    return work(path);
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    throw new StartFailure(
      `FIELDWATCH_DATA_DIR: ${path} cannot be read or written (${(error as Error).message}).`,
    );
  }
}

/** Puts the secret of a backup in its place; one that is there already stays, and must be the same. */
export function placeSecret(dataDir: string, secret: Buffer): void {
  const path = join(dataDir, FILE);
  if ((read(path) ?? create(path, dataDir, secret)) === secret.toString('base64url')) return;
  throw new StartFailure(
    `FIELDWATCH_DATA_DIR: ${path} is another key than that of the backup; restore to another directory, or move the key away.`,
  );
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function create(path: string, dataDir: string, bytes: Buffer): string {
  makeDataDir(dataDir);
  const secret = bytes.toString('base64url');
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(temporary, `${secret}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(temporary, path);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readFileSync(path, 'utf8').trim();
  } finally {
    rmSync(temporary);
  }
}
