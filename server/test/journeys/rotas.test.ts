import { operations, type RotaLayer } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listOnCall } from '../../src/paging/rotas/index.ts';
import { startNeighbour, startServer, type TestServer } from '../support/server.ts';
import { openTestStorage } from '../support/storage.ts';

let server: TestServer;
let neighbour: TestServer;
let admin: string;
let outsider: string;

const idOf = async (of: TestServer) => (await of.call(operations.listUsers)).body.items[0].id;

beforeAll(async () => {
  server = await startServer();
  neighbour = await startNeighbour(server);
  admin = await idOf(server);
  outsider = await idOf(neighbour);
});

afterAll(async () => {
  await neighbour.stop();
  await server.stop();
});

const layer = (fields: Partial<RotaLayer> = {}) => ({
  userIds: [admin],
  rotation: 'DAILY',
  every: 1,
  handoffTime: '08:00',
  startDate: '2020-01-01',
  ...fields,
});
const create = (fields: object = {}, by = server) =>
  by.call(operations.createRota, {
    body: { name: 'Night', timeZone: 'Europe/Vienna', layers: [layer()], ...fields },
  });
const errorsOf = async (fields: object) => {
  const { status, body } = await create(fields);
  expect(status).toBe(400);
  return body.errors;
};

describe('a rota', () => {
  it('is created, changed and deleted, and says who is on call', async () => {
    const { status, body: rota } = await create();
    expect(status).toBe(201);
    expect(rota).toMatchObject({
      layers: [{ userIds: [admin], handoffWeekday: null, hours: [] }],
      people: [{ userId: admin, email: server.adminEmail }],
      warnings: [],
    });
    const params = { rotaId: rota.id };
    const { body: onCall } = await server.call(operations.retrieveOnCall, { params });
    expect(onCall).toMatchObject({ userId: admin, untilDateTime: null, nextUserId: null });
    const listed = await server.call(operations.listOnCall, {});
    expect(listed.body.items).toMatchObject([{ rotaId: rota.id, rotaName: 'Night' }]);
    const changed = await server.call(operations.updateRota, { params, body: { name: 'Day' } });
    expect(changed.body).toMatchObject({ name: 'Day', layers: rota.layers });
    expect((await server.call(operations.deleteRota, { params })).status).toBe(204);
    expect((await server.call(operations.retrieveRota, { params })).status).toBe(404);
  });

  it('lists shifts of at most 92 days, with gaps named', async () => {
    const hours = [{ weekday: 'MONDAY', from: '08:00', to: '20:00' }];
    const { body: rota } = await create({ timeZone: 'UTC', layers: [layer({ hours } as never)] });
    const shifts = (from: string, to: string) =>
      server.call(operations.listShifts, {
        params: { rotaId: rota.id },
        query: `from=${from}&to=${to}`,
      });
    const { body } = await shifts('2026-11-16T00:00:00.000Z', '2026-11-17T00:00:00.000Z');
    expect(body.items).toEqual([
      expect.objectContaining({ userId: null, isGap: true }),
      {
        userId: admin,
        name: expect.any(String),
        isGap: false,
        fromDateTime: '2026-11-16T08:00:00.000Z',
        toDateTime: '2026-11-16T20:00:00.000Z',
      },
      expect.objectContaining({ userId: null, isGap: true }),
    ]);
    const from = Date.parse('2026-01-01T00:00:00Z');
    const after = (ms: number) =>
      shifts(new Date(from).toISOString(), new Date(from + ms).toISOString());
    const maxMs = 92 * 86_400_000;
    const statuses = [await after(maxMs - 1), await after(maxMs), await after(maxMs + 1)];
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect((await after(0)).body.errors).toEqual([{ path: 'to', message: 'must be after from' }]);
    expect(rota.warnings).toEqual([
      {
        kind: 'GAP',
        message: expect.stringMatching(
          /^Nobody is on call from .* \(UTC\), and \d+ more times: add a first layer without hours, or an override\.$/,
        ),
      },
    ]);
  });

  it('without a layer warns that nobody is on call', async () => {
    expect((await create({ layers: [] })).body.warnings).toMatchObject([{ kind: 'GAP' }]);
  });

  it('refuses users of another organization and unknown ones by field', async () => {
    const override = {
      userId: outsider,
      fromDateTime: '2026-11-16T08:00:00.000Z',
      toDateTime: '2026-11-17T08:00:00.000Z',
    };
    const layers = [layer({ userIds: [null, admin, outsider] })];
    expect(await errorsOf({ layers, overrides: [override] })).toEqual([
      {
        path: 'layers[0].userIds[2]',
        message: `names no member of this organization: ${outsider}`,
      },
      { path: 'overrides[0].userId', message: `names no member of this organization: ${outsider}` },
    ]);
  });

  it('names every field that is wrong', async () => {
    const from = '2026-11-16T08:00:00.000Z';
    const errors = await errorsOf({
      timeZone: '+02:00',
      layers: [
        layer({ rotation: 'WEEKLY' }),
        layer({ handoffWeekday: 'MONDAY', startDate: '2026-02-30' }),
        layer({ hours: [{ weekday: 'MONDAY', from: '08:00', to: '08:00' }] }),
      ],
      overrides: [{ userId: admin, fromDateTime: from, toDateTime: from }],
    });
    expect(errors.map(({ path }: { path: string }) => path)).toEqual([
      'timeZone',
      'layers[0].handoffWeekday',
      'layers[1].handoffWeekday',
      'layers[1].startDate',
      'layers[2].hours[0].to',
      'overrides[0].toDateTime',
    ]);
  });

  it('has at most 10 layers', async () => {
    const layers = Array.from({ length: 11 }, () => layer());
    expect((await create({ layers: layers.slice(1) })).status).toBe(201);
    expect(await errorsOf({ layers })).toMatchObject([{ path: 'layers' }]);
  });

  it('leaves out users who are no longer members, and warns about them', async () => {
    const body = { email: 'leaver@example.com', role: 'VIEWER', password: 'correct horse battery' };
    const { body: leaver } = await server.call(operations.createUser, { body });
    const { body: rota } = await create({
      layers: [layer(), layer({ userIds: [leaver.id] })],
    });
    const params = { rotaId: rota.id };
    const onCall = async () =>
      (await server.call(operations.retrieveOnCall, { params })).body.userId;
    expect(await onCall()).toBe(leaver.id);
    await server.call(operations.deleteUser, { params: { userId: leaver.id } });
    expect(await onCall()).toBe(admin);
    const { body: after } = await server.call(operations.retrieveRota, { params });
    expect(after.warnings).toMatchObject([{ kind: 'NOT_A_MEMBER' }]);
  });

  it('is looked up with others, where nobody is null and an unknown rota is left out', async () => {
    const storage = await openTestStorage({ databaseUrl: server.databaseUrl });
    const { organizationId } = server;
    const { body: covered } = await create();
    const { body: empty } = await create({ layers: [] });
    const wanted = [covered.id, empty.id, outsider].map((rotaId) => ({ organizationId, rotaId }));
    const theirs = { organizationId: neighbour.organizationId, rotaId: covered.id };
    const found = await listOnCall(storage, [...wanted, theirs], server.clock.now());
    expect(Object.fromEntries(found)).toEqual({ [covered.id]: admin, [empty.id]: null });
  });

  it('of another organization answers as an unknown one', async () => {
    const { body: theirs } = await create({ layers: [] }, neighbour);
    const params = { rotaId: theirs.id };
    const query = 'from=2026-11-16T00:00:00.000Z&to=2026-11-17T00:00:00.000Z';
    for (const answer of [
      await server.call(operations.retrieveRota, { params }),
      await server.call(operations.updateRota, { params, body: {} }),
      await server.call(operations.deleteRota, { params }),
      await server.call(operations.retrieveOnCall, { params }),
      await server.call(operations.listShifts, { params, query }),
    ]) {
      expect(answer.status).toBe(404);
    }
  });
});
