import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ALARM_OPERATORS, operations } from '@fieldwatch/contract';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { backtestRecord } from '../../src/alarms/analysis/analysis.ts';
import { Backtest } from '../../src/alarms/analysis/backtest.ts';
import { judgedTermsOf } from '../../src/alarms/judgement/index.ts';
import { SliceReader } from '../../src/readings/slices/index.ts';
import { WorkerPool } from '../../src/readings/workers/index.ts';
import { createLog, systemClock } from '../../src/runtime/index.ts';
import { openStorage, type Storage } from '../../src/storage/index.ts';
import { ingestCalls } from '../support/ingest-calls.ts';
import { createRandom } from '../support/random.ts';
import { reading, readingsOn } from '../support/readings.ts';
import { startServer, type TestServer } from '../support/server.ts';

const START = 1_700_000_000_000;
/** Several batches, and several row groups, which have 131 072 each. */
const COUNT = 140_000;
const BATCH = 20_000;
const MAX_CONCURRENT_EXPORTS = 8;
const MAX_CONCURRENT_EXPORTS_PER_CREDENTIAL = 4;
const PARQUET = 'application/vnd.apache.parquet';

let server: TestServer;
let storage: Storage;
let path: string;
let point: { readonly deviceId: string; readonly deviceVariableId: string };

const timeOf = (index: number) => START + index * 1000;
const VALUES = Array.from({ length: COUNT }, (_, i) => Math.round(Math.sin(i) * 1000) / 10);
const valueFor = (index: number) => VALUES[index] as number;

/** A history that was flushed, as another server on the same database would have left it. */
async function makeHistory(): Promise<typeof point> {
  const calls = ingestCalls(server);
  const { id: deviceId } = await calls.newDevice();
  const id = await calls.newVariable(deviceId, 'some.path');
  const [row] = await storage.query<{ seriesId: number }>(
    'select number as "seriesId" from variables where id = $1',
    [id],
  );
  const { organizationId } = server;
  const own = { type: 'NUMBER', isLoggingEnabled: true, path: 'some.path' } as const;
  const variable = { seriesId: row?.seriesId ?? 0, id, organizationId, deviceId, ...own };
  const readings = readingsOn(storage);
  await readings.start();
  for (let start = 0; start < COUNT; start += BATCH) {
    await readings.commit(
      Array.from({ length: BATCH }, (_, index) =>
        reading(variable, timeOf(start + index), valueFor(start + index)),
      ),
    );
  }
  await readings.stop();
  return { deviceId, deviceVariableId: id };
}

beforeAll(async () => {
  server = await startServer();
  storage = await openStorage({
    databaseUrl: server.databaseUrl,
    dataDir: '',
    postgresBin: null,
    log: createLog('silent'),
    clock: systemClock,
    onProgress: () => undefined,
  });
  point = await makeHistory();
  const { deviceVariableId } = point;
  path = `/primary/v1/${server.organizationId}/devices/variables/${deviceVariableId}/readings`;
}, 60_000);

afterAll(async () => {
  await storage.stop();
  await server.stop();
});

const fetched = (accept: string) =>
  fetch(`${server.url}${path}`, { headers: { authorization: server.key, accept } });

/** The export with names, whose lines are long: all of it is more than the sockets hold. */
function namedExport(): string {
  const named = path.replace(`${point.deviceVariableId}/readings`, 'readings/export');
  const times = `startTime=${timeOf(0)}&endTime=${timeOf(COUNT)}`;
  return `${server.url}${named}?ids[]=${point.deviceVariableId}&${times}`;
}

/** An export whose reader takes nothing of it yet. */
async function opened(authorization: string): Promise<IncomingMessage> {
  const request = get(namedExport(), { headers: { authorization }, agent: false });
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

it.each([
  [0, COUNT - 1],
  [1_234, 132_000],
  [99_999, 100_001],
])(
  'statistics of stored readings %i to %i are those of the readings themselves',
  async (first, last) => {
    const times = `startTime=${timeOf(first)}&endTime=${timeOf(last)}`;
    const query = `ids[]=${point.deviceVariableId}&${times}`;
    const { body } = await server.call(operations.listReadingStatistics, { query });
    const values = Array.from({ length: last - first + 1 }, (_, index) => valueFor(first + index));
    const meanOf = (list: readonly number[]) =>
      list.reduce((sum, value) => sum + value) / list.length;
    const [found] = body.items;
    expect(found).toMatchObject({
      count: values.length,
      min: values.reduce((a, b) => Math.min(a, b)),
      max: values.reduce((a, b) => Math.max(a, b)),
      first: values[0],
      last: values.at(-1),
    });
    expect(found.mean).toBeCloseTo(meanOf(values), 9);
    // Readings are a second apart, so each but the last one counts alike.
    expect(found.timeWeightedMean).toBeCloseTo(meanOf(values.slice(0, -1)), 9);
  },
);

it('an export with names streams all stored readings', async () => {
  const answer = await fetch(namedExport(), { headers: { authorization: server.key } });
  const lines = (await answer.text()).split('\r\n');
  expect(lines).toHaveLength(COUNT + 2);
  const [time, , , , value] = (lines[1_001] ?? '').split(',');
  expect([Date.parse(time ?? ''), Number(value)]).toEqual([timeOf(1_000), valueFor(1_000)]);
});

it('an export has every reading, as CSV and as Parquet', async () => {
  const lines = (await (await fetched('text/csv')).text()).split('\r\n');
  expect(lines).toHaveLength(COUNT + 2);
  const wrongLine = lines.findIndex((line, index) => {
    if (index === 0) return line !== 'timestamp,value';
    return line !== (index > COUNT ? '' : `${timeOf(index - 1)},${valueFor(index - 1)}`);
  });
  expect(wrongLine).toBe(-1);
  const parquet = await fetched(PARQUET);
  expect(parquet.headers.get('content-disposition')).toMatch(
    /^attachment; filename="[^"]+\.parquet"; filename\*=UTF-8''[^;]+\.parquet$/,
  );
  const file = await parquet.arrayBuffer();
  const timestamp = parquetMetadata(file).schema.find(({ name }) => name === 'timestamp');
  expect(timestamp?.logical_type).toMatchObject({ type: 'TIMESTAMP', isAdjustedToUTC: true });
  const rows = await parquetReadObjects({ file });
  expect(rows).toHaveLength(COUNT);
  const wrongRow = rows.findIndex(
    ({ timestamp, value }, index) =>
      timestamp.getTime() !== timeOf(index) || value !== valueFor(index),
  );
  expect(wrongRow).toBe(-1);
}, 60_000);

it('exports wait for their readers, are not too many, and end when these leave', async () => {
  const readers: IncomingMessage[] = [];
  const keys = [server.key, server.administrator];
  for (let made = 0; made < MAX_CONCURRENT_EXPORTS; made += 1) {
    readers.push(
      await opened(keys[Math.floor(made / MAX_CONCURRENT_EXPORTS_PER_CREDENTIAL)] ?? ''),
    );
  }
  expect(readers.map(({ statusCode }) => statusCode)).toEqual(readers.map(() => 200));
  const refused = await fetched('text/csv');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
  const overloaded = await opened(await server.newKey([]));
  expect([overloaded.statusCode, overloaded.headers['retry-after']]).toEqual([503, '10']);
  for (const reader of readers) reader.destroy();
  await expect
    .poll(async () => {
      const answer = await fetched('text/csv');
      return (await answer.text()).length > 0 && answer.status;
    })
    .toBe(200);
}, 60_000);

const backtest = (body: object) => server.call(operations.backtestAlarm, { body });

const backtestOf = (fields: object = {}) => ({
  name: 'Tried out',
  isActive: true,
  ...point,
  operator: 'GREATER_THAN' as const,
  thresholdValueNumber: 50,
  alarmGroupId: null,
  startTime: START,
  endTime: timeOf(COUNT - 1),
  ...fields,
});

it('a backtest decodes and judges nothing on the main thread', async () => {
  const decoded = vi.spyOn(SliceReader.prototype, 'part');
  const judged = vi.spyOn(Backtest.prototype, 'add');
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const { status, body } = await backtest(backtestOf());
  expect([status, body.readingCount]).toEqual([200, COUNT]);
  expect([decoded.mock.calls.length, judged.mock.calls.length]).toEqual([0, 0]);
}, 60_000);

it('a backtest in a worker thread equals the judgement on the main thread', async () => {
  const random = createRandom(20_261_203);
  for (let round = 0; round < 12; round += 1) {
    const operator = random.pick(ALARM_OPERATORS);
    const isBySize = operator !== 'EQUAL' && operator !== 'NOT_EQUAL';
    const terms = {
      operator,
      thresholdValueNumber: random.pick([null, 0, 42.5, 99.9, 200]),
      thresholdValueString: null,
      thresholdValueBoolean: null,
      delayProcessingSeconds: random.pick([null, 1, 2, 60]),
      deadband: isBySize ? random.pick([null, 0.5, 30]) : null,
      clearDelaySeconds: random.pick([null, 1, 3, 60]),
    };
    const first = random.below(COUNT);
    const last = Math.min(first + random.pick([0, 10, 1_000, COUNT]), COUNT - 1);
    const range = { startTime: timeOf(first), endTime: timeOf(last) };
    const limits = { endTime: range.endTime, now: server.clock.now(), maxEvents: 1_000 };
    const expected = new Backtest(judgedTermsOf(terms), limits);
    for (let index = first; index <= last; index += 1) expected.add(timeOf(index), valueFor(index));
    const { status, body } = await backtest(backtestOf({ ...terms, ...range }));
    expect([status, JSON.stringify(body)]).toEqual([
      200,
      JSON.stringify(backtestRecord(expected.finish())),
    ]);
  }
}, 60_000);

it('a backtest is the only one of its credential, and ends when the client leaves', async () => {
  const job = { isBegun: false, isEnded: false };
  vi.spyOn(WorkerPool.prototype, 'run').mockImplementation(async function* endless() {
    try {
      for (job.isBegun = true; ; await nextTurn()) yield { readingCount: 1, result: null } as never;
    } finally {
      job.isEnded = true;
    }
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const leaving = new AbortController();
  const left = fetch(`${server.url}/primary/v1/${server.organizationId}/alarms/backtest`, {
    method: 'POST',
    headers: { authorization: server.key, 'content-type': 'application/json' },
    body: JSON.stringify(backtestOf()),
    signal: leaving.signal,
  }).catch(() => 'left');
  await expect.poll(() => job.isBegun).toBe(true);
  const second = await backtest(backtestOf());
  expect([second.status, second.body.code]).toEqual([429, 'TOO_MANY_REQUESTS']);
  expect(job.isEnded).toBe(false);
  leaving.abort();
  expect(await left).toBe('left');
  await expect.poll(() => job.isEnded).toBe(true);
}, 60_000);

it('an export that cannot go on breaks off rather than ends', async () => {
  await storage.query(
    `update chunks set data = set_byte(data, 20, get_byte(data, 20) # 1)
     where last_at = (select max(last_at) from chunks)`,
  );
  for (const accept of ['text/csv', PARQUET]) {
    const answer = await fetched(accept);
    expect(answer.status).toBe(200);
    await expect(answer.arrayBuffer()).rejects.toThrow();
  }
}, 60_000);

it('a backtest over a damaged chunk answers a bare 500, and the next one works', async () => {
  const failed = await backtest(backtestOf());
  expect([failed.status, failed.body.code]).toEqual([500, 'INTERNAL']);
  expect(JSON.stringify(failed.body)).not.toContain('chunk');
  const { status, body } = await backtest(backtestOf({ endTime: timeOf(999) }));
  expect([status, body.readingCount]).toEqual([200, 1_000]);
}, 60_000);
