// The speed of history queries: as a function and over HTTP, compared with plain rows in the same
// PostgreSQL, and how long a query of a year blocks other requests. Run `npm run build` first.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { asItems, pageJson } from '../server/dist/readings/api/raw-json.js';
import { systemClock } from '../server/dist/runtime/index.js';
import { openStorage } from '../server/dist/storage/index.js';
import { withService } from './asked-service.mjs';
import { isAlone, note, printTable } from './rows.mjs';
import { organizationId } from './service.mjs';
import { chartsOf, joinAlone, pagesOf, rawPage } from './sole-node.mjs';
import {
  believable,
  log,
  makeVariables,
  median,
  START,
  STEPS_PER_DAY,
  sizeOf,
  storeHistory,
  timeOf,
} from './stored-history.mjs';

const DAY_MS = 86_400_000;
const DAYS = Number(process.argv[2] ?? 365);
const range = (days) => ({ from: START, to: START + days * DAY_MS - 1 });
const ms = (value) => `${value.toFixed(2)} ms`;
const rawJson = ([page]) => pageJson(rawPage(page, ''), asItems);

async function plainRows(storage, steps) {
  await storage.query(
    `create table plain (variable_number bigint, at bigint, value double precision,
       primary key (variable_number, at))`,
  );
  for (let step = 0; step < steps; step += 20_000) {
    const indexes = Array.from(
      { length: Math.min(20_000, steps - step) },
      (_, index) => step + index,
    );
    await storage.query(
      `insert into plain select 1, at, value
       from unnest($1::bigint[], $2::double precision[]) as made (at, value)`,
      [indexes.map(timeOf), indexes.map((each) => believable(1, each))],
    );
  }
  await storage.query('analyze plain');
}

const plainRaw = (storage, { from, to }) =>
  storage.query(
    `select at, value from plain where variable_number = 1 and at between $1 and $2 order by at`,
    [from, to],
  );

const plainBuckets = (storage, { from, to }, count) =>
  storage.query(
    `select (at - $1) / $3::bigint as bucket, count(*), min(value), max(value), avg(value),
       (array_agg(value order by at))[1], (array_agg(value order by at desc))[1]
     from plain where variable_number = 1 and at between $1 and $2 group by 1 order by 1`,
    [from, to, Math.ceil((to - from + 1) / count)],
  );

async function eventLoopDelay(work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  return `${(delay.percentile(99) / 1e6).toFixed(1)} ms p99, ${(delay.max / 1e6).toFixed(1)} ms at most`;
}

const row = (what, own, plain) => {
  const beside =
    plain === undefined ? '' : `plain rows ${ms(plain)}: ${(plain / own).toFixed(1)} ×`;
  note(what, ms(own), beside);
};

async function fill(storage) {
  const variables = await makeVariables(storage, 8, organizationId);
  const began = performance.now();
  for (const [index, variable] of variables.entries()) {
    await storeHistory(storage, variable, index, DAYS * STEPS_PER_DAY);
  }
  await storage.query('vacuum analyze chunks');
  const stored = 8 * DAYS * STEPS_PER_DAY;
  console.log(`${stored} readings stored in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  console.log(`${((await sizeOf(storage, 'chunks')) / stored).toFixed(2)} bytes/reading`);
  await plainRows(storage, 30 * STEPS_PER_DAY);
  return variables;
}

async function measureFunctions(storage, variables) {
  const { open, leave } = await joinAlone(storage);
  const readings = open();
  const [, meter] = variables;
  row(
    '1 day raw (8 640 readings)',
    await median(101, () => pagesOf(readings, [meter], range(1), 10_000)),
    await median(31, () => plainRaw(storage, range(1))),
  );
  row(
    '1 day raw, and as JSON',
    await median(101, async () => rawJson(await pagesOf(readings, [meter], range(1), 10_000))),
    await median(31, async () => JSON.stringify(await plainRaw(storage, range(1)))),
  );
  row(
    '30 days in 500 buckets',
    await median(21, () => chartsOf(readings, [meter], range(30), 500)),
    await median(5, () => plainBuckets(storage, range(30), 500)),
  );
  const year = () => chartsOf(readings, variables, range(DAYS), 500);
  row(`${DAYS} days of 8 Variables in 500 buckets`, await median(9, year));
  note(`event loop blocked by ${DAYS} days of 8 Variables`, await eventLoopDelay(year));
  await readings.stop();
  await leave();
}

/** The same queries to the server itself, from this process. */
async function measureService(ask, variables) {
  const path = `/primary/v1/${organizationId}/devices/variables`;
  const span = (days) => `startTime=${range(days).from}&endTime=${range(days).to}`;
  const one = `${path}/${variables[1].id}/readings`;
  const ids = variables.map(({ id }) => `ids[]=${id}`).join('&');
  const get = (what, runs, asked) => median(runs, () => ask(asked)).then((own) => row(what, own));
  await get('a minute raw, over HTTP', 101, `${one}?startTime=${START}&endTime=${START + 59_999}`);
  await get('1 day raw, over HTTP', 101, `${one}?${span(1)}`);
  await get('30 days in 500 buckets, over HTTP', 21, `${one}?${span(30)}&buckets=500`);
  await get(
    `${DAYS} days of 8 Variables in 500 buckets, over HTTP`,
    9,
    `${path}/readings?${ids}&${span(DAYS)}&buckets=500`,
  );
}

const dataDir = await mkdtemp(join(tmpdir(), 'fieldwatch-bench-'));
try {
  await chmod(dataDir, 0o711);
  await withService(dataDir, () => undefined);
  const common = { databaseUrl: null, dataDir, postgresBin: null, onProgress: () => undefined };
  const storage = await openStorage({ ...common, log, clock: systemClock });
  let variables;
  try {
    variables = await fill(storage);
    await measureFunctions(storage, variables);
  } finally {
    await storage.stop();
  }
  await withService(dataDir, (ask) => measureService(ask, variables));
  if (isAlone()) printTable();
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
