import { operations } from '@fieldwatch/contract';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../support/postgres.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSecondServer, startServer, type TestServer } from '../support/server.ts';

type Fields = Record<string, unknown>;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: pg.Client;
let server: TestServer;
let neighbour: TestServer;
let service: Receiver;

const options = { env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' } };
const soon = { interval: 50 };

beforeAll(async () => {
  database = await createTestDatabase();
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
  server = await startServer({ ...options, databaseUrl: database.url });
  neighbour = await startSecondServer(server, options.env);
  service = await startReceiver();
});

afterAll(async () => {
  await service.stop();
  await db.end();
  await database.drop();
});

beforeEach(async () => {
  service.received.length = 0;
  service.answer(200);
  const { body } = await server.call(operations.listHeartbeats, { query: 'take=100' });
  for (const { id } of body.items) await remove(id);
});

const create = (fields: Fields = {}, at = server) =>
  at.call(operations.createHeartbeat, { body: { name: 'Outside', url: service.url, ...fields } });
const retrieve = async (heartbeatId: string, at = server) =>
  await at.call(operations.retrieveHeartbeat, { params: { heartbeatId } });
const update = (heartbeatId: string, body: Fields) =>
  server.call(operations.updateHeartbeat, { params: { heartbeatId }, body });
const remove = (heartbeatId: string) =>
  server.call(operations.deleteHeartbeat, { params: { heartbeatId } });
const pathsOf = ({ body }: { body: { errors?: { path: string }[] } }) =>
  (body.errors ?? []).map(({ path }) => path);
const stateOf = async (id: string) => (await retrieve(id)).body;
const counted = async (table: string) =>
  Number((await db.query(`select count(*) from ${table}`)).rows[0].count);

describe('a heartbeat', () => {
  it('is created with defaults, retrieved, listed, changed and deleted', async () => {
    const { status, body } = await create({ isActive: false });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      name: 'Outside',
      kind: 'OTHER',
      url: service.url,
      everySeconds: 60,
      isActive: false,
      isHealthy: null,
      lastSentDateTime: null,
      lastError: null,
      createdDateTime: body.createdDateTime,
      updatedDateTime: body.createdDateTime,
    });
    expect(await stateOf(body.id)).toEqual(body);
    const listed = await server.call(operations.listHeartbeats, { query: 'search=outs' });
    expect(listed.body).toEqual({ count: 1, items: [body] });
    const changed = await update(body.id, { everySeconds: 30, kind: 'HEALTHCHECKS' });
    expect(changed.body).toMatchObject({ everySeconds: 30, kind: 'HEALTHCHECKS' });
    expect((await remove(body.id)).status).toBe(204);
    expect((await retrieve(body.id)).status).toBe(404);
  });

  it('of another organization is as unknown, and its address is for managers alone', async () => {
    const { body } = await create({ isActive: false });
    expect((await retrieve(body.id, neighbour)).status).toBe(404);
    const auth = await server.newKey(['ReadAlarmConfigurations']);
    const params = { heartbeatId: body.id };
    expect((await server.call(operations.retrieveHeartbeat, { params, auth })).status).toBe(403);
  });

  it('takes intervals of 30 to 3600 seconds, and addresses that can be called', async () => {
    for (const [everySeconds, status] of [
      [29, 400],
      [30, 201],
      [31, 201],
      [3_599, 201],
      [3_600, 201],
      [3_601, 400],
    ]) {
      expect((await create({ everySeconds, isActive: false })).status).toBe(status);
    }
    expect(pathsOf(await create({ url: 'ftp://example.com' }))).toEqual(['url']);
    expect(pathsOf(await create({ url: 'http://999.999.999.999' }))).toEqual(['url']);
    const { body } = await create({ isActive: false });
    expect(pathsOf(await update(body.id, { url: 'http://999.999.999.999' }))).toEqual(['url']);
  });

  it('is one of at most 20 of an organization', async () => {
    for (let count = 1; count <= 20; count += 1) {
      expect((await create({ isActive: false })).status, String(count)).toBe(201);
    }
    const refused = await create({ isActive: false });
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toContain('at most 20');
  });
});

describe('the call of a heartbeat', () => {
  it('comes from one of two nodes, and leaves nothing in any history', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => create()));
    for (const { body } of made) {
      await expect
        .poll(() => stateOf(body.id), soon)
        .toMatchObject({
          isHealthy: true,
          lastError: null,
          lastSentDateTime: expect.any(String),
        });
    }
    expect(service.received).toHaveLength(10);
    expect(service.received[0]).toMatchObject({ path: '/hook', text: '' });
    expect(await counted('journal')).toBeGreaterThan(0);
    for (const table of ['chunks', 'latest_values', 'unmatched_paths', 'device_ingest']) {
      expect(await counted(table), table).toBe(0);
    }
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('fieldwatch_readings_total{outcome="accepted"} 0');
  });

  it('says what the service answered, and is repeated when it is changed', async () => {
    service.answer(503);
    const { body } = await create();
    await expect
      .poll(() => stateOf(body.id), soon)
      .toMatchObject({ isHealthy: true, lastError: 'the call failed: the answer was 503' });
    expect((await stateOf(body.id)).lastSentDateTime).toBeNull();
    service.answer(200);
    await update(body.id, { name: 'Mended' });
    await expect.poll(() => stateOf(body.id), soon).toMatchObject({ lastError: null });
  });

  it('reports a failure, or is left out, while readings cannot be stored', async () => {
    await db.query('begin');
    await db.query('lock table journal in access exclusive mode');
    try {
      const failing = await create({ kind: 'HEALTHCHECKS' });
      const silent = await create({ kind: 'DEAD_MANS_SNITCH' });
      for (const { body } of [failing, silent]) {
        await expect
          .poll(() => stateOf(body.id), soon)
          .toMatchObject({
            isHealthy: false,
            lastSentDateTime: null,
            lastError: expect.stringContaining('a synthetic reading was not stored'),
          });
      }
      expect(service.received.map(({ path }) => path)).toEqual(['/hook/fail']);
    } finally {
      await db.query('rollback');
    }
  });
});

describe('a stop of the server', () => {
  it('leaves no trace of the synthetic readings', async () => {
    await neighbour.stop();
    await server.stop();
    for (const table of ['journal', 'journal_quarantine', 'chunks', 'latest_values']) {
      expect(await counted(table), table).toBe(0);
    }
  });
});
