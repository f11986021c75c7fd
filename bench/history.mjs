// Shared by the benchmarks of history: a private PostgreSQL, Variables, realistic values, and the CPU
// time of both processes.
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIds, createLog, systemClock } from '../server/dist/runtime/index.js';
import { openStorage } from '../server/dist/storage/index.js';
import { stoppedOnSignal } from './stopping.mjs';

export const START = Date.UTC(2026, 0, 1);
export const log = createLog('warn');
export const clock = systemClock;
const newId = createIds(systemClock);

/** A data directory of its own, which is deleted at the end. */
export async function withStorage(work) {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldwatch-bench-'));
  await chmod(dataDir, 0o711);
  const storage = await openStorage({
    databaseUrl: null,
    dataDir,
    postgresBin: null,
    log,
    clock,
    onProgress: () => undefined,
  });
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

const VARIABLES_PER_STATEMENT = 20_000;

/** Variables of one Device; `typeOf` returns the type by index. */
export async function makeVariables(storage, count, typeOf = () => 'NUMBER') {
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
  const made = [];
  for (let start = 0; start < count; start += VARIABLES_PER_STATEMENT) {
    const places = Array.from(
      { length: Math.min(VARIABLES_PER_STATEMENT, count - start) },
      (_, index) => start + index,
    );
    const types = places.map(typeOf);
    const rows = await storage.query(
      `insert into variables (organization_id, id, device_id, topic_property_path,
         topic_property_path_folded, type, name, name_folded, is_logging_enabled, created_at,
         updated_at)
       select $1, id, $2, 'path.' || place, 'path.' || place, type, 'Bench', 'bench', true, now(),
         now() from unnest($3::uuid[], $4::integer[], $5::text[]) as made (id, place, type)
       returning id, number as "seriesId", type`,
      [organizationId, deviceId, places.map(() => newId()), places, types],
    );
    for (const { id, seriesId, type } of rows) {
      made.push({ id, seriesId, organizationId, deviceId, type, isLoggingEnabled: true, path: '' });
    }
  }
  return made;
}

export async function sizeOf(storage, name) {
  const [{ size }] = await storage.query('select pg_total_relation_size($1::regclass) as size', [
    name,
  ]);
  return size;
}

/** Processor time of this process and of the PostgreSQL below it, in microseconds. */
export function processorTime() {
  const { user, system } = process.cpuUsage();
  return { node: user + system, postgres: descendantsTime() };
}

/** Known on Linux only; 0 elsewhere. A process that has ended counts with its parent. */
function descendantsTime() {
  let pids;
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return 0;
  }
  const processes = new Map();
  for (const pid of pids) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
      const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0);
      processes.set(pid, { parent: fields[1], ticks });
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOurs = (pid) => {
    const parent = processes.get(pid)?.parent;
    return parent === String(process.pid) || (parent !== undefined && isOurs(parent));
  };
  let ticks = 0;
  for (const [pid, each] of processes) if (isOurs(pid)) ticks += each.ticks;
  return ticks * 10_000;
}

export function megabytes(bytes) {
  return Math.round(bytes / 1e6);
}

export function peakMegabytes() {
  return Math.round(process.resourceUsage().maxRSS / 1e3);
}
