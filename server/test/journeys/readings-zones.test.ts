import { expect, it } from 'vitest';
import type { Readings } from '../../src/readings/index.ts';
import type { VariableRef } from '../../src/variables/index.ts';
import { openHistory, reading, readingsOn, storeVariable } from '../support/readings.ts';
import { NO_PEERS, SOLE_OWNER } from '../support/sole-owner.ts';

const START = 1_700_000_000_000;
const COUNT = 30_000;

function noise(index: number): number {
  const mixed = Math.imul(index + 1, 0x9e37_79b1);
  return ((Math.imul(mixed ^ (mixed >>> 15), 0x85eb_ca6b) >>> 8) & 0xffff) / 0xffff;
}

const timeOf = (index: number) => START + index * 10_000 + (index % 97 === 0 ? 3 : 0);
const levelAt = (index: number) =>
  Math.round(2_500 + 2_000 * Math.sin(index / 1_400) + 100 * noise(index)) / 10;

/** Buckets of a model, by their start. */
function bucketsOf(model: ReadonlyMap<number, number>, from: number, to: number, count: number) {
  const bucketMs = Math.max(1, Math.ceil((to - from) / count));
  const buckets = new Map<number, number[]>();
  for (const [at, value] of [...model].sort(([a], [b]) => a - b)) {
    if (at < from || at > to) continue;
    const start = from + Math.min(count - 1, Math.floor((at - from) / bucketMs)) * bucketMs;
    const values = buckets.get(start) ?? [];
    values.push(value);
    buckets.set(start, values);
  }
  return [...buckets].map(([timestamp, values]) => ({
    timestamp,
    count: values.length,
    min: Math.min(...values),
    max: Math.max(...values),
    first: values[0],
    last: values.at(-1),
  }));
}

async function expectCharts(
  readings: Readings,
  variable: VariableRef,
  model: ReadonlyMap<number, number>,
): Promise<void> {
  const end = timeOf(COUNT - 1);
  for (const [from, to, count] of [
    [START, end, 1],
    [START, end, 3],
    [START, end, 7],
    [START, end, 500],
    [START + 1_234_567, end - 7_654_321, 11],
    [timeOf(256), timeOf(2_560) - 1, 9],
  ] as const) {
    const history = await readings.openHistory([variable], { from, to });
    const [found] = await history.buckets({ from, to }, count);
    const wanted = bucketsOf(model, from, to, count);
    expect(found?.map(({ mean: _, ...rest }) => rest)).toEqual(wanted);
  }
}

it('charts of large chunks equal a model, also after late readings and compaction', async () => {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'NUMBER');
  const model = new Map<number, number>();
  const store = async (indexes: number[], value: (index: number) => number, shiftMs: number) => {
    const readings = readingsOn(storage, { minChunkReadings: 1 });
    await readings.start();
    const batch = indexes.map((index) => reading(variable, timeOf(index) + shiftMs, value(index)));
    for (const { at } of batch) model.delete(at);
    for (const [place, index] of indexes.entries()) {
      model.set(batch[place]?.at ?? 0, value(index));
    }
    await readings.commit(batch);
    await readings.stop();
  };
  await store(
    Array.from({ length: COUNT }, (_, index) => index),
    levelAt,
    0,
  );
  const heads = await storage.query<{ count: number }>(
    'select count::integer as count from chunks where head is not null order by first_at',
  );
  expect(heads.length).toBeGreaterThan(1);
  // As a node beside the others that store, which are further instances here.
  const beside = { ownership: SOLE_OWNER, peers: NO_PEERS, isAlone: () => false };
  const before = readingsOn(storage, {}, undefined, undefined, beside);
  await expectCharts(before, variable, model);
  await expectCharts(before, variable, model);
  // Corrections and readings between others, in two of the chunks.
  await store([5, 300, 301, 12_000, 12_001], (index) => -index, 0);
  await store([7, 12_345], (index) => index * 10, 5_000);
  const overlapping = readingsOn(storage);
  await expectCharts(overlapping, variable, model);
  await expectCharts(before, variable, model);
  await overlapping.compact(10);
  await overlapping.compact(10);
  const [overlaps] = await storage.query<{ count: number }>(
    `select count(*)::integer as count from chunks one join chunks other using (variable_number)
     where one.ctid <> other.ctid and one.first_at <= other.last_at and other.first_at <= one.last_at`,
  );
  expect(overlaps?.count).toBe(0);
  await expectCharts(overlapping, variable, model);
  // What the first reader has in its cache was replaced by others, twice.
  await expectCharts(before, variable, model);
  await expectCharts(before, variable, model);
}, 120_000);
