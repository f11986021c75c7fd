import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { createLog, systemClock } from '../../src/runtime/index.ts';
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/index.ts';
import { SHORT_LIVED } from './process.ts';

/** Removed with the test. Open to other users, as whom PostgreSQL runs when the tests run as root. */
export async function temporaryDirectory(mode = 0o711): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'fw-'));
  await chmod(path, mode);
  onTestFinished(async () => {
    await chmod(path, 0o700);
    await rm(path, { recursive: true, force: true });
  });
  return path;
}

/** A migrations directory with these files. */
export async function temporaryMigrations(files: Readonly<Record<string, string>>): Promise<URL> {
  const path = await temporaryDirectory();
  for (const [name, sql] of Object.entries(files)) await writeFile(join(path, name), sql);
  return pathToFileURL(`${path}/`);
}

/** Opens storage and stops it with the test. */
export async function openTestStorage(
  options: Partial<StorageOptions> & Pick<StorageOptions, 'databaseUrl'>,
): Promise<Storage> {
  const storage = await openStorage({
    dataDir: '/nonexistent',
    postgresBin: null,
    log: createLog('silent'),
    clock: systemClock,
    onProgress: () => undefined,
    ...options,
  });
  onTestFinished(() => storage.stop());
  return storage;
}

/** Storage in a process of its own. */
export interface StorageProcess {
  readonly lines: readonly string[];
  /** The first line that begins so, once it has come. Fails when the process ends without it. */
  line(beginning: string): Promise<string>;
  kill(): Promise<void>;
  /** Stops it in good order. */
  stop(): Promise<void>;
}

const SCRIPT = fileURLToPath(new URL('storage-process.mjs', import.meta.url));

export function spawnStorage(
  task: 'hold' | 'write',
  options: { databaseUrl: string | null; dataDir: string; migrationsDir: URL },
): StorageProcess {
  const child = spawn(process.execPath, [...SHORT_LIVED, SCRIPT, task, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const closed = once(reader, 'close');
  async function kill(): Promise<void> {
    child.kill('SIGKILL');
    await exited;
  }
  onTestFinished(kill);
  return {
    lines,
    async line(beginning) {
      for (;;) {
        const found = lines.find((line) => line.startsWith(beginning));
        if (found !== undefined) return found;
        const ended = closed.then(() => 'closed');
        const next = await Promise.race([once(reader, 'line'), ended]);
        if (next === 'closed') throw new Error(`no line "${beginning}" in: ${lines.join(' | ')}`);
      }
    },
    kill,
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}
