import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { fold } from '../../src/runtime/index.ts';
import { type JoinedNeighbours, joinNeighbours } from '../support/neighbours.ts';
import type { TestOrganization } from '../support/server.ts';
import { cases } from '../support/soak.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const EMOJI = '😀';

let neighbours: JoinedNeighbours;
let server: TestOrganization;
let neighbour: TestOrganization;

beforeAll(async () => {
  neighbours = await joinNeighbours();
  ({ server, neighbour } = neighbours);
});

type Fields = Record<string, unknown>;

const create = (body: Fields = {}, at = server) =>
  at.call(operations.createAlarmGroup, { body: { name: 'Group', ...body } });
const made = async (body: Fields = {}, at = server) => (await create(body, at)).body;
const update = (alarmGroupId: string, body: Fields, headers: Record<string, string> = {}) =>
  server.call(operations.updateAlarmGroup, { params: { alarmGroupId }, body, headers });
const retrieve = (alarmGroupId: string) =>
  server.call(operations.retrieveAlarmGroup, { params: { alarmGroupId } });
const remove = (alarmGroupId: string, headers: Record<string, string> = {}) =>
  server.call(operations.deleteAlarmGroup, { params: { alarmGroupId }, headers });

const newWebhook = async (at = server): Promise<string> => {
  const body = { name: 'Webhook', url: 'https://example.com/' };
  return (await at.call(operations.createWebhook, { body })).body.id;
};

const toEmail = (email: string, severities?: unknown) => ({
  kind: 'EMAIL',
  email,
  ...(severities === undefined ? {} : { severities }),
});
const toWebhook = (webhookId: string, severities?: unknown) => ({
  kind: 'WEBHOOK',
  webhookId,
  ...(severities === undefined ? {} : { severities }),
});
const emails = (count: number) =>
  Array.from({ length: count }, (_, index) => toEmail(`person-${index}@example.com`));

const errorsOf = ({ body }: { body: { errors?: { path: string; message: string }[] } }) =>
  (body.errors ?? []).map(({ path, message }) => `${path} ${message}`);

describe('creating an alarm group', () => {
  it('returns the whole record and its Location header', async () => {
    const { status, body, headers } = await create({ name: 'Night shift' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      name: 'Night shift',
      description: null,
      subscriptions: [],
      createdDateTime: body.createdDateTime,
      updatedDateTime: body.createdDateTime,
    });
    expect(headers.get('location')).toBe(
      `/primary/v1/${server.organizationId}/alarm-groups/${body.id}`,
    );
    expect((await retrieve(body.id)).body).toEqual(body);
  });

  it.each([
    [0, 400],
    [1, 201],
    [100, 201],
    [101, 400],
  ])('takes a name of %i characters as it should', async (length, status) => {
    expect((await create({ name: 'x'.repeat(length) })).status).toBe(status);
    if (length === 0) return;
    expect((await create({ name: 'x'.repeat(length - 1) + EMOJI })).status).toBe(status);
  });

  it.each([
    [499, 201],
    [500, 201],
    [501, 400],
  ])('takes a description of %i characters as it should', async (length, status) => {
    expect((await create({ description: 'x'.repeat(length - 1) + EMOJI })).status).toBe(status);
  });

  it.each([
    [{ name: ' ' }, 'name must not be only white space'],
    [{ name: undefined }, 'name is required'],
    [{ name: null }, 'name must be a string'],
    [{ description: 5 }, 'description must be a string or null'],
    [{ subscriptions: null }, 'subscriptions must be an array'],
    [{ colour: 'red' }, 'colour is not a field of this request'],
  ])('refuses %j', async (body, message) => {
    const answer = await create(body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });
});

describe('updating an alarm group', () => {
  it('changes the given fields and keeps the others', async () => {
    const webhook = await newWebhook();
    const before = await made({
      description: 'Before',
      subscriptions: [toEmail('a@example.com'), toWebhook(webhook)],
    });
    await sleep(5);
    const changes: Fields[] = [
      { name: 'Renamed' },
      { description: null },
      { subscriptions: [{ ...toWebhook(webhook), severities: ['HIGH'] }] },
      { subscriptions: [] },
      { description: '' },
      {},
    ];
    let expected = before;
    for (const change of changes) {
      const { status, body } = await update(before.id, change);
      expected = { ...expected, ...change, updatedDateTime: body.updatedDateTime };
      expect([status, body]).toEqual([200, expected]);
    }
    expect(expected.updatedDateTime > before.updatedDateTime).toBe(true);
    expect((await retrieve(before.id)).body).toEqual(expected);
  });

  it.each([
    [{ name: null }, 'name must be a string'],
    [{ name: '' }, 'name must have at least 1 character'],
    [{ subscriptions: null }, 'subscriptions must be an array'],
    [{ id: UNKNOWN }, 'id cannot be changed: it is fixed or unknown'],
  ])('refuses %j and changes nothing', async (body, message) => {
    const before = await made({ subscriptions: [toEmail('a@example.com')] });
    const answer = await update(before.id, body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
    expect((await retrieve(before.id)).body).toEqual(before);
  });

  it('lets one of twenty changes with the same tag through, and honours it on deletion', async () => {
    const { headers, body } = await create();
    const ifMatch = { 'if-match': headers.get('etag') ?? '' };
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        return (await update(body.id, { subscriptions: emails(index) }, ifMatch)).status;
      }),
    );
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
    expect((await remove(body.id, ifMatch)).status).toBe(412);
    const fresh = (await retrieve(body.id)).headers.get('etag') ?? '';
    expect((await remove(body.id, { 'if-match': fresh })).status).toBe(204);
    expect((await remove(body.id)).status).toBe(404);
  });

  it('is recorded in the audit log', async () => {
    const { id } = await made();
    await update(id, { subscriptions: [toEmail('a@example.com')] });
    const { body } = await server.call(operations.listAuditLog, { query: `resourceId=${id}` });
    expect(body.items[0]).toMatchObject({
      operation: 'updateAlarmGroup',
      resource: 'AlarmGroup',
      changes: [
        {
          field: 'subscriptions',
          from: [],
          to: [{ kind: 'EMAIL', email: 'a@example.com', severities: [] }],
        },
      ],
    });
  });
});

describe("a neighbour's alarm group", () => {
  it('answers like an unknown one in every operation', async () => {
    const theirs = await made({}, neighbour);
    for (const id of [theirs.id, UNKNOWN, 'not-a-uuid']) {
      const answers = [await retrieve(id), await update(id, { name: 'Stolen' }), await remove(id)];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    }
    const params = { alarmGroupId: theirs.id };
    expect((await neighbour.call(operations.retrieveAlarmGroup, { params })).body).toEqual(theirs);
    const listed = await server.call(operations.listAlarmGroups, { query: 'take=1000' });
    expect(listed.text).not.toContain(theirs.id);
  });
});

describe('listing alarm groups', () => {
  it('finds by name, literally, and carries the whole records, newest first', async () => {
    const alphabet = ['a', 'B', 'ß', '%', '_', '\\', "'", '"', ' ', EMOJI, 'É'];
    const { body: all } = await server.call(operations.listAlarmGroups, { query: 'take=1000' });
    for (const { id } of all.items) await remove(id);
    const names = fc.sample(
      fc.array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 6 }),
      { numRuns: cases(500), seed: 5 },
    );
    const groups: Fields[] = [];
    for (const [index, letters] of names.entries()) {
      const body = { name: `n${letters.join('')}`, subscriptions: emails(index % 4) };
      groups.unshift(await made(body));
    }
    const searches = fc.array(fc.constantFrom(...alphabet), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          searches.map((letters) => letters.join('')),
          fc.constantFrom('x'.repeat(500), '_'.repeat(500)),
        ),
        fc.nat(160),
        fc.integer({ min: 1, max: 160 }),
        async (search, skip, take) => {
          const expected = groups.filter(({ name }) => fold(String(name)).includes(fold(search)));
          const query = `search=${encodeURIComponent(search)}&skip=${skip}&take=${take}`;
          const { body } = await server.call(operations.listAlarmGroups, { query });
          expect(body).toEqual({
            count: expected.length,
            items: expected.slice(skip, skip + take),
          });
        },
      ),
      { numRuns: cases(500) },
    );
  });
});
