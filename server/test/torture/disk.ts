import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIZE_BYTES = 2 * 1024 ** 3;

/** Where the server keeps its data. */
export interface Disk {
  readonly path: string;
  /** Why it cannot be filled; null when it can. */
  readonly fixedBecause: string | null;
  /** Leaves no room for anybody. */
  fill(): void;
  free(): void;
  remove(): void;
}

/**
 * A file system of its own within a file, so that filling it concerns nobody else; a plain directory
 * where file systems cannot be mounted.
 */
export function createDisk(): Disk {
  const home = mkdtempSync(join(tmpdir(), 'fw-torture-'));
  chmodSync(home, 0o711);
  const path = join(home, 'data');
  mkdirSync(path);
  const problem = mountIn(home, path);
  chmodSync(path, 0o711);
  const ballast = join(path, 'ballast');
  return {
    path,
    fixedBecause: problem,
    fill() {
      for (let part = 0; part < 20; part += 1) {
        const { bavail, bsize } = statfsSync(path);
        if (bavail === 0) return;
        try {
          const args = ['-l', String(bavail * bsize), `${ballast}.${part}`];
          execFileSync('fallocate', args, { stdio: 'ignore' });
        } catch {
          // Some of the room was for the file system itself; the next part takes what is left.
        }
      }
    },
    free() {
      for (let part = 0; part < 20; part += 1) rmSync(`${ballast}.${part}`, { force: true });
    },
    remove() {
      if (problem === null) run('umount', '--lazy', path);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function mountIn(home: string, path: string): string | null {
  if (process.platform !== 'linux') return 'only Linux can mount a file as a file system';
  const image = join(home, 'image');
  return (
    run('truncate', '-s', String(SIZE_BYTES), image) ??
    run('mkfs.ext4', '-q', '-m', '0', image) ??
    run('mount', '-o', 'loop', image, path)
  );
}

/** Null when it worked, else the first line of what it said. */
function run(command: string, ...args: readonly string[]): string | null {
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
    return null;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return text.trim().split('\n').at(-1) ?? command;
  }
}
