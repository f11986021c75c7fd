// Several nodes on one PostgreSQL, each a process of its own.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVER, serverEnv, start } from './measured-load.mjs';

export const PARTITIONS = 256;
const BALANCED_LIMIT_MS = 60_000;
const SECRET_KEY = 'a secret key for benchmarks, 32 or more';

/** Starts so many nodes, and resolves when each has its share of the partitions. */
export async function startNodes({ client, databaseUrl, dataDir }, count) {
  const nodes = [];
  for (let place = 0; place < count; place += 1) {
    const directory = join(dataDir, `node-${place}`);
    const env = { ...serverEnv(databaseUrl, directory), FIELDWATCH_SECRET_KEY: SECRET_KEY };
    const node = await start(SERVER, { env });
    nodes.push({ ...node, id: (await readFile(join(directory, 'node-id'), 'utf8')).trim() });
  }
  const partitionsOf = await balanced(client, count);
  return nodes.map((node) => ({ ...node, partitions: partitionsOf.get(node.id) }));
}

async function balanced(client, count) {
  const query = 'select owner, array_agg(number) as partitions from partitions group by owner';
  for (const end = performance.now() + BALANCED_LIMIT_MS; performance.now() < end; ) {
    const { rows } = await client.query(query);
    const share = Math.floor(PARTITIONS / count);
    if (rows.length === count && rows.every(({ partitions }) => partitions.length >= share)) {
      return new Map(rows.map(({ owner, partitions }) => [owner, partitions]));
    }
    await sleep(200);
  }
  throw new Error('the nodes did not get their shares of the partitions in time');
}
