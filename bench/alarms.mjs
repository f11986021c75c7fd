// Alarms alone: what judging costs a reading, what a storm of crossings costs, and how long a backtest
// of a month takes. Run `npm run build` first, then `node bench/alarms.mjs`.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createAlarms, createWatching } from '../server/dist/alarms/index.js';
import { judgeAndCommit } from '../server/dist/ingest/index.js';
import { createReadings } from '../server/dist/readings/index.js';
import { createIds, createLog, systemClock } from '../server/dist/runtime/index.js';
import { openStorage } from '../server/dist/storage/index.js';
import { isAlone, note, printTable } from './rows.mjs';
import { soleFence } from './sole-node.mjs';

const DEVICES = 1_000;
const VARIABLES_PER_DEVICE = 10;
const BATCH = 4_000;
const ROUNDS = 250;
const MONTH = 30 * 8_640;

const newId = createIds(systemClock);
const log = createLog('silent');

/** Devices with Variables, of which every tenth has an alarm. */
async function populate(storage) {
  const organizationId = newId();
  await storage.query(
    `insert into organizations (id, name, created_at, updated_at) values ($1, 'Bench', now(), now())`,
    [organizationId],
  );
  await storage.query(
    `insert into devices (organization_id, id, type, name, name_folded, description, password_hash,
       created_at, updated_at)
     select $1, id, 'CUSTOM_DEVICE', 'Bench', 'bench', '', '', now(), now()
     from unnest($2::uuid[]) as made (id)`,
    [organizationId, Array.from({ length: DEVICES }, () => newId())],
  );
  const rows = await storage.query(
    `insert into variables (organization_id, id, device_id, topic_property_path,
       topic_property_path_folded, type, name, name_folded, is_logging_enabled, created_at,
       updated_at)
     select $1, gen_random_uuid(), devices.id, 'path.' || n, 'path.' || n, 'NUMBER', 'Bench',
       'bench', true, now(), now()
     from devices cross join generate_series(1, $2::int) n
     returning id, number as "seriesId", device_id as "deviceId"`,
    [organizationId, VARIABLES_PER_DEVICE],
  );
  await storage.query(
    `insert into alarms (organization_id, id, name, name_folded, is_active, device_id, variable_id,
       operator, threshold_number, severity, is_acknowledgeable, created_at, updated_at)
     select organization_id, gen_random_uuid(), 'Bench', 'bench', true, device_id, id,
       'GREATER_THAN', 50, 'LOW', false, now(), now()
     from variables where topic_property_path = 'path.1'`,
  );
  const deviceIds = new Map();
  for (const { deviceId } of rows) deviceIds.set(deviceId, deviceId);
  return rows.map(({ id, seriesId, deviceId }) => ({
    id,
    seriesId,
    organizationId,
    deviceId: deviceIds.get(deviceId),
    type: 'NUMBER',
    isLoggingEnabled: true,
    path: '',
  }));
}

function batchesOf(variables, at, value) {
  const batches = [];
  for (let first = 0; first < variables.length; first += BATCH) {
    const some = variables.slice(first, first + BATCH);
    batches.push(some.map((variable) => ({ variable, at, value })));
  }
  return batches;
}

const commitWith = ({ judge }, batch, commit) =>
  judgeAndCommit({ judge, commit }, batch, { arrivedAt: systemClock.now() });

/** The processor time of judging alone: the commit does nothing. */
async function judging(watching, variables) {
  const at = systemClock.now() - 3_600_000;
  const idle = async () => undefined;
  for (const batch of batchesOf(variables, at, 10)) await commitWith(watching, batch, idle);
  const rounds = Array.from({ length: ROUNDS }, (_, n) => batchesOf(variables, at + n, n % 40));
  const before = process.cpuUsage();
  for (const batches of rounds)
    for (const batch of batches) await commitWith(watching, batch, idle);
  const { user } = process.cpuUsage(before);
  const readings = ROUNDS * variables.length;
  note(
    'judging, a tenth of the Variables watched',
    `${((1_000 * user) / readings).toFixed(0)} ns a reading`,
  );
}

/** All alarms are raised at once, and cleared again. */
async function storm(watching, readings, variables) {
  const watched = variables.filter((_, index) => index % VARIABLES_PER_DEVICE === 0);
  for (const [what, value] of [
    ['raising', 60],
    ['clearing', 10],
  ]) {
    const start = performance.now();
    for (const batch of batchesOf(variables, systemClock.now(), value)) {
      await commitWith(watching, batch, readings.commit);
    }
    const ms = performance.now() - start;
    note(
      `${what} ${watched.length} events, with ${variables.length} readings`,
      `${ms.toFixed(0)} ms`,
    );
  }
}

async function backtest(storage, readings, variable) {
  const start = Date.UTC(2026, 0, 1);
  for (let first = 0; first < MONTH; first += BATCH) {
    const count = Math.min(BATCH, MONTH - first);
    const batch = Array.from({ length: count }, (_, index) => {
      const place = first + index;
      const value = Math.round((45 + 8 * Math.sin(place / 500) + (place % 7)) * 10) / 10;
      return { variable, at: start + 10_000 * place, value };
    });
    await readings.commit(batch);
  }
  await readings.stop();
  const fresh = createReadings({
    storage,
    clock: systemClock,
    log,
    fence: await soleFence(storage),
  });
  await fresh.start();
  const { analysis } = createAlarms({
    storage,
    newId,
    watching: { edited: async (_, { after }) => after },
    walkHistory: fresh.history.walk.bind(fresh.history),
    onEventsChanged: () => undefined,
  });
  const body = {
    name: 'Bench',
    isActive: true,
    deviceId: variable.deviceId,
    deviceVariableId: variable.id,
    operator: 'GREATER_THAN',
    thresholdValueNumber: 55,
    alarmGroupId: null,
    severity: 'LOW',
    isAcknowledgeable: false,
    delayProcessingSeconds: 30,
    startTime: start,
    endTime: start + 10_000 * MONTH,
  };
  const { organizationId } = variable;
  const times = [];
  let answer;
  for (let round = 0; round < 9; round += 1) {
    const before = performance.now();
    answer = await analysis.backtest({ params: { organizationId }, query: {}, body }, {});
    times.push(performance.now() - before);
  }
  times.sort((one, other) => one - other);
  const { readingCount, eventCount } = answer.body;
  note(
    `backtest over ${readingCount} readings, ${eventCount} events`,
    `${times[4].toFixed(0)} ms (median of 9)`,
  );
  await fresh.stop();
}

const dataDir = await mkdtemp(join(tmpdir(), 'fieldwatch-bench-'));
await chmod(dataDir, 0o711);
const storage = await openStorage({
  databaseUrl: null,
  dataDir,
  postgresBin: null,
  log,
  clock: systemClock,
  onProgress: () => undefined,
});
try {
  const readings = createReadings({
    storage,
    clock: systemClock,
    log,
    fence: await soleFence(storage),
  });
  await readings.start();
  const variables = await populate(storage);
  const watching = createWatching({
    storage,
    clock: systemClock,
    log,
    latest: readings.latest,
    onStored: () => undefined,
  });
  await judging(watching, variables);
  await storm(watching, readings, variables);
  await backtest(storage, readings, variables[1]);
  if (isAlone()) printTable();
} finally {
  await storage.stop();
  await rm(dataDir, { recursive: true, force: true });
}
