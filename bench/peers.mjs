// The same readings and queries on our history, InfluxDB and VictoriaMetrics, where these are
// installed, each as a private process on loopback. Run `npm run build` first, then
// `npm run bench -- peers`, or `node bench/peers.mjs [--days 365]`.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { influxdb } from './influxdb.mjs';
import { own } from './own-history.mjs';
import { isAlone, note, printTable } from './rows.mjs';
import { believable, median, START, STEPS_PER_DAY, timeOf } from './stored-history.mjs';
import { victoriaMetrics } from './victoria-metrics.mjs';

const { values: flags } = parseArgs({ options: { days: { type: 'string', default: '365' } } });
const DAYS = Number(flags.days);
const SHORT_DAYS = Math.min(30, DAYS);
const VARIABLES = 8;
const BATCH = 5_000;
const IN_FLIGHT = 2;
const BUCKETS = 500;
/** Days whose readings are encoded before they are sent. */
const DAYS_PER_BATCH = 10;
const LOAD_LIMIT_SECONDS = 120;
const DAY_MS = 86_400_000;
/** VictoriaMetrics rejects times in the future, so all readings are a year older. */
const AGE_MS = 365 * DAY_MS;
const METER = 1;

const range = (days) => ({ from: START - AGE_MS, to: START - AGE_MS + days * DAY_MS - 1 });
const all = Array.from({ length: VARIABLES }, (_, place) => place);

/** Batches of the readings of some days, in time order. */
function batchesOf(system, firstDay, days) {
  const batches = [];
  let batch = [];
  for (let step = firstDay * STEPS_PER_DAY; step < (firstDay + days) * STEPS_PER_DAY; step += 1) {
    const at = timeOf(step) - AGE_MS;
    for (const variable of all) batch.push({ variable, at, value: believable(variable, step) });
    if (batch.length >= BATCH) {
      batches.push(system.encode(batch));
      batch = [];
    }
  }
  if (batch.length > 0) batches.push(system.encode(batch));
  return batches;
}

/** The seconds of writing, without encoding. */
async function write(system, firstDay, days) {
  let seconds = 0;
  for (let day = firstDay; day < firstDay + days; day += DAYS_PER_BATCH) {
    const batches = batchesOf(system, day, Math.min(DAYS_PER_BATCH, firstDay + days - day));
    const began = performance.now();
    const lane = async () => {
      for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
        await system.write(batch);
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
    seconds += (performance.now() - began) / 1_000;
  }
  return seconds;
}

function expect(what, found, wanted) {
  if (found !== wanted) throw new Error(`${what}: ${found} instead of ${wanted}`);
}

async function timeOfBuckets(system, runs, places, days) {
  const bucketMs = (days * DAY_MS) / BUCKETS;
  const ask = () => system.buckets(places, range(days), bucketMs);
  const { buckets, readings } = system.countBuckets(await ask());
  expect('buckets', buckets, BUCKETS * places.length);
  expect('readings in buckets', readings, places.length * days * STEPS_PER_DAY);
  return await median(runs, ask);
}

async function measure(system) {
  let days = SHORT_DAYS;
  let seconds = await write(system, 0, SHORT_DAYS);
  if ((seconds * DAYS) / SHORT_DAYS < LOAD_LIMIT_SECONDS) {
    seconds += await write(system, SHORT_DAYS, DAYS - SHORT_DAYS);
    days = DAYS;
  }
  const count = VARIABLES * days * STEPS_PER_DAY;
  const bytes = await system.settle();
  const rawDay = () => system.raw(METER, range(1));
  expect('readings of a day', system.countRaw(await rawDay()), STEPS_PER_DAY);
  return {
    days,
    rate: count / seconds,
    bytes: bytes / count,
    raw: await median(21, rawDay),
    month: await timeOfBuckets(system, 11, [METER], SHORT_DAYS),
    short: await timeOfBuckets(system, 5, all, SHORT_DAYS),
    long: days > SHORT_DAYS ? await timeOfBuckets(system, 3, all, days) : undefined,
  };
}

/** Stops the process and deletes its files. */
let cleanUp = async () => undefined;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}

async function withSystem({ open }, work) {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldwatch-bench-'));
  await chmod(dataDir, 0o711);
  let system;
  cleanUp = async () => {
    cleanUp = async () => undefined;
    await system?.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    system = await open(dataDir, VARIABLES);
    return await work(system);
  } finally {
    await cleanUp();
  }
}

async function measureFunctions({ asFunctions: { raw, buckets } }, days) {
  return {
    raw: await median(21, () => raw(METER, range(1))),
    month: await median(11, () => buckets([METER], range(SHORT_DAYS))),
    short: await median(5, () => buckets(all, range(SHORT_DAYS))),
    long: days > SHORT_DAYS ? await median(3, () => buckets(all, range(days))) : undefined,
  };
}

const ms = (value) => `${value.toFixed(1)} ms`;
const rate = (value) => `${Math.round(value).toLocaleString('en').replaceAll(',', ' ')} readings/s`;
const QUESTIONS = [
  ['raw', '1 day raw'],
  ['month', `${SHORT_DAYS} days in ${BUCKETS} buckets`],
  ['short', `${SHORT_DAYS} days of ${VARIABLES} Variables in ${BUCKETS} buckets`],
  ['long', `${DAYS} days of ${VARIABLES} Variables in ${BUCKETS} buckets`],
];

function noteSystem(name, seen, ours) {
  const against = (ratio) => (seen === ours ? '' : `${ratio.toFixed(2)} × ours`);
  note(`${name}: writing ${seen.days} days`, rate(seen.rate), against(seen.rate / ours.rate));
  note(
    `${name}: on disk, merged`,
    `${seen.bytes.toFixed(2)} bytes a reading`,
    against(seen.bytes / ours.bytes),
  );
  for (const [key, what] of QUESTIONS) {
    if (seen[key] === undefined) continue;
    note(`${name}: ${what}`, ms(seen[key]), against(seen[key] / ours[key]));
  }
  if (seen.days < DAYS) {
    console.log(`${name} would take more than ${LOAD_LIMIT_SECONDS} s to load ${DAYS} days.`);
  }
}

const ours = await withSystem(own, async (system) => {
  const seen = await measure(system);
  const functions = await measureFunctions(system, seen.days);
  noteSystem(own.name, seen, seen);
  for (const [key, what] of QUESTIONS) {
    if (functions[key] === undefined) continue;
    note(`${own.name}: ${what}, as a function`, ms(functions[key]));
  }
  return seen;
});
for (const peer of [victoriaMetrics, influxdb]) {
  if (!peer.isInstalled()) {
    console.log(`${peer.name} is not installed here; on Debian: ${peer.install}`);
    continue;
  }
  noteSystem(peer.name, await withSystem(peer, measure), ours);
}
if (isAlone()) printTable();
