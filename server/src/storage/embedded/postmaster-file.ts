import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Endpoint } from './endpoint.ts';

/** What a running PostgreSQL writes about itself, and a killed one leaves behind. */
export interface PostmasterFile {
  readonly pid: number;
  /** Null while it is still starting. */
  readonly endpoint: Endpoint | null;
  readonly text: string;
}

/** Lines: process, data directory, start time, port, socket directory, address, … */
function parsePostmasterFile(text: string): PostmasterFile | null {
  const [pid, , , port, socketDirectory, address] = text.split('\n').map((line) => line.trim());
  if (!Number(pid)) return null;
  const host = socketDirectory || address;
  return {
    pid: Math.abs(Number(pid)),
    endpoint: host && Number(port) ? { host, port: Number(port) } : null,
    text,
  };
}

function pathIn(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | null> {
  return parsePostmasterFile(await readFile(pathIn(cluster), 'utf8').catch(() => ''));
}

/**
 * Makes PostgreSQL see that the file is an old one although its process number is in use by
 * another program: PostgreSQL never takes its own parent for a rival. The rest of the file stays,
 * since it is how PostgreSQL finds orphaned backends of the former server.
 */
export async function disownPostmasterFile(cluster: string, file: PostmasterFile): Promise<void> {
  const [, ...rest] = file.text.split('\n');
  await writeFile(pathIn(cluster), [`${process.pid}`, ...rest].join('\n'));
}

/** A crash of the machine can leave it empty, and PostgreSQL then asks for its removal by hand. */
export async function removeEmptyPostmasterFile(cluster: string): Promise<void> {
  const text = await readFile(pathIn(cluster), 'utf8').catch(() => null);
  if (text === '') await rm(pathIn(cluster), { force: true });
}
