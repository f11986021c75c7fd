// Alarms while readings arrive at half of the maximum rate. `latency`: from the publish of a reading
// that crosses a threshold to the event, for the publisher, an MQTT subscriber and a live stream.
// `storm`: ten thousand alarms cross within a second, beside the same load.
// Run `npm run build` first, then `npm run bench -- alarm-load`, or `alarm-load:latency` for one case.
// `--busy-neighbour` adds a process with one processor's worth of other work; `--rate` sets the load.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connectAsync } from 'mqtt';
import { PASSWORD, populate } from './metered-fleet.mjs';
import { KEYS_PER_MESSAGE } from './meters.mjs';
import { startNeighbour } from './neighbour.mjs';
import { cpuSeconds, stolenSeconds } from './processes.mjs';
import { isAlone, note, printTable } from './rows.mjs';
import { authorization, key, organizationId, startService } from './service.mjs';
import { populateWatched } from './watched-fleet.mjs';
import { startReceiver } from './webhook-receiver.mjs';

// Half of the rate that case (a) reached at first, and the same since, so that results can be compared.
const READINGS_PER_SECOND = '163000';
// Memory has reached its size, and a first flush has completed, before anything is measured.
const LATENCY = { devices: 40, warmUpSeconds: 30, seconds: 120, everyMs: 100, goalMs: 50 };
const STORM = {
  devices: 1_000,
  gateways: 10,
  points: 10,
  notifiedWithinS: 10,
  /** A storm that lasts longer than the first digest gathers has another one a minute later. */
  lastDigestWithinS: 90,
  calmSeconds: 3,
  quietSeconds: 5,
  stormSeconds: 10,
  goalMs: 250,
};

/** The priority of the load and a neighbour. The server may raise its own. */
const PRIORITY = getPriority();
const MEASURING_PRIORITY = Math.max(-20, PRIORITY - 10);

const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    'busy-neighbour': { type: 'boolean', default: false },
    rate: { type: 'string', default: READINGS_PER_SECOND },
  },
});
const readingsPerSecond = Number(flags.rate);
const isWanted = (name) => wanted.length === 0 || wanted.includes(name);

const topicOf = (deviceId) => `fieldwatch/${organizationId}/${deviceId}`;

const payloadOf = (points, value) =>
  JSON.stringify(
    Object.fromEntries(Array.from({ length: points }, (_, n) => [`point.${n + 1}`, value])),
  );

const signIn = (service, username, password) =>
  connectAsync(`mqtt://127.0.0.1:${service.mqttPort}`, { username, password, clean: true });

/**
 * The publisher of a crossing and its subscribers represent other machines, so they have priority on
 * the processors of this one. The load has not.
 */
function comeFirst(loaderPid) {
  try {
    setPriority(MEASURING_PRIORITY);
    setPriority(loaderPid, PRIORITY);
  } catch {
    note('the measuring process has normal priority', 'a higher one is not allowed');
  }
}

/** The load, in a process of its own, until it is stopped. */
function startLoad(service, clients, { seconds, warmUpSeconds = 3 }) {
  const path = fileURLToPath(new URL('./mqtt-loader.mjs', import.meta.url));
  const child = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] });
  comeFirst(child.pid);
  const messagesPerSecond = readingsPerSecond / KEYS_PER_MESSAGE;
  child.stdin.end(
    JSON.stringify({
      ...{ port: service.mqttPort, clients, inFlight: 10, seconds, warmUpSeconds },
      messagesPerSecond,
    }),
  );
  let output = '';
  let begin;
  const begun = new Promise((resolve) => {
    begin = resolve;
  });
  child.stdout.on('data', (chunk) => {
    output += chunk;
    if (output.includes('begun')) begin();
  });
  const ended = once(child, 'exit').then(([code]) => {
    if (code !== 0) throw new Error('the loader failed');
    return JSON.parse(output.trim().split('\n').at(-1));
  });
  return { begun, ended };
}

const quantile = (values, part) => values[Math.min(values.length - 1, (part * values.length) | 0)];

function noteTimes(what, times, goalMs) {
  const sorted = times.sort((one, other) => one - other);
  const [p50, p99, most] = [quantile(sorted, 0.5), quantile(sorted, 0.99), sorted.at(-1)];
  const text = [p50, p99, most].map((ms) => ms.toFixed(1));
  note(
    what,
    `${text[0]} ms median, ${text[1]} ms p99, ${text[2]} ms at most, of ${sorted.length}`,
    goalMs ? `goal p99 ${goalMs} ms: ${(p99 / goalMs).toFixed(2)}` : '',
  );
}

/** Alarm events of a live stream, until it is closed. */
async function followLive(service, deviceIds, onEvent) {
  const leaving = new AbortController();
  const query = deviceIds.map((id) => `deviceIds[]=${id}`).join('&');
  const answer = await fetch(`${service.http}/primary/v1/${organizationId}/live?${query}`, {
    headers: { authorization },
    signal: leaving.signal,
  });
  const reading = (async () => {
    let rest = '';
    for await (const chunk of answer.body) {
      const blocks = (rest + Buffer.from(chunk)).split('\n\n');
      rest = blocks.pop();
      for (const block of blocks) {
        if (/^event: alarm$/m.test(block)) onEvent(JSON.parse(/^data: (.*)$/m.exec(block)[1]));
      }
    }
  })();
  reading.catch(() => undefined);
  return { leave: () => leaving.abort() };
}

async function latency(database, service, clients) {
  const { devices, warmUpSeconds, seconds, everyMs, goalMs } = LATENCY;
  const [gateway] = await populateWatched(database.client, { devices, points: 1 });
  const publisher = await signIn(service, gateway.id, PASSWORD);
  const follower = await signIn(service, key.id, key.secret);
  const sent = new Map();
  const times = { acknowledged: [], subscriber: [], live: [] };
  const recordDelay = (list) => (received) => {
    const since = sent.get(`${received.event.deviceId} ${received.change}`);
    if (since !== undefined) list.push(performance.now() - since);
  };
  const bySubscription = recordDelay(times.subscriber);
  follower.on('message', (_, payload) => bySubscription(JSON.parse(String(payload))));
  await follower.subscribeAsync(`fieldwatch/${organizationId}/events/alarms`, { qos: 1 });
  const live = await followLive(service, gateway.children, recordDelay(times.live));
  // Each of these Variables has reported before, so that none is seen for the first time here.
  for (const deviceId of gateway.children) {
    await publisher.publishAsync(topicOf(deviceId), payloadOf(1, 40), { qos: 1 });
  }
  const load = startLoad(service, clients, { seconds: seconds + 3, warmUpSeconds });
  await load.begun;
  const before = await service.accepted();
  const stolenBefore = stolenSeconds();
  const began = performance.now();
  for (let count = 0; performance.now() - began < 1_000 * seconds; count += 1) {
    const deviceId = gateway.children[count % devices];
    const isAbove = Math.floor(count / devices) % 2 === 0;
    const since = performance.now();
    sent.set(`${deviceId} ${isAbove ? 'RAISED' : 'CLEARED'}`, since);
    publisher.publish(topicOf(deviceId), payloadOf(1, isAbove ? 60 : 40), { qos: 1 }, () => {
      times.acknowledged.push(performance.now() - since);
    });
    await sleep(Math.max(0, began + (count + 1) * everyMs - performance.now()));
  }
  const rate = ((await service.accepted()) - before) / ((performance.now() - began) / 1_000);
  const stolen = stolenSeconds() - stolenBefore;
  await load.ended;
  live.leave();
  await Promise.all([publisher.endAsync(), follower.endAsync()]);
  note('readings beside it', `${Math.round(rate)} readings/s`);
  noteTimes('from the crossing reading to its acknowledgement', times.acknowledged, goalMs);
  noteTimes('to the event, over MQTT', times.subscriber, goalMs);
  noteTimes('to the event, in a live stream', times.live, goalMs);
  note('processor time taken by the host meanwhile', `${stolen.toFixed(1)} s`);
}

async function api(service, path, body) {
  const answer = await fetch(`${service.http}/primary/v1/${organizationId}/${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return await answer.json();
}

/** The events of a group that the log has as raised, and as notified: that follows the message. */
async function loggedOf(client, alarmGroupId, count) {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const { rows } = await client.query(
      `select count(*) filter (where kind = 'RAISED')::int as raised,
         count(distinct event_id) filter (where kind = 'NOTIFIED')::int as notified
       from alarm_event_log line join alarm_events event on event.id = line.event_id
       where alarm_group_id = $1`,
      [alarmGroupId],
    );
    if (rows[0].notified === count || performance.now() > deadline) return rows[0];
    await sleep(200);
  }
}

async function storm(database, service, clients) {
  const { devices, gateways, points, notifiedWithinS } = STORM;
  const receiver = await startReceiver();
  const webhook = await api(service, 'webhooks', { name: 'Pager', url: receiver.url });
  const subscriptions = [{ kind: 'WEBHOOK', webhookId: webhook.id }];
  const group = await api(service, 'alarm-groups', { name: 'Group', subscriptions });
  const fleet = await populateWatched(database.client, {
    ...{ gateways, devices, points, alarmGroupId: group.id },
  });
  const publishers = await Promise.all(fleet.map(({ id }) => signIn(service, id, PASSWORD)));
  const cross = (value) =>
    Promise.all(
      fleet.flatMap(({ children }, place) =>
        children.map((child) =>
          publishers[place].publishAsync(topicOf(child), payloadOf(points, value), { qos: 1 }),
        ),
      ),
    );
  const load = startLoad(service, clients, { seconds: 30 });
  await load.begun;
  const loadBegan = performance.now();
  await cross(40);
  await sleep(1_000 * STORM.calmSeconds);
  const quietBegan = performance.now();
  const rateOver = async (seconds) => {
    const [before, began] = [await service.accepted(), performance.now()];
    await sleep(1_000 * seconds);
    return ((await service.accepted()) - before) / ((performance.now() - began) / 1_000);
  };
  const quiet = await rateOver(STORM.quietSeconds);
  const cpu = cpuSeconds(database.pids());
  const began = performance.now();
  const during = rateOver(STORM.stormSeconds);
  await cross(60);
  const recordedMs = performance.now() - began;
  const count = devices * points;
  const busy = await during;
  const cost = cpuSeconds(database.pids()) - cpu;
  const { longestPerSecond } = await load.ended;
  const longestFrom = (from, seconds) => {
    const first = Math.floor((from - loadBegan) / 1_000);
    return Math.max(...longestPerSecond.slice(first, first + seconds + 1).map((ms) => ms ?? 0));
  };
  const longest = longestFrom(began, STORM.stormSeconds);
  const notifiedS = (await receiver.receivedAll(count, STORM.lastDigestWithinS, began)) / 1_000;
  const logged = await loggedOf(database.client, group.id, count);
  await Promise.all(publishers.map((each) => each.endAsync()));
  receiver.stop();
  note(`${count} alarms cross, all recorded after`, `${recordedMs.toFixed(0)} ms`);
  note(
    'all received after',
    `${notifiedS.toFixed(1)} s, in ${receiver.received.messages} messages, the first after ${(receiver.received.firstAt - began).toFixed(0)} ms`,
    `goal ${notifiedWithinS} s: ${(notifiedS / notifiedWithinS).toFixed(2)}`,
  );
  note(
    'events recorded, and with a line that says so, received',
    `${logged.raised}, ${logged.notified}`,
  );
  note(
    'readings beside it, before and in the ten seconds from the storm on',
    `${Math.round(quiet)} and ${Math.round(busy)} readings/s`,
    `${(busy / quiet).toFixed(2)}`,
  );
  note(
    'the longest that one of them waited for its acknowledgement, before and then',
    `${longestFrom(quietBegan, STORM.quietSeconds - 1).toFixed(0)} and ${longest.toFixed(0)} ms`,
    `goal ${STORM.goalMs} ms: ${(longest / STORM.goalMs).toFixed(2)}`,
  );
  note('CPU of PostgreSQL in those ten seconds', `${cost.toFixed(1)} s`);
  if (receiver.received.raised !== count || logged.raised !== count || logged.notified !== count) {
    throw new Error('not every event was recorded and received once');
  }
}

const service = await startService({ FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' });
const neighbour = flags['busy-neighbour'] ? startNeighbour() : undefined;
try {
  const { database } = service;
  const fleet = { gateways: 100, devicesEach: 10 };
  const clients = await populate(database.client, organizationId, fleet);
  if (isWanted('latency')) await latency(database, service, clients);
  if (isWanted('storm')) await storm(database, service, clients);
  neighbour?.noteShare();
  if (isAlone()) printTable();
} finally {
  neighbour?.stop();
  await service.stop();
}
