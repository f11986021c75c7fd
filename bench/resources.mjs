// Lists of resources, compared with a bare Fastify route that returns the same bytes from memory.
// Run with `npm run bench:resources`. Figures are in bench/results.
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { populate, SEARCHES, UNASKED_SEARCHES } from './fleet.mjs';
import { load } from './load.mjs';
import { machine } from './results.mjs';
import { note } from './rows.mjs';
import { START_FLAGS } from './start-flags.mjs';

const { createLog } = await import('../server/dist/runtime/index.js');
const { startEmbedded } = await import('../server/dist/storage/index.js');
const pg = createRequire(new URL('../server/package.json', import.meta.url))('pg');

const ROUNDS = 3;
const SECONDS = 4;
const UNASKED = 'list of Devices, a search that nobody made before';
const organizationId = '018f0000-0000-7000-8000-00000000be9c';
const key = { id: 'bench', secret: 'bench-secret-of-32-characters-or-more' };
const authorization = `Basic ${Buffer.from(`${key.id}:${key.secret}`).toString('base64')}`;

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

const children = [];

/** Starts a script in a process of its own, as `npm start` does, and waits for the address it prints. */
function start(script, env) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [...START_FLAGS, path], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const address = /ready at (http:\S+)/.exec(output)?.[1];
      if (address) resolve(address);
    });
    child.on('exit', (code) => reject(new Error(`${script} ended with ${code}\n${output}`)));
  });
}

async function measure() {
  const service = await start('../server/dist/bundle/main.js', {
    FIELDWATCH_HTTP_HOST: '127.0.0.1',
    FIELDWATCH_HTTP_PORT: '0',
    FIELDWATCH_MQTT_PORT: '0',
    FIELDWATCH_DATA_DIR: join(dataDir, 'service'),
    FIELDWATCH_LOG_LEVEL: 'error',
    FIELDWATCH_REQUESTS_PER_MINUTE: '0',
    FIELDWATCH_ORGANIZATION_ID: organizationId,
    FIELDWATCH_API_KEY_ID: key.id,
    FIELDWATCH_API_KEY_SECRET: key.secret,
    DATABASE_URL: databaseUrl,
  });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const everyFilter = await populate(client, organizationId);
  await client.end();

  const base = `/primary/v1/${organizationId}`;
  const one = { path: `${base}/devices?search=pump%2017&type=CUSTOM_DEVICE` };
  const searches = (texts) =>
    texts.map((search) => ({
      path: `${base}/devices?search=${encodeURIComponent(search)}&type=CUSTOM_DEVICE`,
    }));
  const search = {
    method: 'POST',
    path: `${base}/alarms/search`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(everyFilter),
  };
  const listBody = await bytesOf(service, one, 'Devices');
  const searchBody = await bytesOf(service, search, 'alarms');
  const memory = await start('./memory-route.mjs', {
    LIST_BODY: listBody,
    SEARCH_BODY: searchBody,
  });
  const cases = {
    'Fastify, the bytes of the list from memory': [memory, [{ path: '/' }]],
    'list of Devices, the same page again': [service, [one]],
    'list of Devices, 200 searches in turn': [service, searches(SEARCHES)],
    [UNASKED]: [service, searches(UNASKED_SEARCHES)],
    'Fastify, the bytes of the search from memory': [memory, [{ ...search, path: '/' }]],
    'alarm search with every filter, again': [service, [search]],
  };
  const rates = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, [url, requests]] of Object.entries(cases)) {
      rates[name].push(
        await load(url, requests, { authorization, seconds: SECONDS, isDivided: name === UNASKED }),
      );
    }
  }
  report(rates);
}

async function bytesOf(service, { path, method, headers, body }, what) {
  const init = { method, body, headers: { authorization, ...headers } };
  const text = await (await fetch(service + path, init)).text();
  const { count, items } = JSON.parse(text);
  console.log(
    `A page: ${items.length} of ${count} ${what} that match, of 100000; ${text.length} bytes.`,
  );
  return text;
}

/** Each line is compared with the memory route above it, which gets the same requests. */
function report(rates) {
  let memory = 0;
  for (const [name, list] of Object.entries(rates)) {
    const rate = Math.max(...list);
    if (name.startsWith('Fastify')) memory = rate;
    note(name, `${Math.round(rate)} requests/s`, `${(rate / memory).toFixed(2)} of memory`);
  }
  console.log(
    `\n${machine()}, Node ${process.version}, best of ${ROUNDS} rounds of ${SECONDS} s, 50 connections, load from a second process.`,
  );
}

try {
  await measure();
} finally {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(
    children.map((child) => child.exitCode ?? new Promise((done) => child.once('exit', done))),
  );
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
