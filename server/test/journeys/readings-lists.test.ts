import { expect, it } from 'vitest';
import type { Storage } from '../../src/storage/index.ts';
import type { VariableRef } from '../../src/variables/index.ts';
import { countOf, openHistory, reading, readingsOn, storeVariable } from '../support/readings.ts';

const DAY_MS = 86_400_000;

function ramp(variable: VariableRef, from: number, count: number, first = 0) {
  return Array.from({ length: count }, (_, n) => reading(variable, from + n * 1_000, first + n));
}

/** The same storage, and how often it was asked which chunks there are. */
function counted(storage: Storage) {
  const lists = { asked: 0 };
  const query: Storage['query'] = (sql, params, options) => {
    if (sql.includes('xidsend(xmin)')) lists.asked += 1;
    return storage.query(sql, params, options);
  };
  return { lists, storage: { ...storage, query } };
}

it('a repeated query asks for chunks after a flush, a round of compaction and retention only', async () => {
  const opened = await openHistory();
  const { lists, storage } = counted(opened);
  const variable = await storeVariable(opened, 'NUMBER');
  const readings = readingsOn(storage, { readingsPerChunk: 2_000, minChunkReadings: 1 });
  await readings.start();
  const start = Date.now() - 3 * DAY_MS;
  const range = { from: start, to: start + 5 * DAY_MS };
  const values = async () => {
    const [page] = await (await readings.openHistory([variable], range)).raw(range, 10_000);
    return page?.parts.flatMap((part) => Array.from(part.values as Float64Array)) ?? [];
  };
  const repeated = async () => {
    // The first query has the bytes of the chunks in memory afterwards, the second one their list.
    for (let repeat = 0; repeat < 2; repeat += 1) await values();
    const before = lists.asked;
    const found = await values();
    expect(lists.asked).toBe(before);
    return found;
  };
  const stored = Array.from({ length: 1_000 }, (_, n) => n);
  await readings.commit(ramp(variable, start, 1_000));
  await readings.drain([]);
  expect(await repeated()).toEqual(stored);
  await readings.commit(ramp(variable, start + 100_000, 50, 5_000));
  for (let n = 0; n < 50; n += 1) stored[100 + n] = 5_000 + n;
  expect(await repeated()).toEqual(stored);
  for (const change of [() => readings.drain([]), () => readings.compact(10)]) {
    const before = lists.asked;
    await change();
    expect(await values()).toEqual(stored);
    expect(lists.asked).toBeGreaterThan(before);
    expect(await repeated()).toEqual(stored);
  }
  await readings.commit(ramp(variable, Date.now(), 10, 9_000));
  await readings.drain([]);
  expect((await repeated()).length).toBe(1_010);
  await opened.query('update organizations set retention_days = 2 where id = $1', [
    variable.organizationId,
  ]);
  await readings.deleteExpired();
  expect(await values()).toEqual(Array.from({ length: 10 }, (_, n) => 9_000 + n));
  expect(await countOf(readings, variable)).toBe(10);
  await readings.stop();
});
