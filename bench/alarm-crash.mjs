// The server is killed again and again while holds run, events are raised and cleared, and webhooks are
// notified: at random moments, and between the steps. Then every occurrence must have one event, raised in
// time and notified under one id. Run `npm run build` first, then
// `node bench/alarm-crash.mjs [--kills 50] [--alarms 20]`.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createClient } from '../client/dist/index.js';
import { noteTable } from './rows.mjs';

const { createLog } = await import('../server/dist/runtime/index.js');
const { startEmbedded } = await import('../server/dist/storage/index.js');
const pg = createRequire(new URL('../server/package.json', import.meta.url))('pg');

const SERVER = fileURLToPath(new URL('../server/test/support/failing-server.mjs', import.meta.url));
const FAILPOINTS = [
  ...['judged', 'watches', 'events', 'outbox', 'committed', 'due', 'ticked'],
  ...['dispatched', 'sent'],
];
const DELAYS = [0, 1, 2, 3];
/** Apart, so that no target gets more than twenty messages a minute, which would become digests. */
const OCCURRENCE_EVERY_MS = 8_000;
const IN_TIME_MS = 1_000;
/** A hold that a restart finds pending ends by the next reading, or 30 s after the server is ready. */
const AFTER_RESTART_MS = 32_000;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    alarms: { type: 'string', default: '20' },
  },
});
const [kills, alarms] = [Number(values.kills), Number(values.alarms)];
const organizationId = '018f0000-0000-7000-8000-0000000000cf';
const key = { apiKeyId: 'crash-key', apiKeySecret: 'crash-secret-of-32-characters-or-more' };
const authorization = `Basic ${btoa(`${key.apiKeyId}:${key.apiKeySecret}`)}`;

const dataDir = mkdtempSync(join(tmpdir(), 'fieldwatch-alarm-crash-'));
chmodSync(dataDir, 0o711);

/** The receiver of the webhook: slow at times, and fails the first attempt of one message in ten. */
const notified = new Map();
const receiver = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const id = request.headers['webhook-id'];
  const known = notified.get(id) ?? { id, message: JSON.parse(text), attempts: 0, isTaken: false };
  notified.set(id, known);
  known.attempts += 1;
  const isRefused = known.attempts === 1 && Math.random() < 0.1;
  if (!isRefused) known.isTaken = true;
  await sleep(Math.random() * 40);
  response.writeHead(isRefused ? 500 : 204).end();
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');

let child;
let url;
/** When the server was unavailable, from the kill until it was ready. */
const away = [];

async function startServer(databaseUrl) {
  child = fork(SERVER, {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      FIELDWATCH_DATA_DIR: join(dataDir, 'service'),
      FIELDWATCH_HTTP_HOST: '127.0.0.1',
      FIELDWATCH_HTTP_PORT: '0',
      FIELDWATCH_MQTT_PORT: '0',
      FIELDWATCH_ORGANIZATION_ID: organizationId,
      FIELDWATCH_API_KEY_ID: key.apiKeyId,
      FIELDWATCH_API_KEY_SECRET: key.apiKeySecret,
      FIELDWATCH_REQUESTS_PER_MINUTE: '0',
      FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1',
    },
  });
  const [ready] = await once(child, 'message');
  url = ready.url;
}

async function makeSource(index) {
  const client = createClient({ baseUrl: url, credentials: key });
  const webhook = await client.createWebhook({
    organizationId,
    body: { name: 'Pager', url: `http://127.0.0.1:${receiver.address().port}/${index}` },
  });
  const group = await client.createAlarmGroup({
    organizationId,
    body: { name: 'Group', subscriptions: [{ kind: 'WEBHOOK', webhookId: webhook.id }] },
  });
  const { id: deviceId } = await client.createDevice({
    organizationId,
    body: { type: 'CUSTOM_DEVICE', name: `Device ${index}` },
  });
  const variable = await client.createVariable({
    organizationId,
    deviceId,
    body: { topicPropertyPath: 'point', type: 'NUMBER', name: 'Point', isLoggingEnabled: true },
  });
  const delayProcessingSeconds = DELAYS[index % DELAYS.length];
  const alarm = await client.createAlarm({
    organizationId,
    body: {
      ...{ name: 'Too hot', isActive: true, deviceId, deviceVariableId: variable.id },
      ...{ operator: 'GREATER_THAN', thresholdValueNumber: 50, alarmGroupId: group.id },
      delayProcessingSeconds,
    },
  });
  const holdMs = 1_000 * delayProcessingSeconds;
  return { deviceId, alarmId: alarm.id, holdMs, occurrences: [] };
}

/** Sends until the acknowledgement, as a Device does, and returns its time. */
async function report(deviceId, timestamp, point) {
  const path = `/data/v1/organizations/${organizationId}/devices/${deviceId}`;
  for (;;) {
    try {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ timestamp, data: { point } }),
        signal: AbortSignal.timeout(5_000),
      });
      if (answer.status === 200) return Date.now();
    } catch {
      // Sent again.
    }
    await sleep(20);
  }
}

let isDone = false;

async function occur(source) {
  await sleep(Math.random() * OCCURRENCE_EVERY_MS);
  while (!isDone) {
    const { deviceId, holdMs, occurrences } = source;
    const began = Date.now();
    const arrived = await report(deviceId, began, 60);
    occurrences.push({ at: began, arrived, dueAt: arrived + holdMs });
    await sleep(holdMs + 1_500);
    await report(deviceId, Date.now(), 40);
    await sleep(Math.max(0, OCCURRENCE_EVERY_MS - (Date.now() - began)));
  }
}

async function kill(databaseUrl) {
  const exited = once(child, 'exit');
  const failpoint =
    Math.random() < 0.5 ? null : FAILPOINTS[(Math.random() * FAILPOINTS.length) | 0];
  if (failpoint !== null) child.send(failpoint);
  else await sleep(300 + Math.random() * 1_200);
  const deadline = setTimeout(() => child.kill('SIGKILL'), failpoint === null ? 0 : 5_000);
  await exited;
  clearTimeout(deadline);
  const from = Date.now();
  await sleep(Math.random() * 1_500);
  await startServer(databaseUrl);
  away.push({ from, to: Date.now() });
}

/** How late an event was raised: after it was due, or after the restart that found its hold pending. */
function latenessOf({ arrived, dueAt }, recordedAt) {
  let restartedAt = null;
  for (const { from, to } of away) {
    const inTime = restartedAt === null ? dueAt + IN_TIME_MS : restartedAt + AFTER_RESTART_MS;
    if (from <= Math.min(inTime, recordedAt) && arrived <= to) restartedAt = to;
  }
  return restartedAt === null
    ? { afterDue: Math.max(0, recordedAt - dueAt) }
    : { afterRestart: Math.max(0, recordedAt - restartedAt) };
}

async function judge(client, sources) {
  const seen = { occurrences: 0, missing: 0, doubled: 0, late: 0, afterDue: 0, afterRestart: 0 };
  const eventIds = [];
  for (const { alarmId, holdMs, occurrences } of sources) {
    const { rows } = await client.query(
      `select event.id, 1000 * extract(epoch from raised_at)::float8 as raised,
         1000 * extract(epoch from recorded_at)::float8 as recorded, cleared_reason as reason
       from alarm_events event join alarm_event_log line on line.event_id = event.id
         and line.kind = 'RAISED'
       where alarm_id = $1`,
      [alarmId],
    );
    eventIds.push(...rows.map(({ id }) => id));
    seen.occurrences += occurrences.length;
    seen.doubled += rows.length - new Set(rows.map(({ raised }) => Math.round(raised))).size;
    for (const occurrence of occurrences) {
      const row = rows.find(({ raised }) => Math.round(raised) === occurrence.at + holdMs);
      if (row?.reason !== 'RECOVERED') seen.missing += 1;
      // Without a hold the event is there before the reading is acknowledged.
      if (!row || holdMs === 0) continue;
      const { afterDue = 0, afterRestart = 0 } = latenessOf(occurrence, row.recorded);
      seen.afterDue = Math.max(seen.afterDue, afterDue);
      seen.afterRestart = Math.max(seen.afterRestart, afterRestart);
      if (afterDue > IN_TIME_MS || afterRestart > AFTER_RESTART_MS) seen.late += 1;
    }
    seen.doubled += Math.max(0, rows.length - occurrences.length);
  }
  return { seen, eventIds };
}

function deliveries(eventIds) {
  const ids = new Map();
  let attempts = 0;
  for (const { id, message, isTaken, attempts: own } of notified.values()) {
    attempts += own;
    const messages = message.type === 'alarm.digest' ? message.data.messages : [message];
    if (!isTaken) continue;
    for (const { type, data } of messages) {
      const name = `${data.id} ${type}`;
      ids.set(name, (ids.get(name) ?? new Set()).add(id));
    }
  }
  const wanted = eventIds.flatMap((id) => [`${id} alarm.raised`, `${id} alarm.cleared`]);
  return {
    'notifications expected': wanted.length,
    'never notified': wanted.filter((name) => !ids.has(name)).length,
    'notified under two ids': [...ids.values()].filter((each) => each.size > 1).length,
    attempts,
  };
}

const postgres = await startEmbedded({
  dataDir,
  postgresBin: null,
  log: createLog('error'),
  onProgress: () => undefined,
});
try {
  const { host, port, user, password, database } = postgres.superuserTarget();
  const databaseUrl = `postgresql://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
  await startServer(databaseUrl);
  const sources = [];
  for (let index = 0; index < alarms; index += 1) sources.push(await makeSource(index));
  const occurring = sources.map(occur);
  for (let count = 1; count <= kills; count += 1) {
    await kill(databaseUrl);
    if (count % 10 === 0) console.log(`${count} kills`);
  }
  isDone = true;
  await Promise.all(occurring);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const waiting = `select (select count(*) from notification_outbox)
    + (select count(*) from deliveries where state = 'PENDING') as count`;
  const deadline = Date.now() + 120_000;
  while (Number((await client.query(waiting)).rows[0].count) > 0 && Date.now() < deadline) {
    await sleep(200);
  }
  const { seen, eventIds } = await judge(client, sources);
  await client.end();
  const { afterDue, afterRestart, ...counts } = seen;
  const delivered = deliveries(eventIds);
  noteTable({
    kills,
    ...counts,
    'raised after due, ms at most': Math.round(afterDue),
    'raised after the restart, ms at most': Math.round(afterRestart),
    ...delivered,
  });
  const faults = [seen.missing, seen.doubled, seen.late, delivered['never notified']];
  if ([...faults, delivered['notified under two ids']].some((count) => count > 0))
    process.exitCode = 1;
} finally {
  isDone = true;
  child?.kill('SIGKILL');
  receiver.closeAllConnections();
  receiver.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
