import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartFailure } from './start-failure.ts';

const FILE = 'secret.key';
const BYTES = 32;

/**
 * The installation's secret: the setting, or else the key file in the data directory, made by the
 * first start. Two first starts at once agree on one file, since a link never overwrites.
 */
export function loadSecret(setting: string | null, dataDir: string): Buffer {
  if (setting !== null) return Buffer.from(setting);
  const path = join(dataDir, FILE);
  try {
    const kept = read(path) ?? create(path, dataDir, randomBytes(BYTES));
    const secret = Buffer.from(kept, 'base64url');
    if (secret.length !== BYTES) {
      throw new StartFailure(
        `FIELDWATCH_DATA_DIR: ${path} is damaged; restore it from a backup, or set FIELDWATCH_SECRET_KEY.`,
      );
    }
    return secret;
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
  mkdirSync(dataDir, { recursive: true });
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
