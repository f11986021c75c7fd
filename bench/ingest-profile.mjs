// Where the thread of the server spends its time under the loads (a) and (b) of `ingest`, and under
// those of `peers` over HTTP.
// Run `npm run build` first, then `npm run bench -- ingest-profile`. Profiling itself costs some of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  HTTP_LOADER,
  key,
  killAll,
  load,
  organizationId,
  SERVER,
  serverEnv,
  start,
} from './measured-load.mjs';
import { populate } from './metered-fleet.mjs';
import { startPostgres } from './private-postgres.mjs';
import { isAlone, note, printTable } from './rows.mjs';
import { stoppedOnSignal } from './stopping.mjs';

const CASES = {
  '(a) 100 connections × 10 in flight': { gateways: 100, devicesEach: 10, inFlight: 10 },
  '(b) 1 000 connections × 1 in flight': { gateways: 1_000, devicesEach: 1, inFlight: 1 },
  'HTTP, 5 000 readings a request': { connections: 2, reports: 500, isList: true },
  'HTTP, a report of 10 readings a request': { connections: 16, reports: 1, isList: false },
};
/** All requests are of one Device. */
const ONE_DEVICE = { gateways: 1, devicesEach: 1 };

/** A sample belongs to the part of the innermost of its functions that has one. */
const PARTS = [
  ['garbage collection', ['(garbage collector)']],
  ['event loop and kernel calls to receive', ['(program)']],
  ['acknowledge: write to the connections', ['flush', 'flushAll', 'drain', 'complete']],
  ['authenticate', ['authenticate', 'callerOf']],
  ['answer over HTTP', ['send', 'Reply.send', 'onSendHook']],
  ['decode and match', ['decodeAndMatch', 'decodeInto', 'walkPayload', 'decodeBody']],
  ['parse and validate the body', ['defaultJsonParser', 'input']],
  ['judge', ['judge', '#judge', '#judgement', 'judgeWatchedReadings', '#watchedReadings']],
  ['journal row and memtable', ['journalBatch', 'createJournalRow', 'finish', 'add']],
  ['commit: statements to PostgreSQL', ['commit', 'write', 'query', 'withClient', 'atomically']],
  ['receive: packets, topics, sessions', ['#receive', '#read', 'publish', 'onStreamRead']],
  [
    'receive: HTTP requests',
    ['parserOnHeadersComplete', 'parserOnBody', 'endReadableNT', 'handler'],
  ],
];
const NOT_COUNTED = ['(idle)', 'dispatch'];

const partOfName = new Map(PARTS.flatMap(([part, names]) => names.map((name) => [name, part])));

function partOf(node) {
  for (let at = node; at; at = at.parent) {
    const part = partOfName.get(at.callFrame.functionName);
    if (part) return part;
  }
  return 'other';
}

/** The share of each part in the time that the thread was busy. */
function sharesOf({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) {
    for (const child of node.children ?? []) byId.get(child).parent = node;
  }
  const times = new Map();
  let busy = 0;
  for (const [index, id] of samples.entries()) {
    const node = byId.get(id);
    if (NOT_COUNTED.includes(node.callFrame.functionName)) continue;
    const part = partOf(node);
    times.set(part, (times.get(part) ?? 0) + timeDeltas[index]);
    busy += timeDeltas[index];
  }
  return [...times].map(([part, time]) => [part, time / busy]).sort((a, b) => b[1] - a[1]);
}

/** The task of a loader, and which one it is. */
function taskOf(service, clients, { inFlight, gateways, devicesEach, ...requests }) {
  if (gateways) return [{ port: service.port, clients, inFlight }, undefined];
  const deviceId = clients[0].topics[0].split('/').at(-1);
  const task = {
    ...requests,
    port: Number(new URL(service.http).port),
    path: `/data/v1/organizations/${organizationId}/devices/${deviceId}`,
    authorization: `Basic ${btoa(`${key.id}:${key.secret}`)}`,
  };
  return [task, HTTP_LOADER];
}

async function profile({ client, databaseUrl, dataDir }, name, form) {
  const fleet = form.gateways ? form : ONE_DEVICE;
  const clients = await populate(client, organizationId, fleet);
  const file = join(dataDir, 'profile.json');
  const preload = fileURLToPath(new URL('./profiled.mjs', import.meta.url));
  const service = await start(SERVER, {
    env: { ...serverEnv(databaseUrl, join(dataDir, 'service')), PROFILE: file },
    flags: ['--import', preload],
  });
  const groups = { server: () => [service.pid] };
  const [task, loader] = taskOf(service, clients, form);
  const toggle = () => process.kill(service.pid, 'SIGUSR2');
  const seen = await load(task, groups, toggle, loader);
  await service.stop();
  note(name, `${seen.micros.server.toFixed(1)} µs a message`);
  for (const [part, share] of sharesOf(JSON.parse(readFileSync(file, 'utf8')))) {
    const micros = (share * seen.micros.server).toFixed(1);
    note(`  ${part}`, `${(100 * share).toFixed(0)} %`, `${micros} µs`);
  }
}

const postgres = await startPostgres();
const stop = stoppedOnSignal(async () => {
  killAll();
  await postgres.stop();
});
try {
  const { databaseUrl, dataDir } = postgres;
  const env = serverEnv(databaseUrl, join(dataDir, 'service'));
  await (await start(SERVER, { env })).stop();
  for (const [name, form] of Object.entries(CASES)) await profile(postgres, name, form);
  if (isAlone()) printTable();
} finally {
  await stop();
}
