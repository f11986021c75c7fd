// Readings in over MQTT at QoS 1, acknowledged after the durable commit; beside it the loader's own
// ceiling, the broker with nothing behind it, and the journal alone, all in one run.
// Run `npm run build` first, then `npm run bench -- ingest`, or `ingest:a:b` for some cases.
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countStored, PASSWORD, populate } from './metered-fleet.mjs';
import { KEYS_PER_MESSAGE } from './meters.mjs';
import { cpuSeconds, familyOf, memoryOf } from './processes.mjs';
import { isAlone, note, printTable } from './rows.mjs';
import { START_FLAGS } from './start-flags.mjs';

const { quickHash } = await import('../server/dist/access/secrets/index.js');
const { createLog } = await import('../server/dist/runtime/index.js');
const { startEmbedded } = await import('../server/dist/storage/index.js');
const pg = createRequire(new URL('../server/package.json', import.meta.url))('pg');

const organizationId = '018f0000-0000-7000-8000-00000000be9c';
const key = { id: 'bench', secret: 'bench-secret-of-32-characters-or-more' };
const WARM_UP_SECONDS = 3;
const SECONDS = 10;
const GOAL = { a: 250_000, b: 80_000, spread: 1.5 };

const children = new Set();

/** Starts a script in a process of its own and waits for the addresses that it prints. */
async function start(script, { args = [], env = {} } = {}) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const flags = script.includes('main.js') ? START_FLAGS : [];
  const child = spawn(process.execPath, [...flags, path, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const addresses = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const mqtt = /(mqtt:\/\/\S+)/.exec(output)?.[1];
      const http = /ready at (http:\S+)/.exec(output)?.[1];
      if (mqtt && (http || !script.includes('main.js'))) resolve({ mqtt, http });
    });
    child.on('exit', (code) => reject(new Error(`${script} ended with ${code}\n${output}`)));
  });
  return {
    pid: child.pid,
    port: Number(new URL(addresses.mqtt).port),
    http: addresses.http,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** The result of the loader, and the CPU time of `pids` meanwhile. */
async function load(port, { clients, inFlight, seconds = SECONDS }, groups = {}) {
  const path = fileURLToPath(new URL('./mqtt-loader.mjs', import.meta.url));
  const child = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.add(child);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end(
    JSON.stringify({ port, clients, inFlight, seconds, warmUpSeconds: WARM_UP_SECONDS }),
  );
  const cost = () =>
    Object.fromEntries(Object.entries(groups).map(([name, pids]) => [name, cpuSeconds(pids())]));
  let before = {};
  let after = {};
  let memory = {};
  let last = {};
  let rest = '';
  for await (const chunk of child.stdout) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      last = JSON.parse(line);
      if (last.begun) before = cost();
      if (last.ended) {
        after = cost();
        memory = Object.fromEntries(
          Object.entries(groups).map(([name, pids]) => [name, memoryOf(pids())]),
        );
      }
    }
  }
  if ((await exited) !== 0) throw new Error('the loader failed');
  const micros = (name) => (1e6 * (after[name] - before[name])) / last.messages;
  return {
    ...last,
    rate: (last.messages * KEYS_PER_MESSAGE) / last.seconds,
    loaderMicros: (1e6 * last.cpuSeconds) / last.messages,
    micros: Object.fromEntries(Object.keys(groups).map((name) => [name, micros(name)])),
    memory,
  };
}

async function acceptedBy(service) {
  const text = await (await fetch(`${service.http}/metrics`)).text();
  return Number(/^fieldwatch_readings_total{outcome="accepted"} (\d+)$/m.exec(text)?.[1]);
}

const readings = (rate) =>
  `${Math.round(rate).toLocaleString('en').replaceAll(',', ' ')} readings/s`;

function noteLoad(name, seen, { goal, ceiling } = {}) {
  const goalText = goal ? `goal ${readings(goal)}: ${(seen.rate / goal).toFixed(2)}` : '';
  const ofCeiling = ceiling ? `, ${(seen.rate / ceiling).toFixed(2)} of the loader's ceiling` : '';
  note(name, `${readings(seen.rate)}${ofCeiling}`, goalText);
  const costs = Object.entries(seen.micros).map(([who, us]) => `${who} ${us.toFixed(1)}`);
  note('  CPU µs a message', [...costs, `loader ${seen.loaderMicros.toFixed(1)}`].join(', '));
  note('  acknowledged after', `${seen.p50.toFixed(1)} ms median, ${seen.p99.toFixed(1)} ms p99`);
  if (seen.outOfOrder > 0) throw new Error(`${seen.outOfOrder} acknowledgements out of order`);
}

async function measure({ client, databaseUrl, postmaster, dataDir }, wanted) {
  const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
  const startService = () =>
    start('../server/dist/bundle/main.js', {
      env: {
        FIELDWATCH_HTTP_HOST: '127.0.0.1',
        FIELDWATCH_HTTP_PORT: '0',
        FIELDWATCH_MQTT_PORT: '0',
        FIELDWATCH_DATA_DIR: join(dataDir, 'service'),
        FIELDWATCH_LOG_LEVEL: 'warn',
        FIELDWATCH_MQTT_MESSAGES_PER_SECOND: '0',
        FIELDWATCH_ORGANIZATION_ID: organizationId,
        FIELDWATCH_API_KEY_ID: key.id,
        FIELDWATCH_API_KEY_SECRET: key.secret,
        DATABASE_URL: databaseUrl,
      },
    });
  const costs = (service) => ({
    server: () => [service.pid],
    PostgreSQL: () => familyOf(postmaster),
  });
  /** One load on a server that was just started; all acknowledged readings must be stored. */
  async function run(clients, inFlight, { isCounted }) {
    const service = await startService();
    const groups = costs(service);
    const idle = Object.fromEntries(
      Object.entries(groups).map(([name, pids]) => [name, memoryOf(pids())]),
    );
    const seen = await load(service.port, { clients, inFlight }, groups);
    const sent = seen.total * KEYS_PER_MESSAGE;
    const accepted = await acceptedBy(service);
    await service.stop();
    if (accepted !== sent) throw new Error(`${sent} acknowledged, ${accepted} accepted`);
    if (isCounted) {
      const stored = await countStored(client);
      note('  acknowledged and stored', `${sent} and ${stored}`);
      if (stored !== sent) throw new Error('what was acknowledged is not what is stored');
    }
    return { ...seen, idle };
  }

  await (await startService()).stop();
  let ceiling;
  if (isWanted('a') || isWanted('bare')) {
    const clients = await populate(client, organizationId, { gateways: 100, devicesEach: 10 });
    const sink = await start('./mqtt-loader.mjs', { args: ['sink'] });
    const bare = await load(
      sink.port,
      { clients, inFlight: 10, seconds: 4 },
      {
        sink: () => [sink.pid],
      },
    );
    await sink.stop();
    ceiling = bare.rate;
    noteLoad('the loader against a bare sink', bare);
    const broker = await start('./bare-broker.mjs', {
      env: {
        ORGANIZATION_ID: organizationId,
        PASSWORD_HASH: quickHash(PASSWORD),
      },
    });
    const ownTopics = clients.map((each) => ({
      ...each,
      topics: each.topics.map(
        (_, place) => `fieldwatch/${organizationId}/${each.username}/${place}`,
      ),
    }));
    const alone = await load(
      broker.port,
      { clients: ownTopics, inFlight: 10, seconds: 4 },
      {
        server: () => [broker.pid],
      },
    );
    await broker.stop();
    noteLoad('the broker with nothing behind it', alone, { ceiling });
    note('the journal alone, rows of 2 000 readings', readings(await journalAlone(client)));
    if (isWanted('a')) {
      const seen = await run(clients, 10, { isCounted: true });
      noteLoad('(a) 100 connections × 10 in flight', seen, { goal: GOAL.a, ceiling });
      for (const [name, megabytes] of Object.entries(seen.idle)) {
        note(`(f) memory of ${name}`, `${megabytes} MB idle, ${seen.memory[name]} MB under load`);
      }
    }
  }
  if (isWanted('b')) {
    const clients = await populate(client, organizationId, { gateways: 1_000, devicesEach: 1 });
    const seen = await run(clients, 1, { isCounted: true });
    noteLoad('(b) 1 000 connections × 1 in flight', seen, { goal: GOAL.b });
  }
  if (isWanted('g')) {
    const micros = [];
    for (const devicesEach of [1, 100, 1_000]) {
      const began = performance.now();
      const clients = await populate(client, organizationId, { gateways: 100, devicesEach });
      const seconds = (performance.now() - began) / 1000;
      // Few Variables get several readings within a millisecond, of which the last one is kept.
      const seen = await run(clients, 10, { isCounted: devicesEach > 1 });
      const variables = 1_000 * devicesEach;
      noteLoad(`(g) ${variables} Variables`, seen);
      note('  made in', `${seconds.toFixed(1)} s`);
      for (const [name, megabytes] of Object.entries(seen.memory)) {
        note(`  memory of ${name}`, `${megabytes} MB under load`);
      }
      micros.push((seen.micros.server + seen.micros.PostgreSQL) / KEYS_PER_MESSAGE);
    }
    note(
      '(g) CPU µs a reading at 1 000, 100 000, 1 000 000 Variables',
      micros.map((each) => each.toFixed(2)).join(', '),
      `goal within ${GOAL.spread}: ${(Math.max(...micros) / micros[0]).toFixed(2)}`,
    );
  }
}

/** Rows of the size of batches, two in flight, each committed by itself. */
async function journalAlone(client) {
  const count = 2_000;
  const row = Buffer.alloc(21 * count, 7);
  const statement = 'insert into journal (writer, id, data) values (-1, $1, $2)';
  let id = 0;
  const began = performance.now();
  for (; performance.now() - began < 4_000; id += 2) {
    await Promise.all([id, id + 1].map((each) => client.query(statement, [each, row])));
  }
  const rate = (id * count * 1_000) / (performance.now() - began);
  await client.query('delete from journal where writer = -1');
  return rate;
}

async function cleanUp() {
  for (const child of children) child.kill('SIGKILL');
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

const dataDir = await mkdtemp(join(tmpdir(), 'fieldwatch-bench-'));
await chmod(dataDir, 0o711);
const postgres = await startEmbedded({
  dataDir,
  postgresBin: null,
  log: createLog('error'),
  onProgress: () => undefined,
});
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}
try {
  const { host, port, user, password, database } = postgres.superuserTarget();
  const databaseUrl = `postgresql://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query('show data_directory');
  const pidFile = join(rows[0].data_directory, 'postmaster.pid');
  const postmaster = Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
  await measure({ client, databaseUrl, postmaster, dataDir }, process.argv.slice(2));
  await client.end();
  if (isAlone()) printTable();
} finally {
  await cleanUp();
}
