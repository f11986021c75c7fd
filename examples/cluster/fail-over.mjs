// Publishes readings over MQTT and HTTP through HAProxy, kills a part of the cluster meanwhile, and
// counts: every acknowledged reading must be in the history. Run it after `start`:
//
//   node examples/cluster/fail-over.mjs primary     the primary's machine: Patroni and PostgreSQL
//   node examples/cluster/fail-over.mjs postgresql  the primary's PostgreSQL alone
//   node examples/cluster/fail-over.mjs node        a Fieldwatch node

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const { connectAsync } = createRequire(new URL('../../server/package.json', import.meta.url))(
  'mqtt',
);

const DIRECTORY = process.env.CLUSTER_DIR ?? '/var/tmp/fieldwatch-cluster';
const API = 'http://127.0.0.1:18080';
const MQTT = 'mqtt://127.0.0.1:11880';
const DEVICES = 8;
const INTERVAL_MS = 100;
const LIMIT_MS = 20_000;
const BEFORE_MS = 5_000;
const AFTER_MS = 25_000;
const START = Date.now() - 3_600_000;

const settings = Object.fromEntries(
  readFileSync(`${DIRECTORY}/secrets`, 'utf8')
    .split('\n')
    .map((line) => line.split('=')),
);
const {
  FIELDWATCH_ORGANIZATION_ID: organization,
  FIELDWATCH_API_KEY_ID: keyId,
  FIELDWATCH_API_KEY_SECRET: keySecret,
} = settings;
const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;

async function call(method, path, body) {
  const response = await fetch(`${API}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return await response.json();
}

const inOrganization = (path) => `/primary/v1/${organization}/${path}`;

async function createDevice(number) {
  const { id, credentials } = await call('POST', inOrganization('devices'), {
    type: 'CUSTOM_DEVICE',
    name: `Fail-over ${number}`,
  });
  const variable = await call('POST', inOrganization(`devices/${id}/variables`), {
    topicPropertyPath: 'count',
    type: 'NUMBER',
    name: 'Count',
    isLoggingEnabled: true,
  });
  return { id, credentials, variableId: variable.id, acknowledged: [], refused: 0, longestMs: 0 };
}

/** A way to send a reading; rejects when it was not acknowledged. */
async function senderOf(device, isMqtt) {
  const { id, credentials } = device;
  if (!isMqtt) {
    const path = `/data/v1/organizations/${organization}/devices/${id}`;
    return { send: (reading) => call('POST', path, reading), end: async () => undefined };
  }
  const { username, password, topic } = credentials;
  const client = await connectAsync(MQTT, {
    ...{ username, password, protocolVersion: 5 },
    reconnectPeriod: 500,
    connectTimeout: 3_000,
  });
  client.on('error', () => undefined);
  return {
    send: (reading) =>
      Promise.race([
        client.publishAsync(topic, JSON.stringify(reading), { qos: 1 }),
        sleep(LIMIT_MS).then(() => Promise.reject(new Error('no acknowledgement'))),
      ]),
    end: () => client.endAsync(true),
  };
}

/** Sends one reading after the other, each until it is acknowledged. */
async function publish(device, isMqtt, isOver) {
  const { send, end } = await senderOf(device, isMqtt);
  for (let value = 0, since = Date.now(); !isOver(); ) {
    try {
      await send({ timestamp: START + value, data: { count: value } });
      device.acknowledged.push(value);
      device.longestMs = Math.max(device.longestMs, Date.now() - since);
      since = Date.now();
      value += 1;
    } catch {
      device.refused += 1;
    }
    await sleep(INTERVAL_MS);
  }
  await end();
}

async function storedIn({ variableId }) {
  const query = `startTime=${START}&endTime=${START + 1e6}&take=50000`;
  const path = inOrganization(`devices/variables/${variableId}/readings?${query}`);
  return (await call('GET', path)).items.map(({ value }) => value);
}

/** Patroni's member with this role, by number. */
async function memberWith(role) {
  for (const number of [1, 2]) {
    const url = `http://127.0.0.1:1843${number}/${role}`;
    const isIt = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isIt) return number;
  }
  return null;
}

const pidOf = (name) => Number(readFileSync(`${DIRECTORY}/run/${name}`, 'utf8'));

/** The processes whose command contains a text. */
function processesWith(text) {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(text)).map((line) => Number.parseInt(line, 10));
}

const killAll = (pids) => {
  for (const pid of pids) if (pid !== process.pid) process.kill(pid, 'SIGKILL');
};

/** Kills the part, and resolves with what there is to report of its replacement. */
const KILLS = {
  async primary() {
    const number = await memberWith('primary');
    process.kill(-pidOf(`patroni${number}`), 'SIGKILL');
    killAll(processesWith(`${DIRECTORY}/pg${number}/data`));
    return promotion(number);
  },
  async postgresql() {
    const number = await memberWith('primary');
    killAll(processesWith(`-D ${DIRECTORY}/pg${number}/data`));
    return promotion(number);
  },
  async node() {
    process.kill(-pidOf('node2'), 'SIGKILL');
    return 'Killed node 2.';
  },
};

async function promotion(killed) {
  const killedAt = Date.now();
  for (;;) {
    const number = await memberWith('primary');
    if (number !== null && number !== killed) {
      const seconds = (Date.now() - killedAt) / 1_000;
      return `Killed PostgreSQL ${killed}; ${number} was primary after ${seconds.toFixed(1)} s.`;
    }
    await sleep(100);
  }
}

const kill = KILLS[process.argv[2]];
if (!kill) throw new Error(`Name what to kill: ${Object.keys(KILLS).join(', ')}.`);
const devices = await Promise.all(
  Array.from({ length: DEVICES }, (_, number) => createDevice(number)),
);
let isOver = false;
const published = devices.map((device, number) => publish(device, number % 2 === 0, () => isOver));
await sleep(BEFORE_MS);
console.log(await kill());
await sleep(AFTER_MS);
isOver = true;
await Promise.all(published);
let lost = 0;
for (const device of devices) {
  const stored = new Set(await storedIn(device));
  lost += device.acknowledged.filter((value) => !stored.has(value)).length;
}
const sum = (of) => devices.reduce((total, device) => total + of(device), 0);
console.log(`Acknowledged: ${sum(({ acknowledged }) => acknowledged.length)}, lost: ${lost}.`);
console.log(`Refused or interrupted, and sent again: ${sum(({ refused }) => refused)}.`);
const longest = Math.max(...devices.map(({ longestMs }) => longestMs)) / 1_000;
console.log(`Longest wait for an acknowledgement: ${longest.toFixed(1)} s.`);
process.exit(lost === 0 ? 0 : 1);
