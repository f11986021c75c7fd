// What is measured of a system: writing, size, queries, and what it is able to do. Every answer is
// compared with what was sent before it is timed.
import { performance } from 'node:perf_hooks';
import { startCpuMeter } from '../processes.mjs';
import { createBatches } from './batches.mjs';
import { FIRST_TIME } from './data-sets.mjs';

export const BUCKETS = 500;
/** The shorter charts cover so many days. */
export const MAX_SHORT_DAYS = 30;
/** Writing is measured up to this day, after a warm-up on the first ones. */
const MAX_MEASURED_DAYS = 10;
const WARM_UP_DAYS = 3;
const MEASURED_REPORTS = 4_000;
const WARM_UP_REPORTS = 4_000;
const DAY_MS = 86_400_000;
const BATCHES_IN_FLIGHT = 2;
const REPORTS_IN_FLIGHT = 16;
/** So many are encoded before the clock runs. */
const ENCODED_BATCHES = 200;
const MAX_QUERY_MS = 8_000;
/** A query is compiled by its first hundred runs in Node; the peers are compiled ahead. */
const MAX_WARM_UP_RUNS = 150;
const WARM_UP_MS = 1_500;

const rangeOf = (days) => ({ from: FIRST_TIME, to: FIRST_TIME + days * DAY_MS - 1 });

/**
 * The median of some runs, once the server is warm, and the CPU time of its processes for one run; both
 * in milliseconds. There are fewer runs when they are slow.
 */
async function timeOf(system, maxRuns, ask) {
  const warm = performance.now() + WARM_UP_MS;
  for (let run = 0; run < MAX_WARM_UP_RUNS && performance.now() < warm; run += 1) await ask();
  const pids = (await system.pids?.()) ?? [];
  const cpuUsed = startCpuMeter(pids);
  const taken = [];
  const end = performance.now() + MAX_QUERY_MS;
  while (taken.length < maxRuns && (taken.length === 0 || performance.now() < end)) {
    const began = performance.now();
    await ask();
    taken.push(performance.now() - began);
  }
  const cpuMs = (cpuUsed() * 1_000) / taken.length;
  const ms = taken.sort((a, b) => a - b)[Math.floor(taken.length / 2)];
  return pids.length > 0 ? { ms, cpuMs } : { ms };
}

function expectEqual(what, found, wanted) {
  if (found !== wanted) throw new Error(`${what}: ${found} instead of ${wanted}`);
}

function* groupsOf(items, size) {
  let group = [];
  for (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Writes all, encoded group by group. Only the writing is timed. */
async function write(system, items, { encode, groupSize, inFlight }) {
  const pids = (await system.pids?.()) ?? [];
  let [seconds, cpu, readings] = [0, 0, 0];
  for (const group of groupsOf(items, groupSize)) {
    const bodies = group.map(encode);
    for (const item of group) readings += item.readings.length;
    let next = 0;
    const lane = async () => {
      while (next < bodies.length) {
        next += 1;
        await system.write(bodies[next - 1]);
      }
    };
    const [began, cpuUsed] = [performance.now(), startCpuMeter(pids)];
    await Promise.all(Array.from({ length: inFlight }, lane));
    seconds += (performance.now() - began) / 1_000;
    cpu += cpuUsed();
  }
  return { rate: readings / seconds, cpu: (cpu * 1e6) / readings };
}

/**
 * The first reports of the last measured day go one by one, all before them in batches. Each form is
 * measured once the server has compiled and cached what it needs for it.
 */
async function load(system, { reports, batches, batchesOf }, days) {
  const { encode, encodeReport = encode } = system;
  const inBatches = { encode, groupSize: ENCODED_BATCHES, inFlight: BATCHES_IN_FLIGHT };
  const inReports = {
    encode: encodeReport,
    groupSize: MEASURED_REPORTS,
    inFlight: REPORTS_IN_FLIGHT,
  };
  const lastDay = Math.min(days, MAX_MEASURED_DAYS) - 1;
  const firstDay = Math.min(WARM_UP_DAYS, lastDay >> 1);
  await write(system, batches(0, firstDay), inBatches);
  const written = await write(system, batches(firstDay, lastDay), inBatches);
  const rest = reports(lastDay, lastDay + 1);
  await write(system, taken(rest, WARM_UP_REPORTS), inReports);
  const single = await write(system, taken(rest, MEASURED_REPORTS), inReports);
  await write(system, batchesOf(rest), inBatches);
  return { batches: written, reports: system.encodeReport && single, nextDay: lastDay + 1 };
}

/** The first of them; the others can be read from it afterwards. */
function* taken(source, count) {
  for (let left = count; left > 0; left -= 1) {
    const { value, done } = source.next();
    if (done) return;
    yield value;
  }
}

/** The days that are not measured. */
async function fill(system, batches) {
  const options = {
    encode: system.encode,
    groupSize: ENCODED_BATCHES,
    inFlight: BATCHES_IN_FLIGHT,
  };
  if (system.fill) await system.fill(batches);
  else await write(system, batches, options);
}

/** The time of a raw query, or why there is none. */
async function timeRaw(system, { firstDayOf, indexOf }, key, form, type) {
  if (!system.stores(type)) return { missing: 'not stored' };
  if (!system.rawForms.includes(form)) return { missing: 'no such form' };
  const variable = indexOf(key);
  const ask = () => system.raw(variable, rangeOf(1), form);
  const found = system.parseRaw(await ask(), form);
  const wanted = firstDayOf(key);
  expectEqual(`readings of ${key.path}`, found.length, wanted.length);
  const stored = system.stored ?? ((value) => value);
  for (const [index, [at, value]] of wanted.entries()) {
    expectEqual(`time ${index} of ${key.path}`, found[index][0], at);
    expectEqual(`value ${index} of ${key.path}`, found[index][1], stored(value));
  }
  return await timeOf(system, 101, ask);
}

/** Systems that have one form of a chart answer with that. */
async function timeBuckets(system, asked, days, wantedForm, wanted) {
  const form = system.bucketForms.includes(wantedForm) ? wantedForm : system.bucketForms[0];
  const ask = () => system.buckets(asked, rangeOf(days), (days * DAY_MS) / BUCKETS, form);
  expectEqual('readings in buckets', system.countReadings(await ask(), form), wanted);
  return await timeOf(system, asked.length > 1 ? 21 : 51, ask);
}

async function measureQueries(system, prepared, { data, shortDays, days, shortCounts }) {
  const [numbers, booleans, texts] = [data.raw.numbers, data.raw.booleans, data.raw.texts];
  const charted = data.charted.map(prepared.indexOf);
  const chart = prepared.indexOf(numbers);
  const shortTotal = charted.reduce((sum, each) => sum + shortCounts[each], 0);
  const total = charted.reduce((sum, each) => sum + prepared.countOf(each), 0);
  return {
    rawColumns: await timeRaw(system, prepared, numbers, 'columns', 'NUMBER'),
    rawItems: await timeRaw(system, prepared, numbers, 'items', 'NUMBER'),
    rawBooleans: booleans && (await timeRaw(system, prepared, booleans, 'items', 'BOOLEAN')),
    rawTexts: texts && (await timeRaw(system, prepared, texts, 'items', 'STRING')),
    short: await timeBuckets(system, [chart], shortDays, 'columns', shortCounts[chart]),
    shortAll: await timeBuckets(system, charted, shortDays, 'columns', shortTotal),
    shortAllItems: await timeBuckets(system, charted, shortDays, 'items', shortTotal),
    longAll:
      days > shortDays ? await timeBuckets(system, charted, days, 'columns', total) : undefined,
  };
}

/** Loads a system and queries it. */
export async function measure(system, { data, variables, days }) {
  const shortDays = Math.min(MAX_SHORT_DAYS, days);
  const prepared = createBatches({ data, variables, system });
  const { batches, reports, nextDay } = await load(system, prepared, days);
  if (nextDay < shortDays) await fill(system, prepared.batches(nextDay, shortDays));
  const shortCounts = variables.map((_, variable) => prepared.countOf(variable));
  if (shortDays < days) await fill(system, prepared.batches(shortDays, days));
  const bytes = await system.mergeAll();
  const { readings, left } = prepared.sent;
  return {
    ...{ batches, reports, readings, left, bytes: bytes / readings },
    ...(await measureQueries(system, prepared, { data, shortDays, days, shortCounts })),
  };
}
