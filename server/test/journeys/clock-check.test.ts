import { operations } from '@fieldwatch/contract';
import pg from 'pg';
import { expect, it } from 'vitest';
import { createLog } from '../../src/runtime/index.ts';
import { createClockCheck } from '../../src/storage/index.ts';
import { createTestClock } from '../support/clock.ts';
import { ingestCalls } from '../support/ingest-calls.ts';
import { openHistory, pageOf, reading, readingsOn, storeVariable } from '../support/readings.ts';
import { startServer } from '../support/server.ts';

const DAY_MS = 86_400_000;

it('a clock that is set wrong is reported while it is, and for a day after it was set', async () => {
  const storage = await openHistory();
  const clock = createTestClock();
  const next = () => createClockCheck({ storage, clock, log: createLog('silent') });
  const codesOf = async (check = next()) => {
    await check.check();
    return check.warnings().map(({ code }) => code);
  };
  expect(await codesOf()).toEqual([]);
  expect(await codesOf()).toEqual([]);
  clock.advance(5 * 365 * DAY_MS);
  const wrong = next();
  expect(await codesOf(wrong)).toEqual(['CLOCK_DIFFERS_FROM_DATABASE', 'CLOCK_STEPPED']);
  expect(wrong.warnings().map(({ message }) => message)).toEqual([
    expect.stringContaining("The server's clock is 1825 days ahead of the database's."),
    expect.stringContaining("The server's clock has moved forward by 1825 days"),
  ]);
  expect(wrong.deviations().recorded).toBeCloseTo(5 * 365 * 86_400, -2);
  clock.step(-5 * 365 * DAY_MS);
  expect(await codesOf()).toEqual(['CLOCK_STEPPED']);
  expect(await codesOf()).toEqual(['CLOCK_STEPPED']);
  await storage.query(`update clock_record set stepped_at = stepped_at - interval '1 day'`);
  expect(await codesOf()).toEqual([]);
});

it('a wrong clock deletes no history, and retention goes on from the newest reading', async () => {
  const storage = await openHistory();
  const clock = createTestClock();
  const now = clock.now();
  const [variable, old] = [
    await storeVariable(storage, 'NUMBER'),
    await storeVariable(storage, 'NUMBER'),
  ];
  const [builtIn] = await storage.query<{ seriesId: number }>(
    `insert into variables (organization_id, id, device_id, topic_property_path,
       topic_property_path_folded, type, name, name_folded, is_logging_enabled, created_at,
       updated_at, is_built_in)
     values ($1, gen_random_uuid(), $2, 'isOnline', 'isonline', 'BOOLEAN', 'Online', 'online', true,
       now(), now(), true)
     returning number as "seriesId"`,
    [variable.organizationId, variable.deviceId],
  );
  const online = { ...variable, seriesId: builtIn?.seriesId ?? 0, type: 'BOOLEAN' as const };
  await storage.query('update organizations set retention_days = 2');
  const limits = { readingsPerChunk: 10, minChunkReadings: 1 };
  const first = readingsOn(storage, limits, clock);
  await first.start();
  await first.commit([
    reading(variable, now - 3 * DAY_MS, 1),
    ...Array.from({ length: 9 }, (_, index) => reading(variable, now - 3 * DAY_MS + index, 1)),
    ...Array.from({ length: 10 }, (_, index) => reading(variable, now - 1_000 + index, 1)),
    reading(old, now - 9 * DAY_MS, 1),
    // Long after what Devices sent.
    reading(online, now + 365 * DAY_MS, true),
  ]);
  await first.stop();
  const countOf = async (of: typeof variable) =>
    (await pageOf(readingsOn(storage, limits, clock), of, { from: 0, to: now + DAY_MS }, 1)).count;
  const enforceRetention = (isClockTrusted = true) =>
    readingsOn(storage, limits, clock, () => isClockTrusted).deleteExpired();
  const before = await countOf(variable);
  await enforceRetention(false);
  expect(await countOf(variable)).toBe(before);
  clock.advance(5 * 365 * DAY_MS);
  await enforceRetention();
  // Two days before the day after the newest reading, not before the clock.
  expect(await countOf(variable)).toBe(10);
  expect(await countOf(old)).toBe(1);
});

it('a wrong clock and a damaged chunk are reported to those who ask', async () => {
  const clock = createTestClock();
  clock.step(-2 * DAY_MS);
  const server = await startServer({ environment: { clock } });
  const client = new pg.Client({ connectionString: server.databaseUrl });
  try {
    const overview = await server.call(operations.retrieveOverview);
    expect(overview.body.warnings).toEqual([
      {
        code: 'CLOCK_DIFFERS_FROM_DATABASE',
        message: expect.stringContaining("The server's clock is 2 days behind the database's."),
      },
    ]);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(
      /fieldwatch_clock_deviation_seconds\{reference="database"\} -172[78]\d\d/,
    );
    expect(metrics).toContain('fieldwatch_quarantined_rows{table="journal"} 0');
    const calls = ingestCalls(server);
    const { id } = await calls.newDevice();
    const variableId = await calls.newVariable(id, 'engine.rpm');
    await client.connect();
    await client.query(
      `insert into chunks (variable_number, last_at, first_at, written, count, data)
       select number, 2000, 1000, 1, 2, 'damaged' from variables where id = $1`,
      [variableId],
    );
    const list = (startTime: number, endTime: number) =>
      server.call(operations.listReadings, {
        params: { variableId },
        query: `startTime=${startTime}&endTime=${endTime}`,
      });
    expect((await list(1_000, 3_000)).body).toMatchObject({
      code: 'INTERNAL',
      detail: expect.stringContaining('Part of the history in this range is damaged'),
    });
    expect((await list(2_001, 3_000)).body).toMatchObject({ count: 0 });
  } finally {
    await client.end();
    await server.stop();
  }
});
