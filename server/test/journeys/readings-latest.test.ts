import { operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { send } from '../support/call.ts';
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

const csv = (variableId: string, query = '', accept = 'text/csv') =>
  send(
    server.url,
    'GET',
    `/primary/v1/${server.organizationId}/devices/variables/${variableId}/readings`,
    { auth: server.key, query, headers: { accept } },
  );

const latest = (ids: readonly string[]) =>
  server.call(operations.listLatestValues, { query: ids.map((id) => `ids[]=${id}`).join('&') });

const ramp = (count: number): Sample[] =>
  Array.from({ length: count }, (_, index) => [START + index * 1000, index] as const);

describe('CSV', () => {
  it('has all readings, or as many as asked', async () => {
    const id = await madeOf('NUMBER', ramp(3));
    const answer = await csv(id);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('vary')).toContain('accept');
    const lines = ['timestamp,value', `${START},0`, `${START + 1000},1`, `${START + 2000},2`, ''];
    expect(answer.text).toBe(lines.join('\r\n'));
    expect((await csv(id, 'take=1')).text).toBe(`timestamp,value\r\n${START},0\r\n`);
    expect((await csv(id, '', 'application/json')).body.count).toBe(3);
  });

  it('quotes what needs quotes', async () => {
    const id = await madeOf('STRING', [[START, 'a "b", c']]);
    expect((await csv(id)).text).toBe(`timestamp,value\r\n${START},"a ""b"", c"\r\n`);
    expect((await csv(id, 'buckets=1')).text).toBe(
      `startTime,endTime,value\r\n${START},${START},"a ""b"", c"\r\n`,
    );
  });

  it('has buckets too', async () => {
    const id = await madeOf('NUMBER', ramp(2));
    expect((await csv(id, 'buckets=1')).text).toBe(
      `timestamp,count,min,max,mean,first,last\r\n${START},2,0,1,0.5,0,1\r\n`,
    );
  });
});

describe('latest values', () => {
  it('are of Variables of this organization', async () => {
    const theirs = ingestCalls(both.neighbour);
    const device = await theirs.newDevice();
    const variable = await theirs.newVariable(device.id, 'some.path');
    await theirs.write(device.id, { 'some.path': 1 });
    expect((await latest([variable])).body).toEqual({ items: [] });
    expect((await csv(variable)).status).toBe(404);
  });

  it('are those with the newest time, in the order asked', async () => {
    const a = await madeOf('NUMBER', [
      [START + 5, 1],
      [START, 2],
    ]);
    const b = await madeOf('STRING', [[START, 'on']]);
    const c = await madeOf('BOOLEAN', [[START, false]]);
    const none = await madeOf('NUMBER', []);
    const items = [
      { variableId: c, timestamp: START, value: false },
      { variableId: a, timestamp: START + 5, value: 1 },
      { variableId: b, timestamp: START, value: 'on' },
    ];
    expect((await latest([c, UNKNOWN, a, none, 'nonsense', b])).body).toEqual({ items });
    expect((await latest([])).body).toEqual({ items: [] });
  });

  it('are kept also where history is not', async () => {
    const { id } = await calls.newDevice();
    const variable = await calls.newVariable(id, 'some.path', { isLoggingEnabled: false });
    await calls.write(id, { timestamp: START, data: { 'some.path': 5 } });
    const items = [{ variableId: variable, timestamp: START, value: 5 }];
    expect((await latest([variable])).body).toEqual({ items });
    expect((await list(variable)).body.count).toBe(0);
  });

  it('are of at most 200 Variables', async () => {
    const ids = Array.from({ length: 200 }, () => UNKNOWN);
    expect((await latest(ids)).status).toBe(200);
    expect(errorsOf(await latest([...ids, UNKNOWN]))).toEqual(['ids must have at most 200 values']);
  });
});

describe('deletion', () => {
  it('of a Variable or its Device takes the readings along', async () => {
    const { id } = await calls.newDevice();
    const [a, b] = [
      await calls.newVariable(id, 'some.path'),
      await calls.newVariable(id, 'other.path'),
    ];
    await calls.write(id, { 'some.path': 1, 'other.path': 2 });
    expect((await latest([a, b])).body.items).toHaveLength(2);
    await server.call(operations.deleteVariable, { params: { deviceId: id, variableId: a } });
    expect((await list(a)).status).toBe(404);
    expect((await latest([a, b])).body.items).toHaveLength(1);
    await server.call(operations.deleteDevice, { params: { deviceId: id } });
    expect((await latest([a, b])).body.items).toEqual([]);
  });
});

describe('values for Prometheus', () => {
  const scrape = (query = '') => server.call(operations.listPrometheusValues, { query });
  const age = (seconds: number) => server.clock.now() - seconds * 1_000;

  it('are the latest ones that are not too old, by classification and Asset', async () => {
    const { id: deviceId } = await calls.newDevice();
    const kinds = [
      ['engine.kw', 'NUMBER', 'ELECTRICAL_GENERATOR_KW', 12.5, 10],
      ['engine.on', 'BOOLEAN', null, true, 10],
      ['engine.mode', 'STRING', null, 'AUTO', 10],
      ['engine.old', 'NUMBER', null, 7, 3_600],
    ] as const;
    const ids: string[] = [];
    for (const [path, type, classificationType] of kinds) {
      const classified = classificationType === null ? {} : { classificationType };
      ids.push(await calls.newVariable(deviceId, path, { type, ...classified }));
    }
    const dataArray = kinds.map(([key, , , value, seconds]) => ({
      ...{ key, value },
      timestamp: age(seconds),
    }));
    expect((await calls.write(deviceId, { dataArray })).status).toBe(200);
    const { text, headers } = await scrape();
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text).toMatch(
      new RegExp(
        `path="engine.kw",classification="ELECTRICAL_GENERATOR_KW",id="${ids[0]}"} 12.5\n`,
      ),
    );
    expect(text).toContain(`path="engine.on",id="${ids[1]}"} 1\n`);
    expect(text).toContain(`path="engine.mode",id="${ids[2]}",value="AUTO"} 1\n`);
    expect(text).not.toContain(ids[3]);
    expect((await scrape('maxAgeSeconds=3700')).text).toContain(`id="${ids[3]}"} 7\n`);
    const selected = await scrape('classificationTypes=ELECTRICAL_GENERATOR_KW');
    expect(selected.text).toContain(ids[0]);
    expect(selected.text).not.toContain(ids[1]);
    expect((await scrape(`assetIds=${UNKNOWN}`)).text).toBe('');
  });

  it.each([
    ['maxAgeSeconds=0', 400],
    ['maxAgeSeconds=1', 200],
    ['maxAgeSeconds=31536000', 200],
    ['maxAgeSeconds=31536001', 400],
    ['classificationTypes=no', 400],
  ])('are refused or answered: %s', async (query, status) => {
    expect((await scrape(query)).status).toBe(status);
  });
});
