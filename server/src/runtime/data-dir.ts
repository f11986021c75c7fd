import { chmodSync, mkdirSync } from 'node:fs';
import { StartFailure } from './start-failure.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'a part of the path is not a directory',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'the path is too long',
};

/**
 * Makes the data directory where it is missing, closed to other users. Under root PostgreSQL runs as
 * another user, which has to pass through it: the database would else be made elsewhere.
 */
export function makeDataDir(path: string): void {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  // The mode of mkdir is cut by the umask.
  if (mkdirSync(path, { recursive: true, mode })) chmodSync(path, mode);
}

/** The operator's sentence for a file operation that failed; other errors stay as they are. */
export function dataDirFailure(dataDir: string, error: unknown): unknown {
  const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
  if (error instanceof StartFailure || !reason) return error;
  return new StartFailure(`FIELDWATCH_DATA_DIR: ${dataDir} cannot be made or written: ${reason}.`, {
    cause: error,
  });
}
