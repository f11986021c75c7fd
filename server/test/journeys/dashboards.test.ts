import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type DashboardCalls,
  dashboardCalls,
  errorsOf,
  type Fields,
  showing,
  widget,
} from '../support/dashboards.ts';
import { joinServer, type TestOrganization } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const EMOJI = '😀';
const EMPTY = { version: 1, widgets: [] };

let server: TestOrganization;
let neighbour: TestOrganization;
let calls: DashboardCalls;

beforeAll(async () => {
  server = await joinServer();
  neighbour = await joinServer();
  calls = dashboardCalls(server);
});

describe('creating a Dashboard', () => {
  it('answers with the whole record, its place and the defaults', async () => {
    const { status, body, headers } = await calls.create({ name: 'Engine room' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      name: 'Engine room',
      isPublic: false,
      refreshIntervalSeconds: 30,
      updatedDateTime: body.updatedDateTime,
      configuration: EMPTY,
    });
    expect(headers.get('location')).toBe(
      `/primary/v1/${server.organizationId}/dashboards/${body.id}`,
    );
    const found = await calls.retrieve(body.id);
    expect(found.body).toEqual(body);
    expect(found.headers.get('etag')).toBe(headers.get('etag'));
  });

  it('is in the list without its configuration', async () => {
    const { configuration: _, ...listed } = await calls.made({
      name: 'Listed alone',
      isPublic: true,
    });
    const { body } = await server.call(operations.listDashboards, { query: 'search=listed' });
    expect(body).toEqual({ count: 1, items: [listed] });
  });

  it.each([
    [0, 400],
    [1, 201],
    [100, 201],
    [101, 400],
  ])(
    'takes a name of %i characters as it should, counted in code points',
    async (length, status) => {
      expect((await calls.create({ name: 'x'.repeat(length) })).status).toBe(status);
      const name = length === 0 ? '' : 'x'.repeat(length - 1) + EMOJI;
      expect((await calls.create({ name })).status).toBe(status);
    },
  );

  it.each([
    [0, 400],
    [1, 201],
    [2, 201],
    [3599, 201],
    [3600, 201],
    [3601, 400],
    [1.5, 400],
    ['30', 400],
    [null, 400],
  ])('takes the refresh interval %j as it should', async (refreshIntervalSeconds, status) => {
    expect((await calls.create({ refreshIntervalSeconds })).status).toBe(status);
  });

  it.each([
    [{ name: '  ' }, 'name must not be only white space'],
    [{ name: undefined }, 'name is required'],
    [{ name: null }, 'name must be a string'],
    [{ isPublic: null }, 'isPublic must be true or false'],
    [{ isPublic: 'true' }, 'isPublic must be true or false'],
    [{ id: UNKNOWN }, 'id is not a field of this request'],
    [{ configuration: null }, 'configuration must be an object'],
    [{ configuration: [] }, 'configuration must be an object'],
    [{ configuration: { widgets: [] } }, 'configuration.version is required'],
    [{ configuration: { version: 2, widgets: [] } }, 'configuration.version must be 1'],
    [{ configuration: { version: 1 } }, 'configuration.widgets is required'],
    [{ configuration: { version: 1, widgets: {} } }, 'configuration.widgets must be an array'],
  ])('refuses %j', async (body, message) => {
    const answer = await calls.create(body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  it('names every bad field at once', async () => {
    const answer = await calls.create({
      name: '',
      refreshIntervalSeconds: 0,
      ...showing(widget({ x: 12 }), widget({ h: 0, title: null })),
    });
    expect(errorsOf(answer).sort()).toEqual([
      'configuration.widgets[0].w must end within the 12 columns',
      'configuration.widgets[0].x must be at most 11',
      'configuration.widgets[1].h must be at least 1',
      'configuration.widgets[1].id is the id of widgets[0] too',
      'configuration.widgets[1].title must be a string',
      'name must have at least 1 character',
      'refreshIntervalSeconds must be at least 1',
    ]);
  });

  it('is done once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'board' };
    const body = { name: 'Only once' };
    const auth = server.administrator;
    const first = await server.call(operations.createDashboard, { auth, headers, body });
    const again = await server.call(operations.createDashboard, { auth, headers, body });
    expect([again.status, again.text]).toEqual([201, first.text]);
  });
});

describe('updating a Dashboard', () => {
  it('changes the given fields and keeps the others', async () => {
    const before = await calls.made({
      ...showing(widget()),
      isPublic: true,
      refreshIntervalSeconds: 5,
    });
    await sleep(5);
    const { status, body } = await calls.update(before.id, { name: 'Renamed' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, name: 'Renamed', updatedDateTime: body.updatedDateTime });
    expect(body.updatedDateTime > before.updatedDateTime).toBe(true);
    const rest = { isPublic: false, refreshIntervalSeconds: 3600, configuration: EMPTY };
    expect((await calls.update(before.id, rest)).body).toMatchObject({ name: 'Renamed', ...rest });
    expect((await calls.retrieve(before.id)).body).toMatchObject({ name: 'Renamed', ...rest });
  });

  it.each([
    [{ name: '' }, 'name must have at least 1 character'],
    [{ name: null }, 'name must be a string'],
    [{ isPublic: null }, 'isPublic must be true or false'],
    [{ refreshIntervalSeconds: 3601 }, 'refreshIntervalSeconds must be at most 3600'],
    [{ configuration: null }, 'configuration must be an object'],
    [{ configuration: {} }, 'configuration.version is required'],
    [showing(widget(), widget()), 'configuration.widgets[1].id is the id of widgets[0] too'],
    [{ updatedDateTime: 'x' }, 'updatedDateTime cannot be changed: it is fixed or unknown'],
  ])('refuses %j', async (body, message) => {
    const before = await calls.made();
    const answer = await calls.update(before.id, body);
    expect([answer.status, errorsOf(answer)[0]]).toEqual([400, message]);
    expect((await calls.retrieve(before.id)).body).toEqual(before);
  });

  it('lets one of twenty with the same tag through, and the last without one win', async () => {
    const { id } = await calls.made();
    const tag = (await calls.retrieve(id)).headers.get('etag') ?? '';
    const race = (headers: Record<string, string>) =>
      Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          calls.on(operations.updateDashboard, id, { headers, body: { name: `Racer ${index}` } }),
        ),
      );
    const guarded = (await race({ 'if-match': tag })).map(({ status }) => status).sort();
    expect(guarded).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
    expect(new Set((await race({})).map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('duplicating a Dashboard', () => {
  it('makes a draft that is neither public nor published', async () => {
    const original = await calls.made({
      name: 'Original',
      isPublic: true,
      refreshIntervalSeconds: 7,
      ...showing(widget()),
    });
    await calls.publish(original.id);
    await calls.update(original.id, showing(widget({ id: 'draft' })));
    const { status, body, headers } = await calls.on(operations.duplicateDashboard, original.id);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      name: 'Copy of Original',
      isPublic: false,
      refreshIntervalSeconds: 7,
      updatedDateTime: body.updatedDateTime,
      ...showing(widget({ id: 'draft' })),
    });
    expect(body.id).not.toBe(original.id);
    expect(headers.get('location')).toMatch(new RegExp(`/dashboards/${body.id}$`));
    expect((await calls.on(operations.listDashboardHistories, body.id)).body).toEqual({
      count: 0,
      items: [],
    });
  });

  it('takes a name, and cuts the one it makes to 100 characters', async () => {
    const { id } = await calls.made({ name: EMOJI.repeat(100) });
    const duplicate = (body?: Fields) => calls.on(operations.duplicateDashboard, id, { body });
    expect((await duplicate()).body.name).toBe(`Copy of ${EMOJI.repeat(92)}`);
    expect((await duplicate({})).body.name).toBe(`Copy of ${EMOJI.repeat(92)}`);
    const longest = 'x'.repeat(99) + EMOJI;
    expect((await duplicate({ name: longest })).body.name).toBe(longest);
    expect(errorsOf(await duplicate({ name: `${longest}x` }))).toEqual([
      'name must have at most 100 characters',
    ]);
    expect(errorsOf(await duplicate({ isPublic: true }))).toEqual([
      'isPublic is not a field of this request',
    ]);
  });
});

describe("a neighbour's Dashboard", () => {
  it('answers like an unknown one in every operation', async () => {
    const theirs = await dashboardCalls(neighbour).made({ isPublic: true });
    const published = await dashboardCalls(neighbour).publish(theirs.id);
    const own = await calls.made();
    const attempts: [keyof typeof operations, Fields?][] = [
      ['retrieveDashboard'],
      ['updateDashboard', { name: 'Stolen' }],
      ['duplicateDashboard'],
      ['archiveDashboard'],
      ['restoreDashboard'],
      ['publishDashboard', { comment: 'Stolen' }],
      ['listDashboardHistories'],
      ['retrieveDashboardHistory'],
      ['restoreDashboardHistory'],
    ];
    for (const [name, body] of attempts) {
      const attempt = async (dashboardId: string, historyId: string) => {
        const params = { historyId };
        const answer = await calls.on(operations[name], dashboardId, { params, body });
        return [name, answer.status, answer.body?.detail];
      };
      const refused = await attempt(UNKNOWN, UNKNOWN);
      expect(refused).toEqual([name, 404, 'There is no such Dashboard.']);
      expect(await attempt(theirs.id, published.body.id)).toEqual(refused);
      if (!operations[name].path.includes('historyId')) continue;
      const noVersion = await attempt(own.id, UNKNOWN);
      expect(noVersion).toEqual([name, 404, 'There is no such version.']);
      expect(await attempt(own.id, published.body.id)).toEqual(noVersion);
    }
    const seen = await neighbour.call(operations.retrieveDashboard, {
      params: { dashboardId: theirs.id },
    });
    expect(seen.body).toMatchObject({ name: 'Dashboard', isPublic: true });
  });
});
