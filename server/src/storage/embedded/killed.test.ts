import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { isRunning, openEmbedded, postmasterPid } from '../../../test/support/embedded.ts';
import { cases } from '../../../test/support/soak.ts';
import {
  type StorageProcess,
  spawnStorage,
  temporaryDirectory,
} from '../../../test/support/storage.ts';

const ROUNDS = cases(2, 0.5);
/** New clusters take their time on a busy machine. */
const LONG = { timeout: 120_000 };

async function spawnOn(dataDir: string, task: 'hold' | 'write'): Promise<StorageProcess> {
  const migrationsDir = pathToFileURL(`${await temporaryDirectory()}/`);
  return spawnStorage(task, { databaseUrl: null, dataDir, migrationsDir });
}

it(
  'loses nothing whose commit was reported when the server is killed as it writes',
  LONG,
  async () => {
    const dataDir = await temporaryDirectory();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const server = await spawnOn(dataDir, 'write');
      await server.line(`wrote ${round * 40}`);
      const left = await postmasterPid(dataDir);
      await server.kill();
      expect(isRunning(left)).toBe(true);
      const reported = Number(server.lines.at(-1)?.split(' ')[1]);

      const storage = await openEmbedded(dataDir);
      expect(isRunning(left)).toBe(false);
      const [row] = await storage.query<{ count: number; last: number }>(
        'SELECT count(*), max(n) AS last FROM written',
      );
      expect(row?.last).toBeGreaterThanOrEqual(reported);
      expect(row?.count).toBe(row?.last);
      await storage.stop();
    }
  },
);

it(
  'lets exactly one of two first starts at the same moment win, and the other say so',
  LONG,
  async () => {
    const dataDir = await temporaryDirectory();
    const servers = await Promise.all([spawnOn(dataDir, 'hold'), spawnOn(dataDir, 'hold')]);
    const outcomes = await Promise.all(
      servers.map((server) => Promise.any([server.line('ready'), server.line('failed')])),
    );
    expect(outcomes.toSorted()).toEqual([
      `failed FIELDWATCH_DATA_DIR: another Fieldwatch server is running on ${dataDir}; stop it, or give this one another directory.`,
      'ready',
    ]);
    const pid = await postmasterPid(dataDir);
    await servers[outcomes.indexOf('ready')]?.stop();
    expect(isRunning(pid)).toBe(false);
  },
);
