// A private server in a process of its own, with its embedded PostgreSQL.
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { familyOf } from './processes.mjs';
import { START_FLAGS } from './start-flags.mjs';

const { findRunning } = await import('../server/dist/storage/embedded/index.js');
const pg = createRequire(new URL('../server/package.json', import.meta.url))('pg');

const MAIN = fileURLToPath(new URL('../server/dist/bundle/main.js', import.meta.url));
const READY_LIMIT_MS = 60_000;

export const organizationId = '018f0000-0000-7000-8000-00000000be9c';
export const key = { id: 'bench', secret: 'bench-secret-of-32-characters-or-more' };
export const authorization = `Basic ${btoa(`${key.id}:${key.secret}`)}`;

/** A client for the PostgreSQL of a server, with all rights, and its processes. */
export async function reachDatabase(dataDir) {
  const client = new pg.Client(await findRunning(dataDir));
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query('show data_directory');
  const pidFile = await readFile(join(rows[0].data_directory, 'postmaster.pid'), 'utf8');
  const postmaster = Number(pidFile.split('\n')[0]);
  return { client, postmaster, pids: () => familyOf(postmaster) };
}

/** The first process of the PostgreSQL of a running server. */
export async function postmasterOf(dataDir) {
  const { client, postmaster } = await reachDatabase(dataDir);
  await client.end();
  return postmaster;
}

/** The server as it is built, with its own PostgreSQL, once it is ready. */
export async function startService(env = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldwatch-bench-'));
  await chmod(dataDir, 0o711);
  const child = spawn(process.execPath, [...START_FLAGS, MAIN], {
    env: {
      PATH: process.env.PATH,
      FIELDWATCH_HTTP_HOST: '127.0.0.1',
      FIELDWATCH_HTTP_PORT: '0',
      FIELDWATCH_MQTT_PORT: '0',
      FIELDWATCH_DATA_DIR: dataDir,
      FIELDWATCH_LOG_LEVEL: 'warn',
      FIELDWATCH_MQTT_MESSAGES_PER_SECOND: '0',
      FIELDWATCH_REQUESTS_PER_MINUTE: '0',
      FIELDWATCH_ORGANIZATION_ID: organizationId,
      FIELDWATCH_API_KEY_ID: key.id,
      FIELDWATCH_API_KEY_SECRET: key.secret,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A session of its own, as that of a service of systemd or of a container.
    detached: true,
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const addresses = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const http = /ready at (http:\S+)/.exec(output)?.[1];
      const mqttPort = /MQTT +mqtt:\S+:(\d+)/.exec(output)?.[1];
      if (http && mqttPort) resolve({ http, mqttPort: Number(mqttPort) });
    });
    void exited.then((code) => reject(new Error(`the server ended with ${code}\n${output}`)));
    setTimeout(() => reject(new Error('the server was not ready in time')), READY_LIMIT_MS).unref();
  });
  const database = await reachDatabase(dataDir);
  return {
    ...addresses,
    pid: child.pid,
    database,
    /** The number of readings that it has accepted so far. */
    async accepted() {
      const text = await (await fetch(`${addresses.http}/metrics`)).text();
      return Number(/^fieldwatch_readings_total{outcome="accepted"} (\d+)$/m.exec(text)?.[1]);
    },
    async stop() {
      await database.client.end();
      child.kill('SIGTERM');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
