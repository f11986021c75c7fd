import { expect, it } from 'vitest';
import type { Readings, Value } from '../../src/readings/index.ts';
import { Failure } from '../../src/runtime/index.ts';
import type { Storage } from '../../src/storage/index.ts';
import type { VariableRef } from '../../src/variables/index.ts';
import {
  ALL,
  openHistory,
  pageOf,
  reading,
  readingsOn,
  storeVariable,
} from '../support/readings.ts';

const START = 1_700_000_000_000;
const LIMITS = { readingsPerChunk: 50, minChunkReadings: 1 };
/** So small that compaction takes several transactions. */
const SMALL_CHUNKS = { ...LIMITS, readingsPerChunk: 10 };

/** Mixed, and the same in each run. */
function* mixed(): Generator<number> {
  for (let state = 1; ; ) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x9e37_79b1;
    yield (state >>> 0) / 2 ** 32;
  }
}

/** Flushes overlapping batches, and returns the readings that win in the end. */
async function storeOverlaps(storage: Storage, variable: VariableRef, runs: number, each: number) {
  const random = mixed();
  const next = () => random.next().value as number;
  const kept = new Map<number, Value>();
  for (let run = 0; run < runs; run += 1) {
    const readings = readingsOn(storage, LIMITS);
    await readings.start();
    const batch = Array.from({ length: each }, () => {
      const number = Math.floor(100 * next());
      const value = variable.type === 'NUMBER' ? number : `state ${number}`;
      return reading(variable, START + 1_000 * Math.floor(3_000 * next()), value);
    });
    await readings.commit(batch);
    for (const { at, value } of batch) kept.set(at, value);
    await readings.stop();
  }
  return [...kept].sort(([a], [b]) => a - b);
}

async function expectSame(
  readings: Readings,
  variable: VariableRef,
  kept: readonly (readonly [number, Value])[],
): Promise<void> {
  const { items } = await pageOf(readings, variable, ALL, 100_000);
  expect(items.map(({ timestamp, value }) => [timestamp, value])).toEqual(kept);
}

async function overlaps(storage: Storage): Promise<number> {
  const rows = await storage.query(
    `select 1 from chunks a join chunks b on a.variable_number = b.variable_number
       and a.ctid <> b.ctid and a.first_at <= b.last_at and b.first_at <= a.last_at`,
  );
  return rows.length;
}

/** Chunks are written so many times, then no more. */
async function breakAfter(storage: Storage, writes: number): Promise<void> {
  await storage.query('create sequence fold_writes');
  await storage.query(
    `create function stop_folding() returns trigger language plpgsql as $$ begin
       if nextval('fold_writes') > ${writes} then raise 'no more'; end if; return null; end $$`,
  );
  await storage.query(
    `create trigger stop_folding after insert on chunks for each statement
       execute function stop_folding()`,
  );
}

async function mend(storage: Storage): Promise<void> {
  await storage.query('drop function stop_folding cascade');
  await storage.query('drop sequence fold_writes');
}

for (const type of ['NUMBER', 'STRING'] as const) {
  it(`compaction interrupted at any statement leaves every ${type} reading unchanged`, async () => {
    const storage = await openHistory();
    const variable = await storeVariable(storage, type);
    const kept = await storeOverlaps(storage, variable, 5, 900);
    for (let writes = 0; (await overlaps(storage)) > 0; writes += 1) {
      await breakAfter(storage, writes);
      const readings = readingsOn(storage, SMALL_CHUNKS);
      await readings.compact(1).catch(() => undefined);
      await expectSame(readings, variable, kept);
      await mend(storage);
    }
    const [chunks] = await storage.query<{ count: number }>('select count(*) from chunks');
    expect(chunks?.count).toBeLessThan((2 * kept.length) / SMALL_CHUNKS.readingsPerChunk);
  });
}

it('more overlapping runs than fit into one merge become one in the end', async () => {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'NUMBER');
  const kept = await storeOverlaps(storage, variable, 70, 60);
  const readings = readingsOn(storage, LIMITS);
  await readings.compact(1);
  expect(await overlaps(storage)).toBe(0);
  await expectSame(readings, variable, kept);
});

it('a few late readings rewrite only the chunks that they fall into', async () => {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'NUMBER');
  const readings = readingsOn(storage, LIMITS);
  await readings.start();
  const ramp = Array.from({ length: 5_000 }, (_, index) =>
    reading(variable, START + 1_000 * index, index),
  );
  await readings.commit(ramp);
  await readings.stop();
  const late = readingsOn(storage, LIMITS);
  await late.start();
  await late.commit([reading(variable, START + 500, -1), reading(variable, START + 4_900_500, -2)]);
  await late.stop();
  const before = await storage.query<{ written: number }>(
    'select written from chunks order by written',
  );
  const next = readingsOn(storage, LIMITS);
  await next.compact(1);
  const stillThere = await storage.query('select 1 from chunks where written = $1', [
    before[0]?.written,
  ]);
  // The first 64 are read together with the late ones, before it is known where those fall.
  expect(stillThere.length).toBeGreaterThan(30);
  expect(await overlaps(storage)).toBe(0);
  const { items, count } = await pageOf(next, variable, ALL, 100_000);
  expect(count).toBe(5_002);
  expect(items.filter(({ value }) => Number(value) < 0).map(({ timestamp }) => timestamp)).toEqual([
    START + 500,
    START + 4_900_500,
  ]);
});

it('a series with much to merge does not delay another', async () => {
  const storage = await openHistory();
  const [large, small] = [
    await storeVariable(storage, 'NUMBER'),
    await storeVariable(storage, 'NUMBER'),
  ];
  await storeOverlaps(storage, large, 3, 2_500);
  await storeOverlaps(storage, small, 2, 50);
  await storage.query('create table merged (position serial, number bigint)');
  await storage.query(
    `create function note_merged() returns trigger language plpgsql as $$ begin
       insert into merged (number) select distinct variable_number from made; return null; end $$`,
  );
  await storage.query(
    `create trigger note_merged after insert on chunks referencing new table as made
       for each statement execute function note_merged()`,
  );
  await readingsOn(storage, { ...SMALL_CHUNKS, readingsPerTurn: 1 }).compact(2);
  const order = await storage.query<{ seriesId: number }>(
    `select number as "seriesId" from merged order by position`,
  );
  const seriesIds = order.map(({ seriesId }) => seriesId);
  expect(seriesIds[1]).toBe(small.seriesId);
  expect(seriesIds.filter((seriesId) => seriesId === large.seriesId).length).toBeGreaterThan(1);
  expect(await overlaps(storage)).toBe(0);
});

it('space of chunks that were replaced is used again', async () => {
  const storage = await openHistory();
  const variables = [];
  for (let made = 0; made < 12; made += 1) variables.push(await storeVariable(storage, 'NUMBER'));
  const random = mixed();
  for (let run = 0; run < 2; run += 1) {
    const readings = readingsOn(storage, { minChunkReadings: 1 });
    await readings.start();
    for (const variable of variables) {
      const batch = Array.from({ length: 2_000 }, (_, index) =>
        reading(variable, START + 1_000 * (2 * index + run), random.next().value as number),
      );
      await readings.commit(batch);
    }
    await readings.stop();
  }
  const before = await pagesOf(storage);
  await readingsOn(storage, { readingsPerVacuum: 1 }).compact(variables.length);
  expect(await overlaps(storage)).toBe(0);
  expect(await pagesOf(storage)).toBeLessThan(1.5 * before);
});

it('compaction goes on where the space of chunks cannot be freed', async () => {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'NUMBER');
  const kept = await storeOverlaps(storage, variable, 3, 200);
  let refused = 0;
  const query: Storage['query'] = async (text, ...more) => {
    if (!text.startsWith('vacuum')) return await storage.background.query(text, ...more);
    refused += 1;
    throw new Failure('STORAGE_UNAVAILABLE', 'It took too long.');
  };
  const refusing = { ...storage, background: { ...storage.background, query } };
  const readings = readingsOn(refusing, { ...SMALL_CHUNKS, readingsPerVacuum: 1 });
  await readings.compact(1);
  expect(refused).toBeGreaterThan(0);
  expect(await overlaps(storage)).toBe(0);
  await expectSame(readings, variable, kept);
});

async function pagesOf(storage: Storage): Promise<number> {
  const [row] = await storage.query<{ pages: number }>(
    `select pg_relation_size('chunks') / 8192 as pages`,
  );
  return row?.pages ?? 0;
}
