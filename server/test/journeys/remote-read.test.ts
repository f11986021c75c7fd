import { beforeAll, expect, it } from 'vitest';
import { createRemoteReadHandler } from '../../src/readings/prometheus/index.ts';
import { type IngestCalls, ingestCalls } from '../support/ingest-calls.ts';
import { type JoinedNeighbours, joinNeighbours } from '../support/neighbours.ts';
import { openHistory, reading, readingsOn, storeVariable } from '../support/readings.ts';
import { type Field, message, seriesIn, snappy } from '../support/remote-read.ts';
import type { TestOrganization } from '../support/server.ts';

const START = 1_700_000_000_000;
const [EQUAL, NOT_EQUAL, PATTERN, NOT_PATTERN] = [0, 1, 2, 3];
let both: JoinedNeighbours;
let calls: IngestCalls;
let deviceId: string;

type Matcher = readonly [name: string, match: number | undefined, value: string];

function queryOf(matchers: readonly Matcher[], from = START, to = START + 10_000): Field {
  const fields = matchers.map(
    ([name, match = 0, value]): Field => [
      3,
      [
        [1, match],
        [2, name],
        [3, value],
      ],
    ],
  );
  return [1, [[1, from], [2, to], ...fields]];
}

async function post(
  server: TestOrganization,
  body: Buffer | string,
  headers: Readonly<Record<string, string>> = {},
  organizationId = server.organizationId,
) {
  const answer = await fetch(`${server.url}/prometheus/${organizationId}/api/v1/read`, {
    method: 'POST',
    headers: {
      authorization: server.key,
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy',
      'x-prometheus-remote-read-version': '0.1.0',
      ...headers,
    },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
}

async function read(...matchers: readonly Matcher[]) {
  const query = queryOf([['device', EQUAL, 'Genset "7"'], ...matchers]);
  const { answer, bytes } = await post(both.server, snappy(message([query])));
  expect(answer.status, bytes.toString()).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/x-protobuf');
  expect(answer.headers.get('content-encoding')).toBe('snappy');
  const [series = []] = seriesIn(bytes);
  return series.map(({ labels, samples }) => [
    `${labels.__name__} ${labels.path}${labels.value ? ` ${labels.value}` : ''}`,
    samples.map(([at, value]) => `${at - START}: ${value}`).join(', '),
  ]);
}

beforeAll(async () => {
  both = await joinNeighbours();
  calls = ingestCalls(both.server);
  ({ id: deviceId } = await calls.newDevice({ name: 'Genset "7"' }));
  await calls.newVariable(deviceId, 'engine.kw', { classificationType: 'ELECTRICAL_GENERATOR_KW' });
  await calls.newVariable(deviceId, 'engine.on', { type: 'BOOLEAN' });
  await calls.newVariable(deviceId, 'engine.mode', { type: 'STRING' });
  const dataArray = [
    ['engine.kw', 0, -1],
    ['engine.kw', 1.5, 0],
    ['engine.kw', 2.5, 10],
    ['engine.kw', 9, 11],
    ['engine.on', true, 1],
    ['engine.mode', 'AUTO', 1],
    ['engine.mode', 'OFF', 2],
    ['engine.mode', 'AUTO', 3],
    ['engine.mode', '', 4],
  ].map(([key, value, second]) => ({ key, value, timestamp: START + Number(second) * 1_000 }));
  expect((await calls.write(deviceId, { dataArray })).status).toBe(200);
});

const KW = ['fieldwatch_value engine.kw', '0: 1.5, 10000: 2.5'];
const ON = ['fieldwatch_value engine.on', '1000: 1'];
const AUTO = ['fieldwatch_state engine.mode AUTO', '1000: 1, 3000: 1'];
const OFF = ['fieldwatch_state engine.mode OFF', '2000: 1'];
const EMPTY = ['fieldwatch_state engine.mode', '4000: 1'];

it('the readings of the range are samples, and each text is a series of its own', async () => {
  expect(new Set(await read())).toEqual(new Set([KW, ON, AUTO, OFF, EMPTY]));
});

it.each<[string, readonly Matcher[], unknown[]]>([
  ['a metric', [['__name__', EQUAL, 'fieldwatch_value']], [KW, ON]],
  ['a classification', [['classification', EQUAL, 'ELECTRICAL_GENERATOR_KW']], [KW]],
  ['an absent label', [['classification', EQUAL, '']], [ON, AUTO, OFF, EMPTY]],
  ['another path', [['path', NOT_EQUAL, 'engine.mode']], [KW, ON]],
  ['a pattern', [['path', PATTERN, 'engine\\.(kw|on)']], [KW, ON]],
  ['no such pattern', [['path', NOT_PATTERN, '.*(kw|on)']], [AUTO, OFF, EMPTY]],
  ['a text', [['value', EQUAL, 'AUTO']], [AUTO]],
  ['any text', [['value', NOT_EQUAL, '']], [AUTO, OFF]],
  ['a label that no Variable has', [['rack', NOT_EQUAL, '']], []],
  ['nothing', [['path', EQUAL, 'engine']], []],
])('series are selected by %s', async (_, matchers, expected) => {
  expect(new Set(await read(...matchers))).toEqual(new Set(expected));
});

it('labels are those of a scrape', async () => {
  const { bytes } = await post(
    both.server,
    snappy(message([queryOf([['classification', EQUAL, 'ELECTRICAL_GENERATOR_KW']])])),
  );
  const labels = seriesIn(bytes)[0]?.[0]?.labels ?? {};
  expect(Object.keys(labels)).toEqual(Object.keys(labels).toSorted());
  expect(labels).toMatchObject({ device: 'Genset "7"', path: 'engine.kw' });
});

it('each of several queries has its result', async () => {
  const kw: Matcher = ['path', EQUAL, 'engine.kw'];
  const queries = [queryOf([kw]), queryOf([kw], START + 1, START), queryOf([kw], START, START)];
  const { bytes } = await post(both.server, snappy(message(queries)));
  expect(seriesIn(bytes).map((all) => all.map(({ samples }) => samples.length))).toEqual([
    [2],
    [],
    [1],
  ]);
});

it.each([
  [20, 200],
  [21, 400],
])('%i queries are answered with %i', async (count, status) => {
  const queries = Array.from({ length: count }, () => queryOf([['path', EQUAL, 'no']]));
  expect((await post(both.server, snappy(message(queries)))).answer.status).toBe(status);
});

it.each<[string, Buffer | string, Readonly<Record<string, string>>, number, string]>([
  ['JSON', '{}', { 'content-type': 'application/json' }, 415, 'The body must be application/x-pro'],
  ['no compression', message([]), { 'content-encoding': 'identity' }, 415, 'compressed by Snappy'],
  ['damage', Buffer.from('05'), {}, 400, 'is not Protocol Buffers compressed by Snappy'],
  ['a bad pattern', snappy(message([queryOf([['a', PATTERN, '(']])])), {}, 400, 'not closed'],
  ['no credentials', snappy(message([])), { authorization: '' }, 401, ''],
])('%s is refused', async (_, body, headers, status, reason) => {
  const { answer, bytes } = await post(both.server, body, headers);
  expect([answer.status, bytes.toString()]).toEqual([status, expect.stringContaining(reason)]);
});

it('the history of a neighbour is as unknown as that of an organization that does not exist', async () => {
  const body = snappy(message([queryOf([])]));
  const ids = [both.neighbour.organizationId, '018f0000-0000-7000-8000-00000000dead'];
  const answers = await Promise.all(ids.map((id) => post(both.server, body, {}, id)));
  expect(new Set(answers.map(({ answer }) => answer.status)).size).toBe(1);
  expect(answers[0]?.answer.status).not.toBe(200);
});

it('more Variables or readings than allowed are refused, with advice', async () => {
  const storage = await openHistory();
  const readings = readingsOn(storage);
  await readings.start();
  const variable = await storeVariable(storage, 'NUMBER');
  const other = await storeVariable(storage, 'NUMBER');
  await readings.commit([1, 2, 3].map((at) => reading(variable, at, at)));
  const input = {
    params: { organizationId: variable.organizationId },
    query: {},
    body: { queries: [{ startTime: 0, endTime: 9, matchers: [] }] },
  };
  const readWith = (limits: { maxVariables?: number; maxSamples?: number }) =>
    createRemoteReadHandler({ storage, readings, ...limits })(input, {
      caller: { kind: 'API_KEY', id: 'key' },
    } as never);
  const exposed = other.organizationId === variable.organizationId ? 2 : 1;
  await expect(readWith({ maxVariables: exposed, maxSamples: 3 })).resolves.toHaveProperty('body');
  await expect(readWith({ maxVariables: exposed - 1 })).rejects.toThrow('fewer by their labels');
  await expect(readWith({ maxSamples: 2 })).rejects.toThrow('These are more than 2 readings');
  await readings.stop();
});
