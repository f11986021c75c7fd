import { execFile, spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';

const WORKER = `
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from './lock.mjs';
await withLock(async () => {
  appendFileSync('work.log', 'begin\\n');
  await sleep(20);
  appendFileSync('work.log', 'end\\n');
});
`;

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldwatch-lock-'));
  await mkdir(join(directory, 'scripts'));
  for (const name of ['lock.mjs', 'run.mjs']) {
    const source = fileURLToPath(new URL(name, import.meta.url));
    await copyFile(source, join(directory, 'scripts', name));
  }
  await writeFile(join(directory, 'scripts', 'worker.mjs'), WORKER);
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

/** Runs workers at once and answers what they did, in order. */
async function work(count: number): Promise<string> {
  const run = promisify(execFile);
  await Promise.all(
    Array.from({ length: count }, () =>
      run(process.execPath, ['scripts/worker.mjs'], { cwd: directory }),
    ),
  );
  expect(await readdir(join(directory, '.build'))).toEqual([]);
  return readFile(join(directory, 'work.log'), 'utf8');
}

it('lets one process work at a time', async () => {
  expect(await work(8)).toBe('begin\nend\n'.repeat(8));
});

it('takes over the lock of a process that has died', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  await mkdir(join(directory, '.build/lock'), { recursive: true });
  await writeFile(join(directory, '.build/lock', String(pid)), '');
  expect(await work(4)).toBe('begin\nend\n'.repeat(4));
});

it('takes over a lock whose maker died before it could put its name on it', async () => {
  await mkdir(join(directory, '.build/lock'), { recursive: true });
  expect(await work(4)).toBe('begin\nend\n'.repeat(4));
});
