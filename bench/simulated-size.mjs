// The size of the simulator's readings on disk, compared with plain rows of the same readings. Run
// `npm run build` first, then `node bench/simulated-size.mjs [--sites 2] [--days 30] [--seed 1]`.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createLog, systemClock } from '../server/dist/runtime/index.js';
import { openStorage } from '../server/dist/storage/index.js';
import { createFleet } from '../simulator/dist/index.js';
import { insertFleet } from './fleet-variables.mjs';
import { noteTable } from './rows.mjs';
import { joinAlone } from './sole-node.mjs';
import { stoppedOnSignal } from './stopping.mjs';

const START = Date.UTC(2026, 9, 5);
const BATCH = 5_000;
const PLAIN_ROWS = 1_000_000;
const DAY = 86_400_000;

const flag = (value) => ({ type: 'string', default: value });
const { values } = parseArgs({ options: { sites: flag('2'), days: flag('30'), seed: flag('1') } });
const [sites, days, seed] = [values.sites, values.days, values.seed].map(Number);

/** Commits everything that the fleet reports, in batches, and returns the number of readings. */
async function writeAll(readings, fleet, find) {
  let total = 0;
  let batch = [];
  for (const { device, at, values: reported } of fleet.readingsBetween(START, START + days * DAY)) {
    for (const path in reported) {
      batch.push({ variable: find(device.name, path), at, value: reported[path] });
    }
    if (batch.length < BATCH) continue;
    total += batch.length;
    await readings.commit(batch);
    batch = [];
  }
  await readings.commit(batch);
  return total + batch.length;
}

/** One row per reading, for enough readings to know the size of a row. */
async function writePlain(storage, fleet, find) {
  await storage.query(
    'create table plain (variable_number bigint, at bigint, value double precision, primary key (variable_number, at))',
  );
  const columns = { seriesIds: [], times: [], values: [] };
  let total = 0;
  const flush = async () => {
    await storage.query(
      `insert into plain select * from unnest($1::bigint[], $2::bigint[], $3::double precision[])`,
      [columns.seriesIds, columns.times, columns.values],
    );
    total += columns.seriesIds.length;
    for (const column of Object.values(columns)) column.length = 0;
  };
  for (const { device, at, values: reported } of fleet.readingsBetween(START, START + days * DAY)) {
    for (const path in reported) {
      if (typeof reported[path] === 'string') continue;
      columns.seriesIds.push(find(device.name, path).seriesId);
      columns.times.push(at);
      columns.values.push(Number(reported[path]));
    }
    if (columns.seriesIds.length >= 20_000) await flush();
    if (total >= PLAIN_ROWS) break;
  }
  await flush();
  return total;
}

async function bytesOf(storage, table) {
  await storage.query(`vacuum analyze ${table}`);
  const [{ size }] = await storage.query('select pg_total_relation_size($1::regclass) as size', [
    table,
  ]);
  return Number(size);
}

const dataDir = await mkdtemp(join(tmpdir(), 'fieldwatch-size-'));
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
const stop = stoppedOnSignal(async () => {
  await storage.stop();
  await rm(dataDir, { recursive: true, force: true });
});
const { open, leave } = await joinAlone(storage);
try {
  const fleet = createFleet({ sites, seed });
  const find = await insertFleet(storage, fleet.devices);
  const first = open();
  await first.start();
  const total = await writeAll(first, fleet, find);
  await first.stop();
  const second = open();
  await second.start();
  await second.compact(1_000_000);
  await second.stop();
  await leave();
  const bytes = await bytesOf(storage, 'chunks');
  const plainRows = await writePlain(storage, fleet, find);
  const plainBytes = await bytesOf(storage, 'plain');
  const [{ chunks, data }] = await storage.query(
    'select count(*)::int as chunks, sum(length(data))::float8 as data from chunks',
  );
  noteTable({
    sites,
    days,
    readings: total,
    'readings a chunk': Math.round(total / chunks),
    'bytes a reading': Number((bytes / total).toFixed(3)),
    'of that encoded': Number((data / total).toFixed(3)),
    'plain rows, bytes a reading': Number((plainBytes / plainRows).toFixed(1)),
    'times smaller': Number((plainBytes / plainRows / (bytes / total)).toFixed(1)),
  });
  console.log('What costs most, encoded bytes a reading:');
  console.table(
    await storage.query(
      `select topic_property_path as path, round(sum(length(data)) / sum(count)::numeric, 3)::float8 as bytes
       from chunks join variables on number = variable_number
       group by 1 order by 2 desc limit 15`,
    ),
  );
} finally {
  await stop();
}
