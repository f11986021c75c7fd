// How soon two nodes know what happened at the other: readings, values and alarms in live streams, and
// changes of the configuration. Run `npm run build` first, then `npm run bench -- propagation`.
import { startNodes } from './cluster.mjs';
import { key, killAll, organizationId } from './measured-load.mjs';
import { startPostgres } from './private-postgres.mjs';
import { isAlone, note, printTable } from './rows.mjs';
import { stoppedOnSignal } from './stopping.mjs';

const ROUNDS = 200;
/** Rounds before those that count: code is compiled, and nodes connect to each other. */
const WARM_UP_ROUNDS = 20;
const GOAL_MS = { read: 50, configuration: 100, value: 300, alarm: 1_000 };
const LIMIT_MS = 10_000;
const THRESHOLD = 100;

const basic = ({ id, secret }) => `Basic ${btoa(`${id}:${secret}`)}`;

async function ask(node, method, path, { body, auth = basic(key) } = {}) {
  const response = await fetch(`${node.http}${path.replace(':org', organizationId)}`, {
    method,
    headers: { authorization: auth, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : null, text };
}

async function made(...call) {
  const { status, body, text } = await ask(...call);
  if (status >= 300) throw new Error(`${call[2]} answered ${status}: ${text}`);
  return body;
}

/** The times until the first request that shows what it should was made, and until it was answered. */
async function until(isSo) {
  const began = performance.now();
  for (;;) {
    const asked = performance.now();
    if (await isSo()) return { madeMs: asked - began, answeredMs: performance.now() - began };
    if (asked - began > LIMIT_MS) throw new Error(`not within ${LIMIT_MS / 1000} s`);
  }
}

function noteTimes(name, times, goalMs) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  const value = `${at(0.5).toFixed(1)} ms median, ${at(0.99).toFixed(1)} ms p99`;
  note(name, value, `goal ${goalMs} ms p99: ${(at(0.99) / goalMs).toFixed(2)}`);
}

async function rounds(run) {
  const times = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const measured = await run(round);
    if (round >= WARM_UP_ROUNDS) times.push(...measured);
  }
  return times;
}

const report = (node, deviceId, data, auth) =>
  ask(node, 'POST', `/data/v1/organizations/:org/devices/${deviceId}`, { body: { data }, auth });

const newVariable = (node, deviceId, path) =>
  made(node, 'POST', `/primary/v1/:org/devices/${deviceId}/variables`, {
    body: { topicPropertyPath: path, type: 'NUMBER', name: 'Water flow', isLoggingEnabled: true },
  });

/** A Device of this owner with a Variable and an Alarm above the threshold. */
async function newPoint(owner) {
  for (;;) {
    const body = { type: 'CUSTOM_DEVICE', name: 'Water pump' };
    const { id, credentials } = await made(owner, 'POST', '/primary/v1/:org/devices', { body });
    if (!owner.partitions.includes(Number.parseInt(id.slice(-2), 16))) continue;
    const variable = await newVariable(owner, id, 'water.flow');
    const alarm = await made(owner, 'POST', '/primary/v1/:org/alarms', {
      body: {
        ...{ name: 'Too high', isActive: true, alarmGroupId: null, deviceId: id },
        ...{ deviceVariableId: variable.id, operator: 'GREATER_THAN' },
        thresholdValueNumber: THRESHOLD,
      },
    });
    return { id, variableId: variable.id, alarmId: alarm.id, password: credentials.password };
  }
}

/** The live stream of a node: `seen` resolves with the time at which a text came after a call of it. */
async function follow(node) {
  const leaving = new AbortController();
  const response = await fetch(`${node.http}/primary/v1/${organizationId}/live`, {
    headers: { authorization: basic(key) },
    signal: leaving.signal,
  });
  const waiting = new Set();
  const read = async () => {
    let rest = '';
    for await (const chunk of response.body) {
      const blocks = (rest + Buffer.from(chunk).toString()).split('\n\n');
      rest = blocks.pop();
      for (const each of waiting) {
        if (!blocks.some(each.fits)) continue;
        waiting.delete(each);
        each.resolve(performance.now());
      }
    }
  };
  read().catch(() => undefined);
  return {
    seen: (...texts) =>
      new Promise((resolve) => {
        waiting.add({ fits: (block) => texts.every((text) => block.includes(text)), resolve });
      }),
    leave: () => leaving.abort(),
  };
}

async function measureReadings(a, b) {
  for (const [name, owner] of [
    ['A', a],
    ['B', b],
  ]) {
    const { id, variableId } = await newPoint(owner);
    const path = `/primary/v1/:org/devices/variables/${variableId}/readings?startTime=0&take=10000`;
    const times = await rounds(async (round) => {
      await report(a, id, { 'water.flow': round / 10 });
      const shows = async () =>
        (await made(b, 'GET', path)).items.some(({ value }) => value === round / 10);
      return [(await until(shows)).answeredMs];
    });
    noteTimes(`acknowledged at A, read at B, of a Device of ${name}`, times, GOAL_MS.read);
  }
}

async function measureStreams(a, b) {
  const streams = await Promise.all([a, b].map(follow));
  const point = await newPoint(b);
  const inAll = (...texts) => Promise.all(streams.map(({ seen }) => seen(...texts)));
  const after = async (value, ...texts) => {
    const seen = inAll(...texts);
    await report(a, point.id, { 'water.flow': value });
    const acknowledged = performance.now();
    return (await seen).map((at) => Math.max(0, at - acknowledged));
  };
  const values = await rounds((round) =>
    after(round / 1_000, 'event: readings', `${round / 1_000}`),
  );
  noteTimes('acknowledged at A, value in the live streams of A and B', values, GOAL_MS.value);
  const alarms = await rounds(async () => {
    const times = await after(THRESHOLD + 1, '"RAISED"', point.alarmId);
    await after(1, '"CLEARED"', point.alarmId);
    return times;
  });
  noteTimes('acknowledged at A, RAISED in the live streams of A and B', alarms, GOAL_MS.alarm);
  for (const { leave } of streams) leave();
}

/** Each changes something at A and resolves with the time until B acts accordingly. */
const CHANGES = {
  'a Variable is created': (a, b) => async (round, point) => {
    await newVariable(a, point.id, `created${round}`);
    return until(
      async () => (await report(b, point.id, { [`created${round}`]: 1 })).body.accepted === 1,
    );
  },
  'a Variable is deleted': (a, b) => async (round, point) => {
    const { id } = await newVariable(a, point.id, `deleted${round}`);
    await report(b, point.id, { [`deleted${round}`]: 1 });
    await made(a, 'DELETE', `/primary/v1/:org/devices/${point.id}/variables/${id}`);
    return until(
      async () => (await report(b, point.id, { [`deleted${round}`]: 1 })).body.accepted === 0,
    );
  },
  'the threshold of an Alarm is lowered': (a, b) => async (_, point) => {
    const alarm = `/primary/v1/:org/alarms/${point.alarmId}`;
    const isRaised = async () => (await made(b, 'GET', alarm)).isTriggered;
    await made(a, 'PATCH', alarm, { body: { thresholdValueNumber: 50 } });
    const time = await until(async () => {
      await report(b, point.id, { 'water.flow': 70 });
      return isRaised();
    });
    await made(a, 'PATCH', alarm, { body: { thresholdValueNumber: THRESHOLD } });
    await until(async () => {
      await report(b, point.id, { 'water.flow': 1 });
      return !(await isRaised());
    });
    return time;
  },
  'a Device gets a new password': (a, b) => async (_, point) => {
    const signedIn = async (password) =>
      (await report(b, point.id, { 'water.flow': 1 }, basic({ id: point.id, secret: password })))
        .status === 200;
    const old = point.password;
    await signedIn(old);
    const path = `/primary/v1/:org/devices/${point.id}/credentials`;
    point.password = (await made(a, 'POST', path)).password;
    return until(async () => !(await signedIn(old)) && (await signedIn(point.password)));
  },
  'an API key is deleted': (a, b) => async () => {
    const created = await made(a, 'POST', '/primary/v1/:org/api-keys', {
      body: { name: 'Reader', permissions: ['ReadNodes'] },
    });
    const use = async () =>
      (await ask(b, 'GET', '/primary/v1/:org/devices?take=1', { auth: basic(created) })).status;
    await until(async () => (await use()) !== 401);
    await made(a, 'DELETE', `/primary/v1/:org/api-keys/${created.id}`);
    return until(async () => (await use()) === 401);
  },
};

const postgres = await startPostgres();
const stop = stoppedOnSignal(async () => {
  killAll();
  await postgres.stop();
});
try {
  const [a, b] = await startNodes(postgres, 2);
  await measureReadings(a, b);
  await measureStreams(a, b);
  const point = await newPoint(b);
  for (const [name, change] of Object.entries(CHANGES)) {
    const run = change(a, b);
    const times = await rounds(async (round) => [(await run(round, point)).madeMs]);
    noteTimes(`${name} at A, in effect at B`, times, GOAL_MS.configuration);
  }
  if (isAlone()) printTable();
} finally {
  await stop();
}
