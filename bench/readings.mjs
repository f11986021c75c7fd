// History alone: how fast readings are kept, how much room they take, and how fast they are read,
// beside plain rows in the same PostgreSQL. Run `npm run build` first, then `node bench/readings.mjs`.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createReadings } from '../server/dist/readings/index.js';
import { createIds, createLog, systemClock } from '../server/dist/runtime/index.js';
import { openStorage } from '../server/dist/storage/index.js';

const START = Date.UTC(2026, 0, 1);
const VARIABLES = Number(process.env.VARIABLES ?? 1_000);
const BATCH = 2_000;
const newId = createIds(systemClock);
const table = [];
const note = (what, value) => {
  table.push({ what, value });
  console.log(`${what}: ${value}`);
};

/** Load curves with noise, as meters give them: one or two decimals, now and then a step. */
function believable(variable, step) {
  const day = Math.sin((step * 10_000 * 2 * Math.PI) / 86_400_000 + variable);
  const noise = ((Math.imul(step + 7 * variable, 2_654_435_761) >>> 0) / 2 ** 32 - 0.5) * 2;
  switch (variable % 4) {
    case 0:
      return Math.round((400 + 3 * noise) * 10) / 10;
    case 1:
      return Math.round((250 + 200 * day + 5 * noise) * 10) / 10;
    case 2:
      return Math.floor(step / 360) + 1_000;
    default:
      return Math.round((50 + 0.05 * noise) * 100) / 100;
  }
}

async function makeVariables(storage, count) {
  const [organizationId, deviceId] = [newId(), newId()];
  await storage.query(
    `insert into organizations (id, name, created_at, updated_at) values ($1, 'Bench', now(), now())`,
    [organizationId],
  );
  await storage.query(
    `insert into devices (organization_id, id, type, name, name_folded, description, password_hash,
       created_at, updated_at)
     values ($1, $2, 'CUSTOM_DEVICE', 'Bench', 'bench', '', '', now(), now())`,
    [organizationId, deviceId],
  );
  const rows = await storage.query(
    `insert into variables (organization_id, id, device_id, topic_property_path,
       topic_property_path_folded, type, name, name_folded, is_logging_enabled, created_at,
       updated_at)
     select $1, id, $2, 'path.' || place, 'path.' || place, 'NUMBER', 'Bench', 'bench', true, now(),
       now() from unnest($3::uuid[]) with ordinality as made (id, place)
     returning id, number`,
    [organizationId, deviceId, Array.from({ length: count }, () => newId())],
  );
  return rows.map(({ id, number }) => ({
    id,
    number,
    organizationId,
    deviceId,
    type: 'NUMBER',
    isLoggingEnabled: true,
    path: '',
  }));
}

async function median(times, work) {
  const taken = [];
  for (let run = 0; run < times; run += 1) {
    const began = performance.now();
    await work();
    taken.push(performance.now() - began);
  }
  return `${taken.sort((a, b) => a - b)[Math.floor(times / 2)].toFixed(2)} ms`;
}

async function sizeOf(storage, name) {
  const [{ size }] = await storage.query('select pg_total_relation_size($1::regclass) as size', [
    name,
  ]);
  return size;
}

/** All Variables in turn, a batch each time; two batches on their way. */
async function write(readings, variables, total) {
  let sent = 0;
  const inFlight = [];
  const steps = new Map();
  const began = performance.now();
  for (let variable = 0; sent < total; ) {
    const batch = [];
    for (; batch.length < BATCH; variable = (variable + 1) % variables.length) {
      const step = steps.get(variable) ?? 0;
      steps.set(variable, step + 1);
      batch.push({
        variable: variables[variable],
        at: START + step * 10_000,
        value: believable(variable, step),
      });
    }
    sent += batch.length;
    inFlight.push(readings.commit(batch));
    if (inFlight.length === 2) await inFlight.shift();
  }
  await Promise.all(inFlight);
  return Math.round((sent / (performance.now() - began)) * 1000);
}

async function writeYear(readings, variables, steps) {
  for (let step = 0; step < steps; ) {
    const batch = [];
    for (; batch.length < 4_000 && step < steps; step += 1) {
      const jitter = step % 97 === 0 ? 3 : 0;
      for (const [index, variable] of variables.entries()) {
        batch.push({
          variable,
          at: START + step * 10_000 + jitter,
          value: believable(index, step),
        });
      }
    }
    await readings.commit(batch);
  }
}

async function plainRows(storage, steps) {
  await storage.query(
    'create table plain (variable_number bigint, at bigint, value double precision, primary key (variable_number, at))',
  );
  const began = performance.now();
  for (let step = 0; step < steps; step += 20_000) {
    const indexes = Array.from(
      { length: Math.min(20_000, steps - step) },
      (_, index) => step + index,
    );
    await storage.query(
      'insert into plain select 1, at, value from unnest($1::bigint[], $2::double precision[]) as made (at, value)',
      [indexes.map((each) => START + each * 10_000), indexes.map((each) => believable(1, each))],
    );
  }
  note('plain rows, readings/s', Math.round((steps / (performance.now() - began)) * 1000));
  note('plain rows, bytes/reading', ((await sizeOf(storage, 'plain')) / steps).toFixed(1));
  const range = (days) => [START, START + days * 86_400_000 - 1];
  note(
    'plain rows, 1 day raw',
    await median(9, () =>
      storage.query(
        'select at, value from plain where variable_number = 1 and at between $1 and $2 order by at',
        range(1),
      ),
    ),
  );
  note(
    'plain rows, 30 days in 500 buckets',
    await median(5, () =>
      storage.query(
        'select (at - $1) / 5184000 as bucket, count(*), min(value), max(value), avg(value) from plain where variable_number = 1 and at between $1 and $2 group by 1 order by 1',
        range(30),
      ),
    ),
  );
}

const dataDir = await mkdtemp(join(tmpdir(), 'fieldwatch-bench-'));
await chmod(dataDir, 0o711);
const log = createLog('warn');
const storage = await openStorage({
  databaseUrl: null,
  dataDir,
  postgresBin: null,
  log,
  clock: systemClock,
  onProgress: () => undefined,
});
const readings = createReadings({ storage, clock: systemClock, log });
try {
  await readings.start();
  const many = await makeVariables(storage, VARIABLES);
  const total = Number(process.env.READINGS ?? 10_000_000);
  note(
    `journal and chunks, ${VARIABLES} Variables, readings/s`,
    await write(readings, many, total),
  );
  note('memory, rss MB', Math.round(process.memoryUsage().rss / 1e6));
  const year = await makeVariables(storage, 8);
  const before = await sizeOf(storage, 'chunks');
  const steps = 365 * 8_640;
  const began = performance.now();
  await writeYear(readings, year, steps);
  note(
    'a year of 8 Variables, readings/s',
    Math.round((8 * steps) / ((performance.now() - began) / 1000)),
  );
  await readings.stop();
  note('bytes/reading', (((await sizeOf(storage, 'chunks')) - before) / (8 * steps)).toFixed(2));
  await storage.query('analyze');
  const [, meter] = year;
  const range = (days) => ({ from: START, to: START + days * 86_400_000 - 1 });
  note('1 day raw', await median(9, () => readings.raw(meter, range(1), 10_000)));
  note('30 days in 500 buckets', await median(9, () => readings.buckets(meter, range(30), 500)));
  note(
    '1 year of 8 Variables in 500 buckets',
    await median(5, () => Promise.all(year.map((each) => readings.buckets(each, range(365), 500)))),
  );
  await plainRows(storage, 30 * 8_640);
  console.table(table);
} finally {
  await readings.stop();
  await storage.stop();
  await rm(dataDir, { recursive: true, force: true });
}
