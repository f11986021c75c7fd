// Storage alone: journal, memtable, flush and compaction at full speed with durable commits, compared
// with COPY into plain rows in the same PostgreSQL. Run `npm run build` first, then
// `node bench/storage.mjs [--seconds 60] [--variables 2000] [--batch 4000]`.
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  makeVariables,
  peakMegabytes,
  processorTime,
  START,
  sizeOf,
  withStorage,
} from './history.mjs';
import { note, noteTable } from './rows.mjs';
import { reachDatabase } from './service.mjs';
import { joinAlone } from './sole-node.mjs';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    variables: { type: 'string', default: '2000' },
    batch: { type: 'string', default: '4000' },
    plain: { type: 'string', default: '1000000' },
  },
});
const [SECONDS, VARIABLES, BATCH, PLAIN] = [
  flags.seconds,
  flags.variables,
  flags.batch,
  flags.plain,
].map(Number);
const IN_FLIGHT = 2;

/** The number of steps after which values repeat. */
const ROUND = 8_640;
const SHAPES = 8;
const STATES = ['STOPPED', 'CRANKING', 'RUNNING', 'COOLING DOWN'];

function noise(shape, step) {
  let mixed = Math.imul(step + 977 * shape + 1, 0x9e37_79b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85eb_ca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 31 - 1;
}

/** Values like those of generator sets and meters: load curves, voltages, counters, levels, states. */
function believable(shape, step) {
  const day = Math.sin((step * 2 * Math.PI) / ROUND);
  const random = noise(shape, step);
  switch (shape) {
    case 0:
      return Math.round((230 + 1.5 * random) * 10) / 10;
    case 1:
      return Math.round((250 + 200 * day + 5 * random) * 10) / 10;
    case 2:
      return Math.round((12_000 + step * 0.81 + 0.02 * random) * 100) / 100;
    case 3:
      return Math.round((50 + 0.05 * random) * 100) / 100;
    case 4:
      return Math.floor(step / 170) % 3 === 2 ? Math.round(1_800 + 4 * random) : 0;
    case 5:
      return Math.fround(40 + 10 * day + 0.1 * random);
    case 6:
      return step % 700 > 600;
    default:
      return STATES[Math.floor(step / 150) % STATES.length];
  }
}

const typeOf = (place) =>
  place % SHAPES === 6 ? 'BOOLEAN' : place % SHAPES === 7 ? 'STRING' : 'NUMBER';

/** Fills batches in turn, each Variable every ten seconds with some jitter. */
function createSource(variables) {
  const shapes = Array.from({ length: SHAPES }, (_, shape) =>
    Array.from({ length: ROUND }, (_, step) => believable(shape, step)),
  );
  let [place, step] = [0, 0];
  return function fill(batch) {
    for (const reading of batch) {
      reading.variable = variables[place];
      reading.at = START + step * 10_000 + ((place * 7 + step * 13) % 41);
      reading.value = shapes[place % SHAPES][(step + 37 * place) % ROUND];
      place += 1;
      if (place === variables.length) [place, step] = [0, step + 1];
    }
  };
}

const emptyBatch = () =>
  Array.from({ length: BATCH }, () => ({ variable: null, at: 0, value: null }));

/** The cost of creating the readings, which is not part of storage. */
function sourceCost(variables) {
  const fill = createSource(variables);
  const batch = emptyBatch();
  for (let warm = 0; warm < 500; warm += 1) fill(batch);
  const before = process.cpuUsage();
  for (let times = 0; times < 1_000; times += 1) fill(batch);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (1_000 * BATCH);
}

async function write(readings, variables) {
  const fill = createSource(variables);
  const latencies = [];
  const until = performance.now() + SECONDS * 1_000;
  let count = 0;
  async function lane() {
    const batch = emptyBatch();
    while (performance.now() < until) {
      fill(batch);
      const began = performance.now();
      await readings.commit(batch);
      latencies.push(performance.now() - began);
      count += batch.length;
    }
  }
  const began = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  const seconds = (performance.now() - began) / 1_000;
  latencies.sort((a, b) => a - b);
  return { count, seconds, latencies };
}

async function measureHistory(storage) {
  const variables = await makeVariables(storage, VARIABLES, typeOf);
  const cost = sourceCost(variables);
  const { open, leave } = await joinAlone(storage);
  const readings = open();
  await readings.start();
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const before = processorTime();
  const { count, seconds, latencies } = await write(readings, variables);
  const after = processorTime();
  loop.disable();
  const began = performance.now();
  await readings.stop();
  await leave();
  const stopped = performance.now() - began;
  const at = (share) => latencies[Math.floor(share * (latencies.length - 1))].toFixed(1);
  return {
    'readings/s': Math.round(count / seconds),
    'bytes/reading': ((await sizeOf(storage, 'chunks')) / count).toFixed(2),
    'Node, µs/reading': ((after.node - before.node) / count - cost).toFixed(3),
    'source, µs/reading': cost.toFixed(3),
    'PostgreSQL, µs/reading': ((after.postgres - before.postgres) / count).toFixed(3),
    'commit, ms (median, 99 %, most)': `${at(0.5)}, ${at(0.99)}, ${at(1)}`,
    'event loop held, ms (99 %, most)': `${(loop.percentile(99) / 1e6).toFixed(1)}, ${(loop.max / 1e6).toFixed(1)}`,
    'peak memory, MB': peakMegabytes(),
    'stop, ms': Math.round(stopped),
    readings: count,
  };
}

const PLAIN_PER_FILE = 20_000;

/** A file in the format of COPY BINARY: 3 fields of 8 bytes per row. */
function copyFile(first, count) {
  const head = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
  const rows = Buffer.alloc(count * 38 + 2);
  for (let row = 0, at = 0; row < count; row += 1) {
    const place = (first + row) % VARIABLES;
    const step = Math.floor((first + row) / VARIABLES);
    at = rows.writeInt16BE(3, at);
    at = rows.writeBigInt64BE(BigInt(place), rows.writeInt32BE(8, at));
    at = rows.writeBigInt64BE(BigInt(START + step * 10_000), rows.writeInt32BE(8, at));
    at = rows.writeDoubleBE(Number(believable(place % 6, step % ROUND)), rows.writeInt32BE(8, at));
  }
  rows.writeInt16BE(-1, rows.length - 2);
  return Buffer.concat([head, rows]);
}

async function measurePlain(storage, dataDir) {
  await storage.query(
    'create table plain (variable_number bigint, at bigint, value double precision, primary key (variable_number, at))',
  );
  const path = join(dataDir, 'plain.copy');
  // Only a superuser may read files of the machine.
  const { client } = await reachDatabase(dataDir);
  let milliseconds = 0;
  const before = processorTime();
  for (let first = 0; first < PLAIN; first += PLAIN_PER_FILE) {
    await writeFile(path, copyFile(first, PLAIN_PER_FILE));
    await chmod(path, 0o644);
    const began = performance.now();
    await client.query(`copy plain from '${path}' (format binary)`);
    milliseconds += performance.now() - began;
  }
  const after = processorTime();
  await client.end();
  return {
    'readings/s': Math.round((PLAIN / milliseconds) * 1_000),
    'bytes/reading': ((await sizeOf(storage, 'plain')) / PLAIN).toFixed(2),
    'PostgreSQL, µs/reading': ((after.postgres - before.postgres) / PLAIN).toFixed(3),
  };
}

await withStorage(async (storage, dataDir) => {
  const history = await measureHistory(storage);
  noteTable(history);
  if (PLAIN === 0) return;
  await pause(500);
  const plain = await measurePlain(storage, dataDir);
  noteTable(
    Object.fromEntries(Object.entries(plain).map(([name, value]) => [`COPY: ${name}`, value])),
  );
  const ratio = history['readings/s'] / plain['readings/s'];
  note('history beside COPY into plain rows', `${ratio.toFixed(1)} times as fast`);
});
