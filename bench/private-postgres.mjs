// A PostgreSQL of its own for a benchmark that starts servers itself, in a directory that is removed.
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { createLog } = await import('../server/dist/runtime/index.js');
const { startEmbedded } = await import('../server/dist/storage/index.js');
const pg = createRequire(new URL('../server/package.json', import.meta.url))('pg');

/** Servers that are given `databaseUrl` share it. `dataDir` is for their files too. */
export async function startPostgres() {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldwatch-bench-'));
  await chmod(dataDir, 0o711);
  const postgres = await startEmbedded({
    dataDir,
    postgresBin: null,
    log: createLog('error'),
    onProgress: () => undefined,
  });
  const { host, port, user, password, database } = postgres.superuserTarget();
  const databaseUrl = `postgresql://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
  const connect = async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const client = await connect();
  const { rows } = await client.query('show data_directory');
  const pidFile = join(rows[0].data_directory, 'postmaster.pid');
  const postmaster = Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
  return {
    client,
    databaseUrl,
    postmaster,
    dataDir,
    /** With a connection of its own, whose process and caches in PostgreSQL are gone afterwards. */
    async withClient(work) {
      const own = await connect();
      return work(own).finally(() => own.end());
    },
    async stop() {
      await client.end();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
