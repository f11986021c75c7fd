import { operations } from '@fieldwatch/contract';
import { parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorsOf } from '../support/device-calls.ts';
import { type IngestCalls, ingestCalls } from '../support/ingest-calls.ts';
import { type JoinedNeighbours, joinNeighbours } from '../support/neighbours.ts';
import type { TestOrganization } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const START = 1_700_000_000_000;
const PARQUET = 'application/vnd.apache.parquet';

let both: JoinedNeighbours;
let server: TestOrganization;
let calls: IngestCalls;
/** One of each type, in this order. */
let ids: string[];

const values = {
  NUMBER: [1.5, -2, 3],
  BOOLEAN: [true, false, false],
  STRING: ['läuft', 'a "b", c', ''],
} as const;
const types = ['NUMBER', 'BOOLEAN', 'STRING'] as const;

beforeAll(async () => {
  both = await joinNeighbours();
  server = both.server;
  calls = ingestCalls(server);
  const { id } = await calls.newDevice();
  ids = [];
  for (const type of types) {
    const unit = type === 'NUMBER' ? { unit: 'bar' } : {};
    ids.push(await calls.newVariable(id, `path.${type}`, { type, name: `A, ${type}`, ...unit }));
    const dataArray = values[type].map((value, index) => {
      return { key: `path.${type}`, value, timestamp: START + index * 1000 };
    });
    expect((await calls.write(id, { dataArray })).status).toBe(200);
  }
});

const distinct = (count: number) => Array.from({ length: count }, (_, index) => `no${index}`);

const asked = (list: readonly string[]) => list.map((id) => `ids[]=${id}`).join('&');

const many = (list: readonly string[], query = '') =>
  server.call(operations.listManyReadings, { query: `${asked(list)}&${query}` });

const alone = async (variableId: string, query: string) =>
  (await server.call(operations.listReadings, { params: { variableId }, query })).body;

async function file(path: string, accept: string): Promise<Response> {
  const url = `${server.url}/primary/v1/${server.organizationId}/devices/variables/${path}`;
  return await fetch(url, { headers: { authorization: server.key, accept } });
}

describe('the readings of several Variables', () => {
  it.each([
    'take=2',
    `startTime=${START + 1}&endTime=${START + 1500}`,
    `startTime=${START}&endTime=${START + 9999}&buckets=3`,
  ])('are what each has alone, in the order asked, with %s', async (query) => {
    const order = [ids[2], ids[0], ids[1]] as string[];
    const items = await Promise.all(order.map((id) => alone(id, query)));
    expect((await many([order[0] as string, UNKNOWN, ...order, 'nonsense'], query)).body).toEqual({
      items,
    });
  });

  it('share a range where none is given', async () => {
    const { items } = (await many(ids, 'buckets=2')).body;
    for (const item of items) {
      expect(item).toMatchObject({ startTime: START, endTime: START + 2000 });
    }
  });

  it('are not those of a neighbour', async () => {
    const theirs = ingestCalls(both.neighbour);
    const device = await theirs.newDevice();
    const variable = await theirs.newVariable(device.id, 'some.path');
    await theirs.write(device.id, { 'some.path': 1 });
    expect((await many([variable])).body).toEqual({ items: [] });
    expect(await (await file(`readings?ids[]=${variable}`, 'text/csv')).text()).toBe(
      'variableId,timestamp,value\r\n',
    );
  });

  it('are of 1 to 50 Variables, and not too many of all together', async () => {
    expect((await many(distinct(50))).status).toBe(200);
    expect(errorsOf(await many(distinct(51)))).toEqual(['ids must have at most 50 values']);
    expect((await server.call(operations.listManyReadings, {})).status).toBe(400);
    for (const name of ['take', 'buckets']) {
      expect((await many(distinct(50), `${name}=1000`)).status).toBe(200);
      expect(errorsOf(await many(distinct(50), `${name}=1001`))).toEqual([
        `${name} must be at most 1000 for 50 ids`,
      ]);
    }
    expect(errorsOf(await many(['a'], 'take=1&buckets=1'))).toHaveLength(1);
  });
});

describe('a table of several Variables', () => {
  it('names them, as CSV', async () => {
    const answer = await file(`readings?${asked([ids[2], ids[0]] as string[])}&take=2`, 'text/csv');
    const lines = [
      'variableId,timestamp,value',
      `${ids[2]},${START},läuft`,
      `${ids[2]},${START + 1000},"a ""b"", c"`,
      `${ids[0]},${START},1.5`,
      `${ids[0]},${START + 1000},-2`,
      '',
    ];
    expect(await answer.text()).toBe(lines.join('\r\n'));
    const buckets = await file(`readings?ids[]=${ids[0]}&buckets=1`, 'text/csv');
    expect(await buckets.text()).toBe(
      `variableId,timestamp,count,min,max,mean,first,last\r\n${ids[0]},${START},3,-2,3,${2.5 / 3},1.5,3\r\n`,
    );
    const mixed = await file(`readings?${asked(ids)}&buckets=1`, 'text/csv');
    expect(mixed.status).toBe(400);
  });

  it('has a column for each type of value, as Parquet', async () => {
    const answer = await file(`readings?${asked(ids)}`, PARQUET);
    expect(answer.headers.get('content-type')).toBe(PARQUET);
    const rows = await parquetReadObjects({ file: await answer.arrayBuffer() });
    const expected = types.flatMap((type, at) =>
      values[type].map((value, index) => ({
        variableId: ids[at],
        timestamp: new Date(START + index * 1000),
        numberValue: type === 'NUMBER' ? value : null,
        booleanValue: type === 'BOOLEAN' ? value : null,
        stringValue: type === 'STRING' ? value : null,
      })),
    );
    expect(rows.map((row) => ({ numberValue: null, ...row }))).toEqual(expected);
  });

  it.each(types)('is just times and values as Parquet of one %s', async (type) => {
    const id = ids[types.indexOf(type)];
    const answer = await file(`${id}/readings?take=2`, PARQUET);
    const rows = await parquetReadObjects({ file: await answer.arrayBuffer() });
    expect(rows).toEqual(
      values[type].slice(0, 2).map((value, index) => {
        return { timestamp: new Date(START + index * 1000), value };
      }),
    );
    const none = await file(`${id}/readings?endTime=5`, PARQUET);
    expect(await parquetReadObjects({ file: await none.arrayBuffer() })).toEqual([]);
    expect((await file(`${id}/readings?buckets=5`, PARQUET)).status).toBe(400);
  });
});

const span = `startTime=${START}&endTime=${START + 2000}`;

describe('an export of several Variables', () => {
  const header = 'time,device,variable,unit,value,variableId';
  const timeOf = (index: number) => new Date(START + index * 1000).toISOString();

  it('is one CSV with Device, Variable and unit in each line', async () => {
    const order = [ids[0], ids[2]] as string[];
    const answer = await file(`readings/export?${asked(order)}&${span}`, 'text/csv');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain('readings of 2 Variables from');
    const lines = [
      header,
      `${timeOf(0)},Generator,"A, NUMBER",bar,1.5,${ids[0]}`,
      `${timeOf(1)},Generator,"A, NUMBER",bar,-2,${ids[0]}`,
      `${timeOf(2)},Generator,"A, NUMBER",bar,3,${ids[0]}`,
      `${timeOf(0)},Generator,"A, STRING",,läuft,${ids[2]}`,
      `${timeOf(1)},Generator,"A, STRING",,"a ""b"", c",${ids[2]}`,
      `${timeOf(2)},Generator,"A, STRING",,,${ids[2]}`,
      '',
    ];
    expect(await answer.text()).toBe(lines.join('\r\n'));
  });

  it('is one Parquet file with the same columns', async () => {
    const answer = await file(`readings/export?${asked(ids)}&${span}`, PARQUET);
    const rows = await parquetReadObjects({ file: await answer.arrayBuffer() });
    const expected = types.flatMap((type, at) =>
      values[type].map((value, index) => ({
        time: new Date(START + index * 1000),
        device: 'Generator',
        variable: `A, ${type}`,
        unit: type === 'NUMBER' ? 'bar' : null,
        numberValue: type === 'NUMBER' ? value : null,
        booleanValue: type === 'BOOLEAN' ? value : null,
        stringValue: type === 'STRING' ? value : null,
        variableId: ids[at],
      })),
    );
    expect(rows).toEqual(expected);
  });

  it('has one row per bucket of a number and per change of a state, with buckets', async () => {
    const query = `readings/export?${asked(ids)}&${span}&buckets=1`;
    const lines = (await (await file(query, 'text/csv')).text()).split('\r\n');
    expect(lines.slice(0, 3)).toEqual([
      'time,endTime,device,variable,unit,count,min,max,mean,first,last,value,variableId',
      `${timeOf(0)},${timeOf(2)},Generator,"A, NUMBER",bar,3,-2,3,${2.5 / 3},1.5,3,,${ids[0]}`,
      `${timeOf(0)},${timeOf(1)},Generator,"A, BOOLEAN",,,,,,,,true,${ids[1]}`,
    ]);
    const rows = await parquetReadObjects({
      file: await (await file(query, PARQUET)).arrayBuffer(),
    });
    expect(rows).toHaveLength(lines.length - 2);
    expect(rows.slice(0, 2)).toMatchObject([
      { time: new Date(START), device: 'Generator', unit: 'bar', min: -2, mean: 2.5 / 3 },
      { endTime: new Date(START + 1000), value: 'true', variableId: ids[1] },
    ]);
  });

  it('has nothing of a neighbour', async () => {
    const theirs = ingestCalls(both.neighbour);
    const device = await theirs.newDevice();
    const variable = await theirs.newVariable(device.id, 'some.path');
    await theirs.write(device.id, { 'some.path': 1 });
    const query = `${asked([variable])}&startTime=0&endTime=${START * 2}`;
    const answer = await file(`readings/export?${query}`, 'text/csv');
    expect(await answer.text()).toBe(`${header}\r\n`);
    const { body } = await server.call(operations.listReadingStatistics, { query });
    expect(body).toEqual({ items: [] });
  });

  it('is of 1 to 50 Variables over a range, and of not too many buckets together', async () => {
    const exported = (list: readonly string[], query = span) =>
      server.call(operations.exportReadings, { query: `${asked(list)}&${query}` });
    expect((await exported(distinct(50))).status).toBe(200);
    expect(errorsOf(await exported(distinct(51)))).toEqual(['ids must have at most 50 values']);
    expect((await exported(distinct(50), `${span}&buckets=1000`)).status).toBe(200);
    expect(errorsOf(await exported(distinct(50), `${span}&buckets=1001`))).toEqual([
      'buckets must be at most 1000 for 50 ids',
    ]);
    expect((await exported(ids, 'startTime=1')).status).toBe(400);
    expect((await exported(ids, 'startTime=2&endTime=1')).status).toBe(400);
  });
});

describe('statistics of Variables', () => {
  it('are those of the readings in the range, and the mean over time', async () => {
    const query = `${asked(ids)}&${span}`;
    const { body } = await server.call(operations.listReadingStatistics, { query });
    const summary = { count: 3, min: -2, max: 3, mean: 2.5 / 3, first: 1.5, last: 3 };
    expect(body).toEqual({ items: [{ variableId: ids[0], ...summary, timeWeightedMean: -0.25 }] });
    const one = `${asked(ids)}&startTime=${START + 1}&endTime=${START + 1000}`;
    expect(
      (await server.call(operations.listReadingStatistics, { query: one })).body,
    ).toMatchObject({ items: [{ count: 1, min: -2, mean: -2, timeWeightedMean: -2 }] });
  });

  it('are of 1 to 50 Variables over a range', async () => {
    const asking = (list: readonly string[], query = span) =>
      server.call(operations.listReadingStatistics, { query: `${asked(list)}&${query}` });
    expect((await asking(distinct(50))).status).toBe(200);
    expect(errorsOf(await asking(distinct(51)))).toEqual(['ids must have at most 50 values']);
    expect((await asking(ids, 'endTime=1')).status).toBe(400);
  });
});
