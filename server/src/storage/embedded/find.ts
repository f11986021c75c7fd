import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import { PASSWORD_FILE } from './cluster.ts';
import { DATABASE } from './embedded.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { clientConfig, openSession } from './session.ts';

/** The PostgreSQL that runs in a data directory now, to be used beside its server; null if none. */
export async function findRunning(dataDir: string): Promise<ClientConfig | null> {
  const home = await realpath(join(dataDir, 'postgres')).catch(() => null);
  const password = await readFile(join(dataDir, PASSWORD_FILE), 'utf8').catch(() => null);
  if (home === null || password === null) return null;
  const endpoint = (await readPostmasterFile(join(home, 'cluster')))?.endpoint;
  if (!endpoint) return null;
  const session = await openSession(endpoint, password).catch(() => null);
  await session?.end();
  return session && clientConfig(endpoint, password, DATABASE);
}
