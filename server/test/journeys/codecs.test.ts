import { operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { joinServer, type TestOrganization } from '../support/server.ts';

type Fields = Record<string, unknown>;

const SCRIPT = `function decodeUplink(input) {
  if (input.fPort !== 2) return { errors: ['unknown port'] };
  return { data: { temperature: (input.bytes[0] << 8 | input.bytes[1]) / 10 } };
}`;
const TEST = { fPort: 2, bytesHex: '00E1', expected: { temperature: 22.5 } };

let server: TestOrganization;

beforeAll(async () => {
  server = await joinServer();
});

const create = (body: Fields = {}, at = server) =>
  at.call(operations.createCodec, { body: { name: 'Probe', script: SCRIPT, ...body } });
const update = (codecId: string, body: Fields, headers = {}) =>
  server.call(operations.updateCodec, { params: { codecId }, body, headers });
const attempt = (codecId: string, body: Fields) =>
  server.call(operations.tryCodec, { params: { codecId }, body });
const errorsOf = ({ body }: { body: { errors?: { path: string; message: string }[] } }) =>
  (body.errors ?? []).map(({ path, message }) => `${path} ${message}`);

describe('a codec', () => {
  it('is created, listed, changed and deleted, and the audit log has it', async () => {
    const { status, body: codec } = await create({ tests: [TEST] });
    expect([status, codec.tests]).toEqual([201, [TEST]]);
    const listed = await server.call(operations.listCodecs, { query: 'search=PROBE' });
    expect(listed.body).toMatchObject({ count: 1, items: [{ id: codec.id, testCount: 1 }] });
    expect((await update(codec.id, { name: 'Renamed' })).body).toMatchObject({
      ...{ name: 'Renamed', script: SCRIPT, tests: [TEST] },
    });
    expect((await update(codec.id, { name: 'Late' }, { 'if-match': '"1"' })).status).toBe(412);
    const params = { codecId: codec.id };
    expect((await server.call(operations.deleteCodec, { params })).status).toBe(204);
    expect((await server.call(operations.retrieveCodec, { params })).status).toBe(404);
    const log = await server.call(operations.listAuditLog, {});
    const kinds = log.body.items.map(({ resource }: { resource: string }) => resource);
    expect(kinds.filter((each: string) => each === 'Codec')).toHaveLength(3);
  });

  it('is tried with its own script, or with one that is not saved', async () => {
    const { body: codec } = await create();
    const own = await attempt(codec.id, { fPort: 2, bytesHex: '00e1' });
    expect(own.body).toMatchObject({ data: { temperature: 22.5 }, errors: [] });
    expect((await attempt(codec.id, { bytesHex: '' })).body.errors).toEqual(['unknown port']);
    const script = 'const decodeUplink = ({ recvTime }) => ({ data: { at: recvTime } });';
    const given = await attempt(codec.id, {
      ...{ bytesHex: '', script, recvTime: '2026-11-15T10:00:00+02:00' },
    });
    expect(given.body.data).toEqual({ at: '2026-11-15T08:00:00.000Z' });
    const looping = 'function decodeUplink() { for (;;) {} }';
    expect((await attempt(codec.id, { bytesHex: '', script: looping })).body.errors).toEqual([
      'The codec used more than 50 ms of processor time.',
    ]);
  });

  it('whose tests do not pass is neither created nor changed', async () => {
    const wrong = { ...TEST, expected: { temperature: 1 } };
    expect(errorsOf(await create({ tests: [TEST, wrong] }))).toEqual([
      'tests[1].expected differs from what is decoded: {"temperature":22.5}',
    ]);
    const { body: codec } = await create({ tests: [TEST] });
    const script = 'function decodeUplink() { return { data: {} }; }';
    expect(errorsOf(await update(codec.id, { script }))).toEqual([
      'tests[0].expected differs from what is decoded: {}',
    ]);
    const kept = await server.call(operations.retrieveCodec, { params: { codecId: codec.id } });
    expect(kept.body.script).toBe(SCRIPT);
  });

  it.each<[string, Fields, string]>([
    ['no function', { script: 'var a' }, 'script cannot be used: The script has no function'],
    [
      'no JavaScript',
      { script: 'function (' },
      'script cannot be used: function name expected (SyntaxError, line 1)',
    ],
    ['a script over 65 536 characters', { script: ' '.repeat(65_537) }, 'script must'],
    ['21 tests', { tests: new Array(21).fill(TEST) }, 'tests must'],
    ['half a byte', { tests: [{ ...TEST, bytesHex: '0' }] }, 'tests[0].bytesHex must be pairs'],
    ['port 256', { tests: [{ ...TEST, fPort: 256 }] }, 'tests[0].fPort must'],
  ])('with %s is refused', async (_, body, message) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(errorsOf(answer).join()).toContain(message);
  });

  it('with 65 536 characters and 20 tests is taken', async () => {
    const script = SCRIPT + ' '.repeat(65_536 - SCRIPT.length);
    expect((await create({ script, tests: new Array(20).fill(TEST) })).status).toBe(201);
  });

  it('of a neighbour is unknown', async () => {
    const neighbour = await joinServer();
    const { body: theirs } = await create({}, neighbour);
    const params = { codecId: theirs.id as string };
    expect((await server.call(operations.retrieveCodec, { params })).status).toBe(404);
    expect((await attempt(theirs.id, { bytesHex: '' })).status).toBe(404);
    expect((await update(theirs.id, { name: 'Mine' })).status).toBe(404);
    expect((await server.call(operations.deleteCodec, { params })).status).toBe(404);
  });
});
