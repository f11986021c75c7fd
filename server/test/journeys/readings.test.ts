import { COLUMNS_MEDIA_TYPE, operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorsOf } from '../support/device-calls.ts';
import { type IngestCalls, ingestCalls } from '../support/ingest-calls.ts';
import { type JoinedNeighbours, joinNeighbours } from '../support/neighbours.ts';
import type { TestOrganization } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const START = 1_700_000_000_000;

let both: JoinedNeighbours;
let server: TestOrganization;
let calls: IngestCalls;

beforeAll(async () => {
  both = await joinNeighbours();
  server = both.server;
  calls = ingestCalls(server);
});

type Sample = readonly [at: number, value: unknown];

/** A Variable of a Device of its own, with these readings. */
async function madeOf(type: string, samples: readonly Sample[]): Promise<string> {
  const { id } = await calls.newDevice();
  const variable = await calls.newVariable(id, 'some.path', { type });
  const dataArray = samples.map(([at, value]) => ({ key: 'some.path', value, timestamp: at }));
  if (dataArray.length > 0) {
    const { status, text } = await calls.write(id, { dataArray });
    expect(status, text).toBe(200);
  }
  return variable;
}

const list = (variableId: string, query = '') =>
  server.call(operations.listReadings, { params: { variableId }, query });

const ramp = (count: number): Sample[] =>
  Array.from({ length: count }, (_, index) => [START + index * 1000, index] as const);

const listByColumn = async (variableId: string, query = '') => {
  const reply = await server.call(operations.listReadings, {
    params: { variableId },
    query,
    headers: { accept: COLUMNS_MEDIA_TYPE },
  });
  expect(reply.headers.get('content-type')).toBe(COLUMNS_MEDIA_TYPE);
  return reply.body;
};

describe('readings by column', () => {
  it.each([
    ['NUMBER', [0, -1.5, 1e300, 0.1, 12_345.678_9]],
    ['BOOLEAN', [true, false, true]],
    ['STRING', ['on', '', 'ä "quoted" €😀', '\n']],
  ])('of a %s are the items, each field an array', async (type, values) => {
    const id = await madeOf(
      type,
      values.map((value, index) => [START + index, value]),
    );
    for (const query of ['', 'take=2', `startTime=${START + 1_000_000}`, 'buckets=7']) {
      const { items, ...head } = (await list(id, query)).body;
      const { columns, ...rest } = await listByColumn(id, query);
      expect(rest).toEqual(head);
      const names = Object.keys(columns);
      const rows = columns[names[0] as string].map((_: unknown, index: number) =>
        Object.fromEntries(names.map((name) => [name, columns[name][index]])),
      );
      expect(rows).toEqual(items);
    }
  });

  it('of several Variables come together', async () => {
    const ids = [await madeOf('NUMBER', ramp(3)), await madeOf('STRING', [[START, 'on']])];
    const { body } = await server.call(operations.listManyReadings, {
      query: ids.map((id) => `ids[]=${id}`).join('&'),
      headers: { accept: COLUMNS_MEDIA_TYPE },
    });
    expect(body.items.map(({ columns }: { columns: object }) => columns)).toEqual([
      { timestamp: [START, START + 1_000, START + 2_000], value: [0, 1, 2] },
      { timestamp: [START], value: ['on'] },
    ]);
  });
});

describe('raw readings', () => {
  it('come in the order of time, each time once, with the last value that was written', async () => {
    const id = await madeOf('NUMBER', [
      [START + 2, 2],
      [START, 0],
      [START + 2, 3],
      [START + 1, 1.5],
    ]);
    expect((await list(id)).body).toEqual({
      variableId: id,
      count: 3,
      items: [
        { timestamp: START, value: 0 },
        { timestamp: START + 1, value: 1.5 },
        { timestamp: START + 2, value: 3 },
      ],
      nextStartTime: null,
    });
  });

  it('are those of the range, both ends included', async () => {
    const id = await madeOf('NUMBER', ramp(10));
    const within = `startTime=${START + 2000}&endTime=${START + 4000}`;
    const { body } = await list(id, within);
    expect(body.items.map(({ value }: { value: number }) => value)).toEqual([2, 3, 4]);
    expect((await list(id, `startTime=${START + 2001}&endTime=${START + 3999}`)).body.count).toBe(
      1,
    );
    expect((await list(id, `startTime=${START}&endTime=${START}`)).body.count).toBe(1);
    expect((await list(id, `endTime=${START - 1}`)).body).toMatchObject({ count: 0, items: [] });
  });

  it('come in pages, each of which says where the next begins', async () => {
    const id = await madeOf('NUMBER', ramp(10));
    const seen: number[] = [];
    for (let from: number | null = START; from !== null; ) {
      const { body } = await list(id, `startTime=${from}&take=3`);
      expect(body.count).toBe(10 - seen.length);
      seen.push(...body.items.map(({ value }: { value: number }) => value));
      from = body.nextStartTime;
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect((await list(id, 'take=10')).body.nextStartTime).toBeNull();
  });

  it.each([
    ['BOOLEAN', [true, false, true]],
    ['STRING', ['', 'läuft "🚀",\r\n', '0']],
  ])('of a %s are what was sent', async (type, values) => {
    const id = await madeOf(
      type,
      values.map((value, index) => [START + index, value] as const),
    );
    const { body } = await list(id);
    expect(body.items.map(({ value }: { value: unknown }) => value)).toEqual(values);
  });

  it('are none for a Variable that has none', async () => {
    const id = await madeOf('NUMBER', []);
    const empty = { variableId: id, count: 0, items: [], nextStartTime: null };
    expect((await list(id)).body).toEqual(empty);
  });
});

describe('the range of readings', () => {
  let id: string;
  beforeAll(async () => {
    id = await madeOf('NUMBER', ramp(2));
  });

  it.each([
    [
      'take=1',
      'take=50000',
      'startTime=0',
      'endTime=8640000000000000',
      'buckets=1',
      'buckets=5000',
    ],
  ])('is taken at its bounds', async (...queries) => {
    for (const query of queries) expect((await list(id, query)).status, query).toBe(200);
  });

  it.each([
    ['take=0', 'take', 'must be at least 1'],
    ['take=50001', 'take', 'must be at most 50000'],
    ['take=1.5', 'take', 'must be a whole number'],
    ['buckets=0', 'buckets', 'must be at least 1'],
    ['buckets=5001', 'buckets', 'must be at most 5000'],
    ['startTime=-1', 'startTime', 'must be at least 0'],
    ['endTime=8640000000000001', 'endTime', 'must be at most 8640000000000000'],
    ['startTime=2026-01-01T00:00:00.000Z', 'startTime', 'must be a whole number'],
    ['startTime=2&endTime=1', 'endTime', 'must not be before startTime'],
    ['take=5&buckets=5', 'take', 'has no meaning together with buckets'],
  ])('is refused as %s', async (query, path, message) => {
    expect(errorsOf(await list(id, query))).toEqual([`${path} ${message}`]);
  });

  it('is of a Variable of this organization', async () => {
    const theirs = ingestCalls(both.neighbour);
    const device = await theirs.newDevice();
    const variable = await theirs.newVariable(device.id, 'some.path');
    await theirs.write(device.id, { 'some.path': 1 });
    for (const each of [variable, UNKNOWN, 'nonsense']) {
      expect((await list(each)).status).toBe(404);
    }
  });
});

describe('buckets', () => {
  it('sum up numbers by equal parts of the range, and leave empty parts out', async () => {
    const id = await madeOf('NUMBER', [
      [START, 4],
      [START + 100, -2],
      [START + 199, 7],
      [START + 600, 1],
    ]);
    const range = { startTime: START, endTime: START + 999 };
    const query = `startTime=${range.startTime}&endTime=${range.endTime}&buckets=5`;
    expect((await list(id, query)).body).toEqual({
      variableId: id,
      ...range,
      bucketMs: 200,
      items: [
        { timestamp: START, count: 3, min: -2, max: 7, mean: 3, first: 4, last: 7 },
        { timestamp: START + 600, count: 1, min: 1, max: 1, mean: 1, first: 1, last: 1 },
      ],
    });
  });

  it('divide a range evenly, and what stands at its end counts to the last', async () => {
    const id = await madeOf('NUMBER', [
      [START, 1],
      [START + 899_999, 2],
      [START + 900_000, 3],
      [START + 3_600_000, 4],
      [START + 3_600_001, 5],
    ]);
    const query = `startTime=${START}&endTime=${START + 3_600_000}&buckets=4`;
    const { body } = await list(id, query);
    expect(body.bucketMs).toBe(900_000);
    const found = body.items.map((item: { timestamp: number; count: number; last: number }) => [
      item.timestamp - START,
      item.count,
      item.last,
    ]);
    expect(found).toEqual([
      [0, 2, 2],
      [900_000, 1, 3],
      [2_700_000, 1, 4],
    ]);
  });

  it('have a mean also where the sum is beyond all numbers', async () => {
    const id = await madeOf('NUMBER', [
      [START, 1.7e308],
      [START + 1, 1.7e308],
    ]);
    const [item] = (await list(id, 'buckets=1')).body.items;
    expect(item.mean / 1.7e308).toBeCloseTo(1, 10);
  });

  it('go from the first to the last reading when no range is given', async () => {
    const id = await madeOf('NUMBER', ramp(100));
    const { body } = await list(id, 'buckets=10');
    expect(body).toMatchObject({ startTime: START, endTime: START + 99_000, bucketMs: 9900 });
    expect(body.items).toHaveLength(10);
    const empty = await list(await madeOf('NUMBER', []), 'buckets=10');
    expect(empty.body.items).toEqual([]);
  });

  it.each([
    ['BOOLEAN', false, true],
    ['STRING', 'off', 'on'],
  ])('of a %s are the parts of time with one value', async (type, off, on) => {
    const id = await madeOf(type, [
      [START, off],
      [START + 1, off],
      [START + 2, on],
      [START + 3, off],
      [START + 4, off],
    ]);
    const { body } = await list(id, 'buckets=10');
    expect(body).toMatchObject({ variableId: id, startTime: START, endTime: START + 4 });
    expect(body.items).toEqual([
      { startTime: START, endTime: START + 2, value: off },
      { startTime: START + 2, endTime: START + 3, value: on },
      { startTime: START + 3, endTime: START + 4, value: off },
    ]);
  });
});
