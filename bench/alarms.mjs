// Alarms alone: what judging costs a reading, what a storm of crossings costs, and how long a backtest
// of a month takes. Run `npm run build` first, then `node bench/alarms.mjs`.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createAlarmEngine, createAlarms } from '../server/dist/alarms/index.js';
import { judgeAndCommit } from '../server/dist/ingest/index.js';
import { fenced } from '../server/dist/nodes/index.js';
import { createIds, createLog, momentOf, systemClock } from '../server/dist/runtime/index.js';
import { openStorage } from '../server/dist/storage/index.js';
import { isAlone, note, printTable } from './rows.mjs';
import { joinAlone } from './sole-node.mjs';

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
  judgeAndCommit({ judge, commit }, batch, { arrived: momentOf(systemClock) });

/** The processor time of judging alone: the commit does nothing. */
async function judging(engine, variables) {
  const at = systemClock.now() - 3_600_000;
  const idle = async () => undefined;
  for (const batch of batchesOf(variables, at, 10)) await commitWith(engine, batch, idle);
  const rounds = Array.from({ length: ROUNDS }, (_, n) => batchesOf(variables, at + n, n % 40));
  const before = process.cpuUsage();
  for (const batches of rounds) for (const batch of batches) await commitWith(engine, batch, idle);
  const { user } = process.cpuUsage(before);
  const readings = ROUNDS * variables.length;
  note(
    'judging, a tenth of the Variables with an Alarm',
    `${((1_000 * user) / readings).toFixed(0)} ns a reading`,
  );
}

/** All alarms are raised at once, and cleared again. */
async function storm(engine, readings, variables) {
  const watched = variables.filter((_, index) => index % VARIABLES_PER_DEVICE === 0);
  for (const [what, value] of [
    ['raising', 60],
    ['clearing', 10],
  ]) {
    const start = performance.now();
    for (const batch of batchesOf(variables, systemClock.now(), value)) {
      await commitWith(engine, batch, readings.commit);
    }
    const ms = performance.now() - start;
    note(
      `${what} ${watched.length} events, with ${variables.length} readings`,
      `${ms.toFixed(0)} ms`,
    );
  }
}

async function backtest(storage, open, variable) {
  const readings = open();
  await readings.start();
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
  const fresh = open();
  await fresh.start();
  const { analysis } = createAlarms({
    storage,
    newId,
    engine: { edited: async (_, { after }) => after },
    consumeHistory: fresh.consume,
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
  const context = { caller: { kind: 'API_KEY', id: 'bench' }, isClientGone: () => false };
  const times = [];
  let answer;
  for (let round = 0; round < 9; round += 1) {
    const before = performance.now();
    answer = await analysis.backtest({ params: { organizationId }, query: {}, body }, context);
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
  const { open, leave, fence } = await joinAlone(storage);
  const readings = open();
  await readings.start();
  const variables = await populate(storage);
  const engine = createAlarmEngine({
    storage: fenced(storage.ingest, fence),
    ownership: fence.ownership,
    clock: systemClock,
    log,
    latest: readings.ingestLatest,
    isStored: readings.isStored,
    onStored: () => undefined,
  });
  engine.start();
  await judging(engine, variables);
  await storm(engine, readings, variables);
  await engine.stop();
  await readings.stop();
  await backtest(storage, open, variables[1]);
  await leave();
  if (isAlone()) printTable();
} finally {
  await storage.stop();
  await rm(dataDir, { recursive: true, force: true });
}
