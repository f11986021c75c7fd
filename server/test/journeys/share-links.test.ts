import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventBench, type Point } from '../support/alarm-events.ts';
import { bearer, send } from '../support/call.ts';
import {
  type DashboardCalls,
  dashboardCalls,
  errorsOf,
  type Fields,
  showing,
  widget,
} from '../support/dashboards.ts';
import { startNeighbour, startServer, type TestServer } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const MAX_SHARE_LINKS = 100;

let server: TestServer;
let neighbour: TestServer;
let calls: DashboardCalls;
const bench = eventBench(() => server);
const foreign = eventBench(() => neighbour);
/** On the board, not on the board, and of another organization. */
let shown: Point;
let hidden: Point;
let foreigner: Point;

beforeAll(async () => {
  server = await startServer();
  neighbour = await startNeighbour(server);
  calls = dashboardCalls(server);
  shown = await bench.newPoint();
  hidden = await bench.newPoint();
  foreigner = await foreign.newPoint();
});

afterAll(async () => {
  await neighbour.stop();
  await server.stop();
});

const value = (point: Point, id = 'a') =>
  widget({ id, type: 'VALUE', variableId: point.deviceVariableId });

async function published(configuration: Fields = showing(value(shown))): Promise<string> {
  const { id } = await calls.made(configuration);
  await calls.publish(id);
  return id;
}

const create = (id: string, body: Fields = {}) =>
  calls.on(operations.createShareLink, id, { body: { name: 'Wall', ...body } });

async function linkTo(id: string, body: Fields = {}) {
  const { status, body: link } = await create(id, body);
  expect(status).toBe(201);
  return { ...link, auth: bearer(link.secret) };
}

const board = (auth: string) => server.call(operations.retrieveSharedDashboard, { auth });
const state = (auth: string) => server.call(operations.retrieveSharedState, { auth });
const history = (auth: string, ...points: Point[]) =>
  server.call(operations.listSharedReadings, {
    auth,
    query: points.map(({ deviceVariableId }) => `ids[]=${deviceVariableId}`).join('&'),
  });
const READS = [board, state, (auth: string) => history(auth, shown)];
const idsIn = (items: { id: string }[]) => items.map(({ id }) => id);

describe('a share link', () => {
  it('shows its secret once, is listed without it and stored as a digest', async () => {
    const id = await published();
    const { auth: _, secret, ...link } = await linkTo(id, { name: 'Control room' });
    expect(link).toMatchObject({ name: 'Control room', expiresDateTime: null, assetId: null });
    expect(secret).toMatch(/^fwshare_[\w-]{43}$/);
    const { body } = await calls.on(operations.listShareLinks, id);
    expect(body).toEqual({ count: 1, items: [link] });
    const log = await server.call(operations.listAuditLog, { query: `resourceId=${link.id}` });
    expect(log.body.items).toMatchObject([{ operation: 'createShareLink', resource: 'ShareLink' }]);
    expect(JSON.stringify(log.body)).not.toContain(secret);
  });

  it('shows the published version with its Variables, values, history and alarms', async () => {
    const { point, alarm } = await bench.newWatched();
    const at = server.clock.now() - 1_000;
    await bench.report(point, 60, at);
    const { auth } = await linkTo(await published(showing(value(point))));
    const { body } = await board(auth);
    expect(idsIn(body.variables)).toEqual([point.deviceVariableId]);
    expect(body.thresholds).toMatchObject([{ variableId: point.deviceVariableId, value: 50 }]);
    const now = (await state(auth)).body;
    expect(now.revision).toBe(body.revision);
    expect(now.values).toEqual([{ variableId: point.deviceVariableId, timestamp: at, value: 60 }]);
    expect(now.alarms).toMatchObject([{ alarmName: alarm.name, raisedValue: 60 }]);
    expect((await history(auth, point)).body.items).toMatchObject([
      { variableId: point.deviceVariableId, items: [{ timestamp: at, value: 60 }] },
    ]);
  });

  it('shows neither other Variables nor those of other organizations', async () => {
    await bench.report(hidden, 1);
    await foreign.report(foreigner, 2);
    const id = await published(showing(value(shown), value(foreigner, 'b')));
    const { auth } = await linkTo(id);
    const whole = await board(auth);
    expect(idsIn(whole.body.variables)).toEqual([shown.deviceVariableId]);
    expect((await history(auth, hidden, foreigner)).body).toEqual({ items: [] });
    expect(JSON.stringify((await state(auth)).body)).not.toMatch(
      new RegExp(`${hidden.deviceVariableId}|${foreigner.deviceVariableId}`),
    );
  });

  it('shows no more on a list of all alarms than the rest of the board names', async () => {
    const { point } = await bench.newWatched();
    await bench.report(point, 60);
    const all = widget({ id: 'b', type: 'ALARM_LIST' });
    const { auth } = await linkTo(await published(showing(value(shown), all)));
    expect((await state(auth)).body.alarms).toEqual([]);
  });

  it('names neither the person who acknowledged an alarm nor its notes', async () => {
    const { point, alarm } = await bench.newWatched({ isAcknowledgeable: true });
    await bench.report(point, 60);
    const [event] = await bench.eventsOf(alarm.id);
    await server.call(operations.acknowledgeAlarmEvent, {
      auth: server.administrator,
      params: { eventId: event?.id ?? '' },
      body: { note: 'Private remark' },
    });
    const { auth } = await linkTo(await published(showing(value(point))));
    const { body, text } = await state(auth);
    expect(body.alarms).toMatchObject([{ isAcknowledged: true }]);
    expect(text).not.toMatch(/Private remark|@/);
  });

  it('shows a draft only once it is published', async () => {
    const id = await published();
    const { auth } = await linkTo(id);
    const before = (await board(auth)).body;
    await calls.update(id, showing(value(hidden)));
    expect((await board(auth)).body).toEqual(before);
    await calls.publish(id);
    expect(idsIn((await board(auth)).body.variables)).toEqual([hidden.deviceVariableId]);
    expect((await history(auth, shown)).body).toEqual({ items: [] });
  });

  it('of an archived Dashboard shows nothing until that is restored', async () => {
    const id = await published();
    const { auth } = await linkTo(id);
    await calls.on(operations.archiveDashboard, id);
    expect((await create(id)).status).toBe(409);
    for (const read of READS) expect((await read(auth)).status).toBe(404);
    await calls.on(operations.restoreDashboard, id);
    expect((await board(auth)).status).toBe(200);
  });

  it('ends at once when it is revoked, and leaves the others alone', async () => {
    const id = await published();
    const [link, other] = [await linkTo(id), await linkTo(id)];
    const params = { shareLinkId: link.id };
    expect((await calls.on(operations.revokeShareLink, id, { params })).status).toBe(204);
    expect((await calls.on(operations.revokeShareLink, id, { params })).status).toBe(404);
    for (const read of READS) expect((await read(link.auth)).status).toBe(401);
    expect((await state(other.auth)).status).toBe(200);
    const log = await server.call(operations.listAuditLog, { query: `resourceId=${link.id}` });
    expect(log.body.items.map((entry: Fields) => entry.operation)).toContain('revokeShareLink');
  });

  it('is found where its creation says, and is not revoked with a stale entity tag', async () => {
    const id = await published();
    const { headers, body } = await create(id);
    const params = { shareLinkId: body.id };
    const found = await calls.on(operations.retrieveShareLink, id, { params });
    expect({ ...found.body, secret: body.secret }).toEqual(body);
    expect(found.headers.get('etag')).toBe(headers.get('etag'));
    expect(headers.get('location')).toMatch(
      new RegExp(`/dashboards/${id}/share-links/${body.id}$`),
    );
    const revoke = (etag: string) =>
      calls.on(operations.revokeShareLink, id, { params, headers: { 'if-match': etag } });
    expect((await revoke('"2-stale"')).status).toBe(412);
    expect((await revoke(headers.get('etag') ?? '')).status).toBe(204);
    expect((await calls.on(operations.retrieveShareLink, id, { params })).status).toBe(404);
  });

  it('ends when it expires', async () => {
    const expiresDateTime = new Date(server.clock.now() + 60_000).toISOString();
    const { auth } = await linkTo(await published(), { expiresDateTime });
    expect((await board(auth)).body.expiresDateTime).toBe(expiresDateTime);
    server.clock.advance(30_000);
    expect((await state(auth)).status).toBe(200);
    server.clock.advance(30_000);
    expect((await state(auth)).status).toBe(401);
  });

  it.each([
    ['of an unpublished Dashboard', async () => (await calls.made()).id, {}, 409],
    ['that has expired', published, { expiresDateTime: '2020-01-01T00:00:00Z' }, 400],
    ['without a name', published, { name: '' }, 400],
    ['with a name of 101 characters', published, { name: 'x'.repeat(101) }, 400],
    ['for a site of a board that is no template', published, { locationId: UNKNOWN }, 400],
    ['of an unknown Dashboard', async () => UNKNOWN, {}, 404],
  ])('%s is refused', async (_, board, body, status) => {
    expect((await create(await board(), body)).status).toBe(status);
  });

  it("is not made, listed or revoked for a neighbour's Dashboard", async () => {
    const id = await published();
    const { id: shareLinkId } = await linkTo(id);
    const theirs = dashboardCalls(neighbour);
    const body = { name: 'Ours' };
    expect((await theirs.on(operations.createShareLink, id, { body })).status).toBe(404);
    expect((await theirs.on(operations.listShareLinks, id)).status).toBe(404);
    const params = { shareLinkId };
    expect((await theirs.on(operations.retrieveShareLink, id, { params })).status).toBe(404);
    expect((await theirs.on(operations.revokeShareLink, id, { params })).status).toBe(404);
  });

  it(`is one of at most ${MAX_SHARE_LINKS} of its Dashboard`, async () => {
    const id = await published();
    for (let made = 0; made < MAX_SHARE_LINKS; made += 1) await linkTo(id);
    expect((await create(id)).status).toBe(409);
    const { body } = await calls.on(operations.listShareLinks, id, { query: 'take=1' });
    expect(body.count).toBe(MAX_SHARE_LINKS);
  });
});

describe('the link of a template', () => {
  const template = { kind: 'LOCATION' };
  const configuration = {
    configuration: {
      version: 1,
      template,
      widgets: [
        widget({ type: 'VALUE', classificationType: 'ELECTRICAL_GENERATOR_KW' }),
        widget({ id: 'b', type: 'GENERATOR' }),
      ],
    },
  };

  async function site(): Promise<{ locationId: string; point: Point; assetId: string }> {
    const point = await bench.newPoint();
    await server.call(operations.updateVariable, {
      params: { deviceId: point.deviceId, variableId: point.deviceVariableId },
      body: { classificationType: 'ELECTRICAL_GENERATOR_KW' },
    });
    const location = await server.call(operations.createLocation, { body: { name: 'Site' } });
    const locationId: string = location.body.id;
    const { body } = await server.call(operations.createAsset, {
      body: { name: 'Generator', classificationType: 'ELECTRICAL_GENERATOR', locationId },
    });
    await server.call(operations.bindVariables, {
      params: { assetId: body.id },
      body: { action: 'CONNECT', variableIds: [point.deviceVariableId] },
    });
    return { locationId, point, assetId: body.id };
  }

  it('shows the equipment of its own site and of no other', async () => {
    const [first, second] = [await site(), await site()];
    const id = await published(configuration);
    expect(errorsOf(await create(id))).toEqual([
      'locationId is required for the link of a template',
    ]);
    const { auth } = await linkTo(id, { locationId: first.locationId });
    const { body } = await board(auth);
    expect(body.configuration.widgets).toMatchObject([
      { variableId: first.point.deviceVariableId },
      { assetId: first.assetId },
    ]);
    expect(idsIn(body.assets)).toEqual([first.assetId]);
    expect((await history(auth, second.point)).body).toEqual({ items: [] });
  });
});

describe('a secret that is none', () => {
  it.each([
    ['', 'Bearer '],
    ['with a wrong form', 'Bearer fwshare_abc'],
    ['with odd characters', `Bearer fwshare_${'%00'.repeat(20)}`],
    ['that is unknown', `Bearer fwshare_${'A'.repeat(43)}`],
    ['that is very long', `Bearer fwshare_${'A'.repeat(5_000)}`],
    [
      'as Basic credentials',
      `Basic ${Buffer.from(`a:fwshare_${'A'.repeat(43)}`).toString('base64')}`,
    ],
  ])('%s is refused', async (_, auth) => {
    const answers = [await board(auth), await state(auth), await history(auth, shown)];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  it('is not accepted in the URL', async () => {
    const { secret } = await linkTo(await published());
    for (const query of [`token=${secret}`, `secret=${secret}`, `apiKeySecret=${secret}`]) {
      const { status } = await send(server.url, 'GET', '/primary/v1/shared/state', { query });
      expect(status).toBe(401);
    }
  });
});
