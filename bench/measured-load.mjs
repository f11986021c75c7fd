// Scripts in processes of their own, and the load of `mqtt-loader.mjs` on them with its cost.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { KEYS_PER_MESSAGE } from './meters.mjs';
import { cpuSeconds, memoryOf } from './processes.mjs';
import { note } from './rows.mjs';
import { START_FLAGS } from './start-flags.mjs';

export const SERVER = '../server/dist/bundle/main.js';
const MQTT_LOADER = './mqtt-loader.mjs';
export const HTTP_LOADER = './http-loader.mjs';
export const organizationId = '018f0000-0000-7000-8000-00000000be9c';
export const key = { id: 'bench', secret: 'bench-secret-of-32-characters-or-more' };

const WARM_UP_SECONDS = 3;
const SECONDS = 10;

const children = new Set();

export function killAll() {
  for (const child of children) child.kill('SIGKILL');
}

/** The settings of a server on a database. */
export const serverEnv = (databaseUrl, dataDir) => ({
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
  DATABASE_URL: databaseUrl,
});

/** Starts a script in a process of its own and waits for the addresses that it prints. */
export async function start(script, { args = [], env = {}, flags = [] } = {}) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const all = script === SERVER ? [...START_FLAGS, ...flags] : flags;
  const child = spawn(process.execPath, [...all, path, ...args], {
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
      if (mqtt && (http || script !== SERVER)) resolve({ mqtt, http });
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

/** The readings that a server has accepted since its start. */
export async function acceptedBy(service) {
  const text = await (await fetch(`${service.http}/metrics`)).text();
  return Number(/^fieldwatch_readings_total{outcome="accepted"} (\d+)$/m.exec(text)?.[1]);
}

/**
 * The result of the loader, and the CPU time and the memory of groups of processes meanwhile. The
 * clients connect to `port`, or each to a port of its own. `onTurn` is called when the measurement
 * begins and when it ends.
 */
export async function load(task, groups = {}, onTurn = () => undefined, loader = MQTT_LOADER) {
  const path = fileURLToPath(new URL(loader, import.meta.url));
  const child = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.add(child);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end(JSON.stringify({ seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS, ...task }));
  const ofEach = (measure) =>
    Object.fromEntries(Object.entries(groups).map(([name, pids]) => [name, measure(pids())]));
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
      if (last.begun || last.ended) onTurn();
      if (last.begun) before = ofEach(cpuSeconds);
      if (last.ended) {
        after = ofEach(cpuSeconds);
        memory = ofEach(memoryOf);
      }
    }
  }
  if ((await exited) !== 0) throw new Error('the loader failed');
  const micros = (name) => (1e6 * (after[name] - before[name])) / last.messages;
  if (last.outOfOrder > 0) throw new Error(`${last.outOfOrder} acknowledgements out of order`);
  return {
    ...last,
    rate: (last.messages * (last.readings ?? KEYS_PER_MESSAGE)) / last.seconds,
    loaderMicros: (1e6 * last.cpuSeconds) / last.messages,
    micros: Object.fromEntries(Object.keys(groups).map((name) => [name, micros(name)])),
    memory,
  };
}

export const readings = (rate) =>
  `${Math.round(rate).toLocaleString('en').replaceAll(',', ' ')} readings/s`;

/** The rows of what a load cost, below the row of its rate. */
export function noteCosts(seen) {
  const costs = Object.entries(seen.micros).map(([who, us]) => `${who} ${us.toFixed(1)}`);
  note('  CPU µs a message', [...costs, `loader ${seen.loaderMicros.toFixed(1)}`].join(', '));
  note('  acknowledged after', `${seen.p50.toFixed(1)} ms median, ${seen.p99.toFixed(1)} ms p99`);
}
