import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../support/call.ts';
import {
  type DashboardCalls,
  dashboardCalls,
  errorsOf,
  type Fields,
  showing,
  widget,
} from '../support/dashboards.ts';
import { joinServer, type TestOrganization } from '../support/server.ts';

const EMOJI = '😀';
const FIRST = showing(widget({ id: 'first' }));
const SECOND = showing(widget({ id: 'second' }));

let server: TestOrganization;
let calls: DashboardCalls;

beforeAll(async () => {
  server = await joinServer();
  calls = dashboardCalls(server);
});

const histories = async (id: string, given: Call = {}) =>
  (await calls.on(operations.listDashboardHistories, id, given)).body;

const history = (id: string, historyId: string, given: Call = {}) =>
  calls.on(operations.retrieveDashboardHistory, id, { ...given, params: { historyId } });

const byKey = (id: string) => calls.on(operations.retrieveDashboard, id, { auth: server.key });

describe('publishing a Dashboard', () => {
  it('makes an entry of the history, with the draft as it is then', async () => {
    const { id } = await calls.made(FIRST);
    await sleep(5);
    const { status, body, headers } = await calls.publish(id, 'The first');
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      version: 1,
      comment: 'The first',
      publishedBy: server.adminEmail,
      publishedDateTime: body.publishedDateTime,
    });
    expect(headers.get('location')).toBe(
      `/primary/v1/${server.organizationId}/dashboards/${id}/histories/${body.id}`,
    );
    expect(await histories(id)).toEqual({ count: 1, items: [body] });
    const found = await history(id, body.id);
    expect(found.body).toEqual({ ...body, ...FIRST });
    const known = { headers: { 'if-none-match': found.headers.get('etag') ?? '' } };
    expect((await history(id, body.id, known)).status).toBe(304);
    await calls.update(id, SECOND);
    expect((await history(id, body.id)).body).toEqual({ ...body, ...FIRST });
    expect((await calls.retrieve(id)).body).toMatchObject(SECOND);
  });

  it('counts as an update, but takes nobody the tag of the draft', async () => {
    const before = await calls.made();
    const tag = (await calls.retrieve(before.id)).headers.get('etag') ?? '';
    await sleep(5);
    const { body } = await calls.publish(before.id);
    const { updatedDateTime } = (await calls.retrieve(before.id)).body;
    expect(updatedDateTime).toBe(body.publishedDateTime);
    expect(updatedDateTime > before.updatedDateTime).toBe(true);
    const change = { headers: { 'if-match': tag }, body: { name: 'Renamed' } };
    expect((await calls.on(operations.updateDashboard, before.id, change)).status).toBe(200);
  });

  it.each([
    [{ comment: '' }, 'comment must have at least 1 character'],
    [{}, 'comment is required'],
    [{ comment: null }, 'comment must be a string'],
    [{ comment: 'x'.repeat(500) + EMOJI }, 'comment must have at most 500 characters'],
    [{ comment: 'x', version: 7 }, 'version is not a field of this request'],
  ])('refuses %j', async (body, message) => {
    const { id } = await calls.made();
    const answer = await calls.on(operations.publishDashboard, id, { body });
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
    expect((await histories(id)).count).toBe(0);
  });

  it.each([1, 499, 500])('takes a comment of %i characters', async (length) => {
    const { id } = await calls.made();
    const comment = 'x'.repeat(length - 1) + EMOJI;
    expect((await calls.publish(id, comment)).body.comment).toBe(comment);
  });

  it('counts versions without a gap, also twenty at once', async () => {
    const { id } = await calls.made();
    const other = await calls.made();
    const published = await Promise.all(
      Array.from({ length: 20 }, (_, index) => calls.publish(id, `Number ${index}`)),
    );
    const versions = published.map(({ body }) => body.version as number);
    const wanted = Array.from({ length: 20 }, (_, index) => index + 1);
    expect(versions.toSorted((a, b) => a - b)).toEqual(wanted);
    const { count, items } = await histories(id);
    expect([count, items.map(({ version }: Fields) => version)]).toEqual([20, wanted.toReversed()]);
    expect((await calls.publish(other.id)).body.version).toBe(1);
  });

  it('lists versions a page at a time, and counts them also past the end', async () => {
    const { id } = await calls.made();
    for (let version = 1; version <= 5; version += 1) await calls.publish(id);
    const page = async (query: string) => {
      const { count, items } = await histories(id, { query });
      return [count, items.map(({ version }: Fields) => version)];
    };
    expect(await page('')).toEqual([5, [5, 4, 3, 2, 1]]);
    expect(await page('skip=1&take=2')).toEqual([5, [4, 3]]);
    expect(await page('skip=5')).toEqual([5, []]);
    const refused = await calls.on(operations.listDashboardHistories, id, { query: 'take=0' });
    expect(errorsOf(refused)).toEqual(['take must be at least 1']);
  });

  it('is done once for one Idempotency-Key', async () => {
    const { id } = await calls.made();
    const given = { headers: { 'idempotency-key': 'publish' }, body: { comment: 'Once' } };
    const first = await calls.on(operations.publishDashboard, id, given);
    const again = await calls.on(operations.publishDashboard, id, given);
    expect([again.text, (await histories(id)).count]).toEqual([first.text, 1]);
  });

  it('is in the audit log, with who and what', async () => {
    const { id } = await calls.made();
    const { body } = await calls.publish(id, 'Announced');
    const log = await server.call(operations.listAuditLog, { query: `resourceId=${body.id}` });
    expect(log.body.items[0]).toMatchObject({
      operation: 'publishDashboard',
      resource: 'DashboardVersion',
      actor: { kind: 'USER', name: server.adminEmail },
    });
  });
});

describe('restoring a version', () => {
  it('makes it the draft again and leaves what is published', async () => {
    const { id } = await calls.made({ ...FIRST, name: 'Kept', isPublic: true });
    const first = (await calls.publish(id)).body;
    await calls.update(id, { ...SECOND, refreshIntervalSeconds: 9 });
    await calls.publish(id);
    const restore = () =>
      calls.on(operations.restoreDashboardHistory, id, { params: { historyId: first.id } });
    const { status, body } = await restore();
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'Kept', isPublic: true, refreshIntervalSeconds: 9 });
    expect(body).toMatchObject(FIRST);
    expect((await calls.retrieve(id)).body).toEqual(body);
    expect((await byKey(id)).body).toMatchObject(SECOND);
    expect((await histories(id)).count).toBe(2);
    await calls.on(operations.archiveDashboard, id);
    expect((await restore()).status).toBe(409);
  });

  it("finds no other Dashboard's versions", async () => {
    const { id } = await calls.made();
    const other = await calls.made();
    const { body } = await calls.publish(other.id);
    const params = { historyId: body.id };
    const restored = await calls.on(operations.restoreDashboardHistory, id, { params });
    const found = await history(id, body.id);
    for (const answer of [restored, found]) {
      expect([answer.status, answer.body.detail]).toEqual([404, 'There is no such version.']);
    }
  });
});

describe('with an API key', () => {
  it('only public Dashboards are there', async () => {
    const open = await calls.made({ name: 'Seen by keys: open', isPublic: true });
    const hidden = await calls.made({ name: 'Seen by keys: hidden' });
    const { body: version } = await calls.publish(hidden.id);
    const listed = async (auth: string) => {
      const given = { auth, query: 'search=seen%20by%20keys' };
      const { body } = await server.call(operations.listDashboards, given);
      return [body.count, body.items.map(({ id }: Fields) => id)];
    };
    expect(await listed(server.key)).toEqual([1, [open.id]]);
    expect(await listed(server.administrator)).toEqual([2, [hidden.id, open.id]]);
    const given = { auth: server.key, params: { historyId: version.id } };
    for (const operation of [
      operations.retrieveDashboard,
      operations.listDashboardHistories,
      operations.retrieveDashboardHistory,
    ]) {
      const answer = await calls.on(operation, hidden.id, given);
      expect([answer.status, answer.body.detail]).toEqual([404, 'There is no such Dashboard.']);
    }
    await calls.update(hidden.id, { isPublic: true });
    expect((await byKey(hidden.id)).status).toBe(200);
    expect((await histories(hidden.id, given)).count).toBe(1);
    expect((await history(hidden.id, version.id, { auth: server.key })).status).toBe(200);
  });

  it('the configuration is the last published one, or the only one there is', async () => {
    const { id } = await calls.made({ ...FIRST, isPublic: true });
    expect((await byKey(id)).body).toMatchObject(FIRST);
    await calls.update(id, SECOND);
    expect((await byKey(id)).body).toMatchObject(SECOND);
    await calls.publish(id);
    await calls.update(id, { ...FIRST, name: 'New name' });
    const seen = await byKey(id);
    expect(seen.body).toMatchObject({ ...SECOND, name: 'New name' });
    expect((await calls.retrieve(id)).body).toMatchObject(FIRST);
    await calls.publish(id);
    expect((await byKey(id)).body).toMatchObject(FIRST);
    const given = {
      auth: server.key,
      headers: { 'if-none-match': seen.headers.get('etag') ?? '' },
    };
    expect((await calls.on(operations.retrieveDashboard, id, given)).status).toBe(200);
  });

  it.each([
    'createDashboard',
    'updateDashboard',
    'duplicateDashboard',
    'archiveDashboard',
    'restoreDashboard',
    'publishDashboard',
    'restoreDashboardHistory',
  ] as const)('%s is refused', async (name) => {
    const before = await calls.made({ isPublic: true });
    const { body: version } = await calls.publish(before.id);
    const answer = await calls.on(operations[name], before.id, {
      auth: server.key,
      params: { historyId: version.id },
      body: name === 'publishDashboard' ? { comment: 'No' } : { name: 'No' },
    });
    expect([answer.status, answer.body.code]).toEqual([403, 'USER_REQUIRED']);
    expect((await calls.retrieve(before.id)).body.name).toBe(before.name);
    expect((await histories(before.id)).count).toBe(1);
  });
});
