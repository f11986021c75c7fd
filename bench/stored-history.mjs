// Shared by the benchmarks of history: a private PostgreSQL, and years of readings in it within
// seconds, in the chunks that flush and compaction would have written.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { chunkRows, insertChunks } from '../server/dist/readings/chunks/index.js';
import { READINGS_LIMITS } from '../server/dist/readings/index.js';
import { createIds, createLog, systemClock } from '../server/dist/runtime/index.js';
import { openStorage } from '../server/dist/storage/index.js';
import { stoppedOnSignal } from './stopping.mjs';

export const START = Date.UTC(2026, 0, 1);
export const STEP_MS = 10_000;
export const STEPS_PER_DAY = 8_640;
export const newId = createIds(systemClock);
export const log = createLog('warn');

const ROWS_PER_STATEMENT = 128;

/** Mixed well: steps of one size would let a general compressor predict every value. */
export function noise(variable, step) {
  let mixed = Math.imul(step + 977 * variable + 1, 0x9e37_79b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85eb_ca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 31 - 1;
}

/** Load curves with noise, like those of meters: one or two decimals, sometimes a step. */
export function believable(variable, step) {
  const day = Math.sin((step * STEP_MS * 2 * Math.PI) / 86_400_000 + variable);
  const random = noise(variable, step);
  switch (variable % 4) {
    case 0:
      return Math.round((400 + 3 * random) * 10) / 10;
    case 1:
      return Math.round((250 + 200 * day + 5 * random) * 10) / 10;
    case 2:
      return Math.floor(step / 360) + 1_000;
    default:
      return Math.round((50 + 0.05 * random) * 100) / 100;
  }
}

/** Every ten seconds, sometimes a few milliseconds late. */
export const timeOf = (step) => START + step * STEP_MS + (step % 97 === 0 ? 3 : 0);

/** Runs work with a PostgreSQL that is deleted afterwards. */
export async function withStorage(work) {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldwatch-bench-'));
  await chmod(dataDir, 0o711);
  const onProgress = () => undefined;
  const options = { databaseUrl: null, dataDir, postgresBin: null, log, clock: systemClock };
  const storage = await openStorage({ ...options, onProgress });
  const stop = stoppedOnSignal(async () => {
    await storage.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  try {
    await work(storage, dataDir);
  } finally {
    await stop();
  }
}

export async function makeVariables(storage, count, organizationId = undefined) {
  const deviceId = newId();
  const owner = organizationId ?? newId();
  if (!organizationId) {
    await storage.query(
      `insert into organizations (id, name, created_at, updated_at)
       values ($1, 'Bench', now(), now())`,
      [owner],
    );
  }
  await storage.query(
    `insert into devices (organization_id, id, type, name, name_folded, description, password_hash,
       created_at, updated_at)
     values ($1, $2, 'CUSTOM_DEVICE', 'Bench', 'bench', '', '', now(), now())`,
    [owner, deviceId],
  );
  const rows = await storage.query(
    `insert into variables (organization_id, id, device_id, topic_property_path,
       topic_property_path_folded, type, name, name_folded, is_logging_enabled, created_at,
       updated_at)
     select $1, id, $2, 'path.' || place, 'path.' || place, 'NUMBER', 'Bench', 'bench', true, now(),
       now() from unnest($3::uuid[]) with ordinality as made (id, place)
     returning id, number as "seriesId"`,
    [owner, deviceId, Array.from({ length: count }, () => newId())],
  );
  const common = { organizationId: owner, deviceId, type: 'NUMBER', isLoggingEnabled: true };
  return rows.map(({ id, seriesId }) => ({ ...common, id, seriesId, path: '' }));
}

/** Stores so many steps of a Variable as chunks. */
export async function storeHistory(storage, variable, index, steps) {
  const times = Float64Array.from({ length: steps }, (_, step) => timeOf(step));
  const values = Float64Array.from({ length: steps }, (_, step) => believable(index, step));
  const columns = { kind: 'NUMBER', times, values };
  let rows = [];
  const flush = async () => {
    const [{ written }] = await storage.query(`select nextval('chunk_writes') as written`);
    await insertChunks(storage, written, rows);
    rows = [];
  };
  for (const row of chunkRows(variable.seriesId, columns, READINGS_LIMITS.readingsPerChunk)) {
    rows.push(row);
    if (rows.length === ROWS_PER_STATEMENT) await flush();
  }
  if (rows.length > 0) await flush();
}

export async function sizeOf(storage, name) {
  const [{ size }] = await storage.query('select pg_total_relation_size($1::regclass) as size', [
    name,
  ]);
  return size;
}

/** Milliseconds: the median of so many runs after a first one. */
export async function median(runs, work) {
  await work();
  const taken = [];
  for (let run = 0; run < runs; run += 1) {
    const began = performance.now();
    await work();
    taken.push(performance.now() - began);
  }
  return taken.sort((a, b) => a - b)[Math.floor(runs / 2)];
}
