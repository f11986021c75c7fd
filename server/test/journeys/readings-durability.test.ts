import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Transactions } from '../../src/storage/index.ts';
import type { VariableRef } from '../../src/variables/index.ts';
import {
  countOf,
  kill,
  openHistory,
  ramp,
  reading,
  readingsOn,
  rows,
  RAMP_START as START,
  storeVariable,
} from '../support/readings.ts';

it('committed readings survive a kill before any flush', async () => {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'NUMBER');
  const lost = readingsOn(storage);
  await lost.start();
  await lost.commit(ramp(variable, 1000));
  expect(await rows(storage, 'chunks')).toBe(0);
  await kill(lost);
  const readings = readingsOn(storage);
  await readings.start();
  expect(await countOf(readings, variable)).toBe(1000);
  expect((await readings.latest([variable])).values).toEqual([{ at: START + 9990, value: 999 }]);
});

it('a stop writes chunks and carries small series over in one journal row', async () => {
  const storage = await openHistory();
  const [large, small] = [
    await storeVariable(storage, 'NUMBER'),
    await storeVariable(storage, 'NUMBER'),
  ];
  const readings = readingsOn(storage, { readingsPerChunk: 1_024 });
  await readings.start();
  await readings.commit(ramp(large, 3000));
  await readings.commit(ramp(small, 10));
  await readings.stop();
  expect(await rows(storage, 'chunks')).toBe(3);
  expect(await rows(storage, 'journal')).toBe(1);
  expect(await rows(storage, 'latest_values')).toBe(2);
  await expect(readings.commit(ramp(small, 1))).rejects.toMatchObject({
    code: 'OVERLOADED',
    retryAfterSeconds: expect.any(Number),
  });
  const next = readingsOn(storage);
  await next.start();
  expect(await countOf(next, large)).toBe(3000);
  expect(await countOf(next, small)).toBe(10);
});

it('carried-over readings of many series take several journal rows and survive every restart', async () => {
  const storage = await openHistory();
  const variables = [];
  for (let count = 0; count < 20; count += 1) {
    variables.push(await storeVariable(storage, 'NUMBER'));
  }
  const first = readingsOn(storage);
  await first.start();
  for (const variable of variables) await first.commit(ramp(variable, 450));
  await first.stop();
  expect(await rows(storage, 'chunks')).toBe(0);
  expect(await rows(storage, 'journal')).toBe(2);
  for (let restart = 0; restart < 2; restart += 1) {
    const next = readingsOn(storage);
    await next.start();
    for (const variable of variables) expect(await countOf(next, variable)).toBe(450);
    await next.commit(ramp(variables[0] as VariableRef, 10));
    await next.stop();
    expect(await rows(storage, 'journal')).toBe(2);
  }
});

it('a failed flush changes nothing, and the next one succeeds', async () => {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'NUMBER');
  const failures: string[] = [];
  const failing = (lane: Transactions): Transactions => ({
    ...lane,
    transaction: (work) =>
      lane.transaction(work).catch((error: Error) => {
        failures.push(error.message);
        throw error;
      }),
  });
  const lanes = { ingest: failing(storage.ingest), background: failing(storage.background) };
  const limits = { flushAfterMs: 0, checkEveryMs: 20, readingsPerChunk: 1_024 };
  const readings = readingsOn({ ...storage, ...lanes }, limits);
  await storage.query('alter table latest_values rename to elsewhere');
  await readings.start();
  await readings.commit(ramp(variable, 2000));
  await expect.poll(() => failures.length).toBeGreaterThan(1);
  expect(await rows(storage, 'chunks')).toBe(0);
  expect(await rows(storage, 'journal')).toBe(1);
  expect(await countOf(readings, variable)).toBe(2000);
  await storage.query('alter table elsewhere rename to latest_values');
  await expect.poll(() => rows(storage, 'chunks')).toBe(2);
  expect(await countOf(readings, variable)).toBe(2000);
  await readings.stop();
});

it('a journal row that cannot be decoded is quarantined with its bytes, and the others are replayed', async () => {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'STRING');
  const readings = readingsOn(storage);
  await readings.start();
  for (let index = 0; index < 3; index += 1) {
    await readings.commit([reading(variable, START + index, 'ä "running" 🚀')]);
  }
  await storage.query(
    `update journal set data = case position when 1 then set_byte(data, 20, get_byte(data, 20) # 1)
       else substring(data for 30) end
     from (select id, row_number() over (order by id) as position from journal) ranked
     where ranked.id = journal.id and position < 3`,
  );
  const damaged = await storage.query('select writer, id, data from journal order by id limit 2');
  await kill(readings);
  const next = readingsOn(storage);
  await next.start();
  expect(next.quarantinedRows).toBe(2);
  expect(await countOf(next, variable)).toBe(1);
  expect(await storage.query('select writer, id, data from journal_quarantine')).toEqual(damaged);
  const [first, second] = await storage.query<{ reason: string }>(
    'select reason from journal_quarantine order by id',
  );
  expect([first?.reason, second?.reason]).toEqual(['its checksum does not match', 'it is cut off']);
  await next.stop();
  const last = readingsOn(storage);
  await last.start();
  expect(last.quarantinedRows).toBe(2);
  expect(await countOf(last, variable)).toBe(1);
});

it('a damaged chunk blocks neither compaction of other series nor queries of other times', async () => {
  const storage = await openHistory();
  const variables = [
    await storeVariable(storage, 'NUMBER'),
    await storeVariable(storage, 'NUMBER'),
  ];
  for (let round = 0; round < 2; round += 1) {
    const readings = readingsOn(storage, { minChunkReadings: 1, readingsPerChunk: 1_024 });
    await readings.start();
    for (const variable of variables) await readings.commit(ramp(variable, 1000, START + round));
    await readings.commit(ramp(variables[0] as VariableRef, 1000, START + 10_000_000 + round));
    await readings.stop();
  }
  const [damaged, sound] = variables as [VariableRef, VariableRef];
  await storage.query(
    `update chunks set data = set_byte(data, 9, get_byte(data, 9) # 1)
     where variable_number = $1 and first_at < $2`,
    [damaged.seriesId, START + 1_000_000],
  );
  const readings = readingsOn(storage);
  const chunksOf = async ({ seriesId }: VariableRef) =>
    (await storage.query('select 1 from chunks where variable_number = $1', [seriesId])).length;
  const before = await chunksOf(sound);
  for (let round = 0; round < 3; round += 1) await readings.compact(10).catch(() => undefined);
  expect(await chunksOf(sound)).toBeLessThanOrEqual(before);
  const overlaps = await storage.query(
    `select 1 from chunks one join chunks other using (variable_number)
     where variable_number = $1 and one.ctid <> other.ctid
       and one.first_at <= other.last_at and other.first_at <= one.last_at`,
    [sound.seriesId],
  );
  expect(overlaps).toEqual([]);
  expect(await countOf(readings, sound)).toBe(2000);
  const later = { from: START + 10_000_000, to: START + 20_000_000 };
  expect(await countOf(readings, damaged, later)).toBe(2000);
});

it('a query of a damaged chunk fails and names series and times', async () => {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'NUMBER');
  const readings = readingsOn(storage);
  await readings.start();
  await readings.commit(ramp(variable, 1000));
  await readings.stop();
  await storage.query(`update chunks set data = set_byte(data, 9, get_byte(data, 9) # 1)`);
  await expect(countOf(readings, variable)).rejects.toThrow(
    `The chunk of Variable ${variable.seriesId} from ${START} to ${START + 9990} is damaged`,
  );
});

it('a batch with a value that cannot be stored is rejected as a whole', async () => {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'NUMBER');
  const text = await storeVariable(storage, 'STRING');
  const readings = readingsOn(storage);
  await readings.start();
  for (const bad of [
    reading(variable, START, Number.NaN),
    reading(variable, START, Infinity),
    reading(variable, START + 0.5, 1),
    reading(variable, START, 'one'),
    reading(text, START, 'nul\0'),
    reading(text, START, true),
  ]) {
    await expect(readings.commit([...ramp(variable, 3), bad])).rejects.toThrow(RangeError);
  }
  expect(await rows(storage, 'journal')).toBe(0);
  expect(await countOf(readings, variable)).toBe(0);
});

it('memtable and journal stay within their limit while readings keep arriving', async () => {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'NUMBER');
  const readings = readingsOn(storage, { memtableBytes: 200_000 });
  await readings.start();
  let most = 0;
  for (let batch = 0; batch < 100; batch += 1) {
    await readings.commit(ramp(variable, 2000, START + ((batch * 37) % 100) * 20_000));
    most = Math.max(most, await rows(storage, 'journal'));
  }
  // A batch takes 42 kB of journal: five fill a memtable, and there are two of them.
  expect(most).toBeLessThanOrEqual(12);
  expect(await countOf(readings, variable)).toBe(200_000);
  await readings.stop();
  expect(await rows(storage, 'journal')).toBe(0);
});

it('deleting a Variable deletes its history, including readings that are not flushed yet', async () => {
  const storage = await openHistory();
  const gone = await storeVariable(storage, 'NUMBER');
  const left = await storeVariable(storage, 'NUMBER');
  const readings = readingsOn(storage, { readingsPerChunk: 1_024 });
  await readings.start();
  await readings.commit([...ramp(gone, 2000), ...ramp(left, 2000)]);
  await storage.query('delete from variables where id = $1', [gone.id]);
  // A batch that was matched before the deletion was known.
  await readings.commit(ramp(gone, 10, START + 1_000_000));
  await readings.stop();
  expect(await rows(storage, 'chunks')).toBe(2);
  expect(await rows(storage, 'latest_values')).toBe(1);
  expect(await rows(storage, 'journal')).toBe(0);
  readings.dropSeries(gone.seriesId);
  expect(await countOf(readings, gone)).toBe(0);
  const { values } = await readings.latest([gone, left]);
  expect(values).toEqual([null, { at: START + 19_990, value: 1999 }]);
});

it('readings committed during flush and compaction are all found', async () => {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'NUMBER');
  const readings = readingsOn(storage, {
    memtableBytes: 100_000,
    readingsPerChunk: 100,
    minChunkReadings: 50,
  });
  await readings.start();
  let isDone = false;
  const compacting = (async () => {
    while (!isDone) {
      await readings.compact(10).catch(() => undefined);
      await nextTurn();
    }
  })();
  for (let batch = 0; batch < 60; batch += 1) {
    await Promise.all([
      readings.commit(ramp(variable, 500, START + ((batch * 7) % 60) * 5_000)),
      readings.commit(ramp(variable, 500, START + ((batch * 7) % 60) * 5_000 + 5)),
    ]);
    const known = (batch + 1) * 1000;
    expect(await countOf(readings, variable)).toBe(known);
  }
  isDone = true;
  await compacting;
  await readings.stop();
});
