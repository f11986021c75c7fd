// `npm run fixture`: makes the fixture of a schema for the tests of upgrades. The server of a built
// checkout runs on an empty PostgreSQL, a client writes through its interface, the server is killed,
// and the database is dumped. `npm run fixture -- --from ../fieldwatch-0.1.0` takes another checkout.
// Needs initdb, postgres and pg_dump of one major version, the oldest that is supported.
import './node-version.mjs';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { answersOf, createRecords, settings, writeNewest } from './fixture-data.mjs';
import { fromRoot } from './run.mjs';

const FOLDER = 'server/test/upgrades/fixtures';
const MAINS = ['bundle/main.js', 'cli/main.js', 'main.js'];
const READY_LIMIT_MS = 60_000;

const { values: options } = parseArgs({
  options: {
    from: { type: 'string', default: fromRoot('.') },
    postgres: { type: 'string', default: '/usr/lib/postgresql/15/bin' },
  },
});

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** A server of the checkout on the database, ready for requests. */
async function startServer(databaseUrl, dataDir) {
  const dist = resolve(options.from, 'server/dist');
  const main = MAINS.map((name) => join(dist, name)).find((path) => existsSync(path));
  if (!main) throw new Error(`${dist} has no server: build the checkout first.`);
  const port = await freePort();
  const child = spawn(process.execPath, [main], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      ...settings,
      DATABASE_URL: databaseUrl,
      FIELDWATCH_DATA_DIR: dataDir,
      FIELDWATCH_HTTP_HOST: '127.0.0.1',
      FIELDWATCH_HTTP_PORT: `${port}`,
      FIELDWATCH_MQTT_PORT: '0',
      FIELDWATCH_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const endAt = Date.now() + READY_LIMIT_MS;
  while (!(await fetch(`${url}/readyz`).catch(() => ({ ok: false }))).ok) {
    if (child.exitCode !== null || Date.now() > endAt) throw new Error('the server is not ready');
    await pause(100);
  }
  const end = async (signal) => {
    child.kill(signal);
    await exited;
  };
  return { url, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

/** The database as statements that any client can run, without the commands that only psql knows. */
async function dump({ host, port, user, password, database }) {
  const { stdout } = await promisify(execFile)(
    join(options.postgres, 'pg_dump'),
    ['--no-owner', '--no-privileges', '--no-comments', '--rows-per-insert=100', database],
    {
      env: { PGHOST: host, PGPORT: `${port}`, PGUSER: user, PGPASSWORD: password },
      maxBuffer: 64 * 1024 ** 2,
    },
  );
  const lines = stdout.split('\n').filter((line) => !/^(?:\\|--|\s*$)/.test(line));
  return `${lines.join('\n')}\n`;
}

function urlOf({ host, port, user, password, database }) {
  const query = new URLSearchParams({ host, port: `${port}` });
  return `postgresql://${user}:${password}@localhost/${database}?${query}`;
}

/** Writes, stops, so that readings are in chunks, writes again, and kills, so that they are in journals. */
async function fill(databaseUrl, dataDir) {
  const first = await startServer(databaseUrl, dataDir);
  const records = await createRecords(first.url);
  await first.stop();
  const second = await startServer(databaseUrl, dataDir);
  await writeNewest(second.url, records);
  const answers = await answersOf(second.url, records);
  await second.kill();
  return answers;
}

const dataDir = await mkdtemp(join(tmpdir(), 'fieldwatch-fixture-'));
await chmod(dataDir, 0o711);
const { startEmbedded } = await import('../server/dist/bundle/storage.js');
const { createLog } = await import('../server/dist/bundle/runtime.js');
const postgres = await startEmbedded({
  dataDir,
  postgresBin: options.postgres,
  log: createLog('warn'),
  onProgress: () => undefined,
});
try {
  const target = postgres.target();
  const answers = await fill(urlOf(target), dataDir);
  const migrations = readdirSync(resolve(options.from, 'server/migrations')).sort();
  const name = migrations.at(-1).slice(0, 4);
  await mkdir(fromRoot(FOLDER), { recursive: true });
  await writeFile(fromRoot(FOLDER, `${name}.sql.gz`), gzipSync(await dump(target)));
  await writeFile(fromRoot(FOLDER, `${name}.json.gz`), gzipSync(JSON.stringify(answers)));
  console.log(`Wrote ${name}.sql.gz and ${name}.json.gz in ${FOLDER}.`);
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
