// A burst of late readings of one Variable, in no order and older than what is sealed, with the
// limits of production: how much memory it takes, and how long until it is folded. Run
// `npm run build` first, then `node bench/late.mjs [--readings 10000000]`.
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { createReadings } from '../server/dist/readings/index.js';
import { clock, log, makeVariables, peakMegabytes, START, withStorage } from './history.mjs';

const { values: flags } = parseArgs({
  options: { readings: { type: 'string', default: '10000000' } },
});
const READINGS = Number(flags.readings);
const BATCH = 4_000;
const ALL = { from: 0, to: START * 2 };
/** Has no factor in common with a count of millions, so that each place comes once. */
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

await withStorage(async (storage) => {
  const [variable] = await makeVariables(storage, 1);
  const options = { storage, clock, log, limits: { compactEveryMs: 3_600_000 } };
  const readings = createReadings(options);
  await readings.start();
  const ramp = Array.from({ length: 10_000 }, (_, index) => ({
    variable,
    at: START + index * 1_000,
    value: index,
  }));
  await readings.commit(ramp);
  const began = performance.now();
  await burst(readings, variable);
  console.log(`taken in ${seconds(began)} s, peak memory ${peakMegabytes()} MB`);
  await readings.stop();
  console.log(`chunks that overlap others: ${await overlaps(storage)}`);
  const folding = performance.now();
  const next = createReadings(options);
  const folded = next.compact(1);
  const asked = performance.now();
  const { count } = await next.raw(variable, ALL, 1);
  console.log(`${count} readings counted meanwhile in ${seconds(asked)} s`);
  await folded;
  console.log(`folded in ${seconds(folding)} s, peak memory ${peakMegabytes()} MB`);
  console.log(`chunks that overlap others: ${await overlaps(storage)}`);
});
