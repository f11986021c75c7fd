// The server is killed again and again while Devices publish at a chosen rate over MQTT, and PostgreSQL
// is halted for a while. Then every acknowledged reading must be found, and no refused reading.
// Each Device also sends texts for a NUMBER of its own. Run `npm run build` first, then
// `node bench/crash.mjs [--kills 20] [--rate 100000] [--keys 20] [--devices 20] [--seconds 2] [--away 10]`.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MqttClient } from 'mqtt';
import { createClient } from '../client/dist/index.js';
import { noteTable } from './rows.mjs';
import { stoppedOnSignal } from './stopping.mjs';

const MAIN = fileURLToPath(new URL('../server/dist/bundle/main.js', import.meta.url));
const START = Date.UTC(2026, 0, 1);
const IN_FLIGHT = 50;
const TICK_MS = 5;
const PAGE = 50_000;
const READY_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 30_000;
const POSTMASTER_FILE = ['postgres', 'cluster', 'postmaster.pid'];

const flag = (value) => ({ type: 'string', default: value });
const { values: given } = parseArgs({
  options: {
    kills: flag('20'),
    rate: flag('100000'),
    keys: flag('20'),
    devices: flag('20'),
    seconds: flag('2'),
    away: flag('10'),
  },
});
const [kills, rate, keys, devices, seconds, awaySeconds] = [
  given.kills,
  given.rate,
  given.keys,
  given.devices,
  given.seconds,
  given.away,
].map(Number);

const organizationId = '018f0000-0000-7000-8000-0000000000ce';
const dataDir = mkdtempSync(join(tmpdir(), 'fieldwatch-crash-'));
chmodSync(dataDir, 0o711);

function startServer() {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      FIELDWATCH_DATA_DIR: dataDir,
      FIELDWATCH_HTTP_HOST: '127.0.0.1',
      FIELDWATCH_HTTP_PORT: '0',
      FIELDWATCH_MQTT_PORT: '0',
      FIELDWATCH_LOG_LEVEL: 'error',
      FIELDWATCH_ORGANIZATION_ID: organizationId,
      FIELDWATCH_API_KEY_ID: 'crash-key',
      FIELDWATCH_API_KEY_SECRET: 'crash-secret-of-32-characters-or-more',
      FIELDWATCH_REQUESTS_PER_MINUTE: '0',
      FIELDWATCH_MQTT_MESSAGES_PER_SECOND: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = new Promise((resolve) => child.once('close', resolve));
  let output = '';
  const ready = new Promise((resolve, reject) => {
    const look = (chunk) => {
      output += chunk;
      const http = /ready at (http:\S+)/.exec(output)?.[1];
      const mqttPort = /MQTT +mqtt:\S+:(\d+)/.exec(output)?.[1];
      if (http && mqttPort) resolve({ http, mqttPort: Number(mqttPort) });
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    void gone.then(() => reject(new Error(`the server ended:\n${output}`)));
    setTimeout(() => reject(new Error('the server was not ready in time')), READY_LIMIT_MS).unref();
  });
  ready.catch(() => undefined);
  return { child, gone, ready };
}

const valueAt = (key, time) => (time % 10_000) + key * 10_000;

const sources = [];
let isDone = false;
let server = startServer();
let address;
const api = () =>
  createClient({
    baseUrl: address.http,
    credentials: { apiKeyId: 'crash-key', apiKeySecret: 'crash-secret-of-32-characters-or-more' },
  });

async function makeSource(index) {
  const client = api();
  const { credentials, id: deviceId } = await client.createDevice({
    organizationId,
    body: { type: 'CUSTOM_DEVICE', name: `Device ${index}` },
  });
  const makeVariable = async (topicPropertyPath) => {
    const kept = { type: 'NUMBER', name: topicPropertyPath, isLoggingEnabled: true };
    const body = { topicPropertyPath, ...kept };
    return (await client.createVariable({ organizationId, deviceId, body })).id;
  };
  const variables = [];
  for (let key = 0; key < keys; key += 1) variables.push(await makeVariable(`value.${key}`));
  const refused = await makeVariable('refused');
  const publisher = new MqttClient(() => connect(address.mqttPort, '127.0.0.1'), {
    username: credentials.username,
    password: credentials.password,
    protocolVersion: index % 2 === 0 ? 5 : 4,
    reconnectPeriod: 50,
    reconnectOnConnackError: true,
  });
  const source = {
    ...{ topic: credentials.topic, qos: index % 4 === 3 ? 2 : 1, variables, refused, publisher },
    ...{ time: START, underWay: 0, acknowledged: [], closes: 0 },
  };
  publisher.on('error', () => undefined);
  publisher.on('close', () => {
    source.closes += 1;
  });
  return source;
}

function send(source) {
  source.time += 1;
  const { time } = source;
  const data = { refused: 'a text' };
  for (let key = 0; key < keys; key += 1) data[`value.${key}`] = valueAt(key, time);
  source.underWay += 1;
  const payload = JSON.stringify({ timestamp: time, data });
  source.publisher.publish(source.topic, payload, { qos: source.qos }, (error) => {
    source.underWay -= 1;
    if (!error) source.acknowledged.push(time);
  });
}

/** Sends at the rate, as far as the in-flight windows of the Devices allow. */
async function publish(sources) {
  let began = performance.now();
  let sent = 0;
  for (let next = 0; !isDone; ) {
    const due = ((performance.now() - began) / 1000) * (rate / keys);
    let isFull = false;
    while (sent < due && !isFull) {
      const from = next;
      while (sources[next].underWay >= IN_FLIGHT) {
        next = (next + 1) % sources.length;
        if (next === from) {
          isFull = true;
          break;
        }
      }
      if (isFull) break;
      send(sources[next]);
      next = (next + 1) % sources.length;
      sent += 1;
    }
    // Messages that could not be sent in time are not sent later: the rate is a maximum.
    if (isFull) [began, sent] = [performance.now(), 0];
    await sleep(TICK_MS);
  }
}

const acknowledgedIn = (sources) =>
  sources.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0) * keys;

async function until(isSo, limitMs, what) {
  const end = performance.now() + limitMs;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`${what}: not within ${limitMs / 1000} s`);
    await sleep(20);
  }
}

/** Kills the server once it has received readings for that long, and returns their rate. */
async function kill(sources) {
  const before = acknowledgedIn(sources);
  await until(() => acknowledgedIn(sources) > before, 60_000, 'a first acknowledgement');
  const [first, began] = [acknowledgedIn(sources), performance.now()];
  await sleep(seconds * 1000 * (0.5 + Math.random()));
  server.child.kill('SIGKILL');
  const taken = (acknowledgedIn(sources) - first) / ((performance.now() - began) / 1000);
  await server.gone;
  if (isDone) throw new Error('stopped');
  server = startServer();
  address = await server.ready;
  return Math.round(taken);
}

/** Halts every process of PostgreSQL, and returns how many connections were lost by that. */
async function haltStorage(sources) {
  const closes = () => sources.reduce((sum, source) => sum + source.closes, 0);
  await until(() => sources.every(({ publisher }) => publisher.connected), 30_000, 'connections');
  const before = closes();
  const pids = storagePids();
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  await sleep(awaySeconds * 1000);
  for (const pid of pids) process.kill(pid, 'SIGCONT');
  const reached = acknowledgedIn(sources);
  await until(() => acknowledgedIn(sources) > reached + rate, 60_000, 'going on by itself');
  return closes() - before;
}

/** PostgreSQL and its child processes; none when it does not run. */
function storagePids() {
  let postmaster;
  try {
    postmaster = Number(readFileSync(join(dataDir, ...POSTMASTER_FILE), 'utf8').split('\n')[0]);
  } catch {
    return [];
  }
  const others = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, parent]) => (parent === postmaster ? [pid] : []));
  return [postmaster, ...others];
}

/** Also a halted PostgreSQL that a killed server left behind. */
async function stopAll() {
  isDone = true;
  for (const { publisher } of sources) publisher.end(true);
  for (const pid of storagePids()) process.kill(pid, 'SIGCONT');
  server.child.kill('SIGTERM');
  await Promise.race([server.gone, sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
  server.child.kill('SIGKILL');
  const [postmaster] = storagePids();
  if (postmaster) process.kill(postmaster, 'SIGINT');
  await until(() => storagePids().length === 0, STOP_LIMIT_MS, 'an end of PostgreSQL');
  rmSync(dataDir, { recursive: true, force: true });
}

async function look(sources) {
  const totals = { found: 0, missing: 0, doubled: 0, 'refused and found': 0 };
  for (const { variables, refused, acknowledged, time } of sources) {
    const all = { startTime: 0, endTime: 2 * time };
    const page = await api().listReadings({ organizationId, variableId: refused, query: all });
    totals['refused and found'] += page.count;
    for (const [key, variableId] of variables.entries()) {
      const found = new Map();
      for (let startTime = START; startTime !== null; ) {
        const query = { startTime, endTime: time, take: PAGE };
        const page = await api().listReadings({ organizationId, variableId, query });
        for (const { timestamp, value } of page.items) {
          if (found.has(timestamp)) totals.doubled += 1;
          found.set(timestamp, value);
        }
        startTime = page.nextStartTime;
      }
      totals.found += found.size;
      for (const at of acknowledged) if (found.get(at) !== valueAt(key, at)) totals.missing += 1;
    }
  }
  return totals;
}

const stop = stoppedOnSignal(stopAll);
try {
  address = await server.ready;
  for (let index = 0; index < devices; index += 1) sources.push(await makeSource(index));
  const publishing = publish(sources);
  const rates = [];
  for (let count = 1; count <= kills; count += 1) {
    rates.push(await kill(sources));
    console.log(`kill ${count}: ${rates.at(-1)} readings/s before it`);
  }
  const lost = awaySeconds > 0 ? await haltStorage(sources) : 0;
  isDone = true;
  await publishing;
  const isAnswered = () => sources.every(({ underWay }) => underWay === 0);
  await until(isAnswered, 60_000, 'an answer to every message');
  const mean = Math.round(rates.reduce((sum, each) => sum + each, 0) / Math.max(1, rates.length));
  noteTable({
    kills,
    'readings/s, mean': mean,
    'seconds without storage': awaySeconds,
    'connections lost by that': lost,
    acknowledged: acknowledgedIn(sources),
    ...(await look(sources)),
  });
} finally {
  await stop();
}
