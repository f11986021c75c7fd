import { execFileSync, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import type { Storage, StorageOptions } from '../../src/storage/index.ts';
import { openTestStorage, temporaryDirectory } from './storage.ts';

export const isRoot = process.getuid?.() === 0;

export function processField(field: 'uid' | 'pgid', pid: number): number {
  return Number(execFileSync('ps', ['-o', `${field}=`, '-p', `${pid}`], { encoding: 'utf8' }));
}

/** A process that has ended and waits for its parent no longer runs. */
export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

/** The file in which PostgreSQL names its own process. */
export function pidFileIn(dataDir: string): string {
  return join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
}

export async function postmasterPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(pidFileIn(dataDir), 'utf8'), 10);
}

/** Storage in this data directory, without any migrations, until the end of the test. */
export async function openEmbedded(
  dataDir: string,
  options: Partial<StorageOptions> = {},
): Promise<Storage> {
  const migrationsDir = pathToFileURL(`${await temporaryDirectory()}/`);
  return await openTestStorage({ databaseUrl: null, dataDir, migrationsDir, ...options });
}

/** The sentence with which storage refuses to open. */
export async function refusal(
  dataDir: string,
  options: Partial<StorageOptions> = {},
): Promise<string> {
  const error = await openEmbedded(dataDir, options).catch((e: unknown) => e);
  expect(error).toMatchObject({ name: 'StartFailure' });
  return error instanceof Error ? error.message : '';
}
