// A burst of late readings of one Variable, in random order and older than the stored chunks, with the
// limits of production: how much memory it needs, and how long until it is compacted. Run
// `npm run build` first, then `node bench/late.mjs [--readings 10000000]`.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeVariables, peakMegabytes, processorTime, START, withStorage } from './history.mjs';
import { note } from './rows.mjs';
import { joinAlone, pagesOf } from './sole-node.mjs';

const { values: flags } = parseArgs({
  options: { readings: { type: 'string', default: '10000000' } },
});
const READINGS = Number(flags.readings);
const BATCH = 4_000;
const PAGE = 5_000;
const ALL = { from: 0, to: START * 2 };
/** Coprime to a count of millions, so that each index occurs once. */
const STRIDE = 7_654_321;

async function burst(readings, variable) {
  for (let first = 0; first < READINGS; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, READINGS - first) }, (_, index) => {
      const place = ((first + index) * STRIDE) % READINGS;
      return { variable, at: START - 1_000 * (place + 1), value: place % 1_000 };
    });
    await readings.commit(batch);
  }
}

async function overlaps(storage) {
  const [{ count }] = await storage.query(
    `select count(*) from (select first_at <= max(last_at) over (order by first_at, written
       rows between unbounded preceding and 1 preceding) as meets from chunks) as found where meets`,
  );
  return count;
}

const seconds = (since) => ((performance.now() - since) / 1_000).toFixed(1);

/** Counts all readings and checks some pages, repeatedly until the work is done. */
async function ask(readings, variable, expected, isDone) {
  const took = [];
  while (!isDone()) {
    const began = performance.now();
    const place = Math.floor(Math.random() * (READINGS - PAGE));
    const from = START - 1_000 * (place + PAGE);
    const range = { from, to: START - 1_000 * (place + 1) };
    const [{ parts }] = await pagesOf(readings, [variable], range, PAGE);
    const times = parts.flatMap((part) => [...part.times]);
    const values = parts.flatMap((part) => [...part.values]);
    const isRight = times.every(
      (time, index) =>
        time === from + 1_000 * index && values[index] === (place + PAGE - 1 - index) % 1_000,
    );
    if (times.length !== PAGE || !isRight) throw new Error(`a page from ${from} is not right`);
    took.push(performance.now() - began);
    await sleep(100);
  }
  const began = performance.now();
  const [{ count }] = await pagesOf(readings, [variable], ALL, 1);
  if (count !== expected) throw new Error(`${count} readings instead of ${expected}`);
  return { pages: took.length, slowest: Math.max(0, ...took), countMs: performance.now() - began };
}

await withStorage(async (storage) => {
  const [variable] = await makeVariables(storage, 1);
  const { open, leave } = await joinAlone(storage, { compactEveryMs: 3_600_000 });
  const readings = open();
  await readings.start();
  const ramp = Array.from({ length: 10_000 }, (_, index) => ({
    variable,
    at: START + index * 1_000,
    value: index,
  }));
  await readings.commit(ramp);
  const began = performance.now();
  await burst(readings, variable);
  note('late readings ingested', `${seconds(began)} s, peak memory ${peakMegabytes()} MB`);
  await readings.stop();
  note('overlapping chunks before compaction', String(await overlaps(storage)));
  const next = open();
  const held = monitorEventLoopDelay({ resolution: 1 });
  held.enable();
  const before = processorTime();
  const compaction = performance.now();
  let isCompacted = false;
  const compacted = next.compact(1).finally(() => {
    isCompacted = true;
    held.disable();
  });
  const asking = ask(next, variable, READINGS + ramp.length, () => isCompacted);
  await Promise.all([compacted, asking.catch(() => undefined)]);
  const after = processorTime();
  const cost = (who) => ((after[who] - before[who]) / 1e6).toFixed(1);
  note(
    'compaction',
    `${seconds(compaction)} s, peak memory ${peakMegabytes()} MB`,
    `CPU: Node ${cost('node')} s, PostgreSQL ${cost('postgres')} s`,
  );
  const ms = (nanoseconds) => (nanoseconds / 1e6).toFixed(1);
  note('event loop blocked', `${ms(held.percentile(99))} ms p99, ${ms(held.max)} ms at most`);
  const { pages, slowest, countMs } = await asking;
  note(
    `pages of ${PAGE} readings queried meanwhile`,
    `${pages}, all correct, ${slowest.toFixed(0)} ms at most`,
  );
  note('all readings counted afterwards', `${countMs.toFixed(0)} ms`);
  note('overlapping chunks after compaction', String(await overlaps(storage)));
  await next.stop();
  await leave();
});
