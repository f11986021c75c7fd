import { operations, WEBHOOK_URL_RULE } from '@fieldwatch/contract';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyring, fold } from '../../src/runtime/index.ts';
import { type Neighbours, startNeighbours } from '../support/neighbours.ts';
import { SECRET_KEY, type TestServer } from '../support/server.ts';
import { cases } from '../support/soak.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const EMOJI = '😀';

let neighbours: Neighbours;
let server: TestServer;
let neighbour: TestServer;

beforeAll(async () => {
  neighbours = await startNeighbours();
  ({ server, neighbour } = neighbours);
});

afterAll(() => neighbours.stop());

type Fields = Record<string, unknown>;

const create = (body: Fields = {}, at = server) =>
  at.call(operations.createWebhook, {
    body: { name: 'Webhook', url: 'https://example.com/hook', ...body },
  });
const made = async (body: Fields = {}, at = server) => (await create(body, at)).body;
const update = (webhookId: string, body: Fields, headers: Record<string, string> = {}) =>
  server.call(operations.updateWebhook, { params: { webhookId }, body, headers });
const retrieve = (webhookId: string) =>
  server.call(operations.retrieveWebhook, { params: { webhookId } });
const rotate = (webhookId: string) =>
  server.call(operations.rotateWebhookSecret, { params: { webhookId } });
const remove = (webhookId: string, headers: Record<string, string> = {}) =>
  server.call(operations.deleteWebhook, { params: { webhookId }, headers });

const errorsOf = ({ body }: { body: { errors?: { path: string; message: string }[] } }) =>
  (body.errors ?? []).map(({ path, message }) => `${path} ${message}`);

describe('creating a webhook', () => {
  it('returns the whole record, its Location header and its secret', async () => {
    const { status, body, headers } = await create({ name: 'Pager' });
    expect(status).toBe(201);
    const { secret, ...record } = body;
    expect(record).toEqual({
      id: body.id,
      name: 'Pager',
      url: 'https://example.com/hook',
      isActive: true,
      createdDateTime: body.createdDateTime,
      updatedDateTime: body.createdDateTime,
    });
    expect(headers.get('location')).toBe(
      `/primary/v1/${server.organizationId}/webhooks/${body.id}`,
    );
    expect((await retrieve(body.id)).body).toEqual(record);
    expect((await made({ isActive: false })).isActive).toBe(false);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    expect(Buffer.from(secret.slice(6), 'base64').length).toBeGreaterThanOrEqual(24);
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
    [1999, 201],
    [2000, 201],
    [2001, 400],
  ])('takes a URL of %i characters as it should', async (length, status) => {
    const start = 'https://example.com/';
    for (const end of ['x', EMOJI]) {
      const url = start + 'x'.repeat(length - start.length - 1) + end;
      const answer = await create({ url });
      expect([answer.status, status === 201 ? answer.body.url : undefined]).toEqual([
        status,
        status === 201 ? url : undefined,
      ]);
    }
  });

  it.each([
    'ftp://example.com',
    'example.com',
    '',
    'https://',
    'http:example.com',
    'http:///example.com',
    'https://user@example.com/',
    'https://user:password@example.com/',
    'https://example.com:99999/',
    'https://example.com/a b',
    ' https://example.com/',
    'https://example.com/\n',
    'javascript:alert(1)',
  ])('refuses the URL %j', async (url) => {
    const answer = await create({ url });
    expect([answer.status, errorsOf(answer)]).toEqual([400, [`url ${WEBHOOK_URL_RULE}`]]);
  });

  it.each([
    [{ name: ' ' }, 'name must not be only white space'],
    [{ name: null }, 'name must be a string'],
    [{ name: undefined }, 'name is required'],
    [{ url: undefined }, 'url is required'],
    [{ url: null }, 'url must be a string'],
    [{ isActive: null }, 'isActive must be true or false'],
    [{ isActive: 'true' }, 'isActive must be true or false'],
    [{ secret: 'mine' }, 'secret is not a field of this request'],
    [{ id: UNKNOWN }, 'id is not a field of this request'],
  ])('refuses %j', async (body, message) => {
    const answer = await create(body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });
});

describe('the secret of a webhook', () => {
  const stored = async (id: string): Promise<Buffer> => {
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    try {
      const { rows } = await client.query('select sealed_secret from webhooks where id = $1', [id]);
      return rows[0].sealed_secret;
    } finally {
      await client.end();
    }
  };
  const opened = (id: string, sealed: Buffer) =>
    createKeyring(Buffer.from(SECRET_KEY))
      .decrypt('webhook-secret', ['webhooks', 'sealed_secret', server.organizationId, id], sealed)
      .toString();

  it('is stored encrypted, bound to its webhook, and can be decrypted for signing', async () => {
    const { id, secret } = await made();
    const sealed = await stored(id);
    expect(sealed.includes(secret.slice(6))).toBe(false);
    expect(opened(id, sealed)).toBe(secret);
  });

  it('is new with each rotation', async () => {
    const { id, secret } = await made();
    const before = await retrieve(id);
    const { status, body } = await rotate(id);
    expect([status, Object.keys(body)]).toEqual([200, ['secret']]);
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    expect(body.secret).not.toBe(secret);
    expect(opened(id, await stored(id))).toBe(body.secret);
    expect((await retrieve(id)).text).toBe(before.text);
  });

  it('is in no other answer and never in the audit log', async () => {
    const { id, secret } = await made();
    const { body } = await rotate(id);
    const answers = [
      await retrieve(id),
      await update(id, { name: 'Renamed' }),
      await server.call(operations.listWebhooks),
      await server.call(operations.listAuditLog, { query: `resourceId=${id}` }),
    ];
    expect(answers[3]?.body.items.map(({ operation }: Fields) => operation)).toEqual([
      'updateWebhook',
      'rotateWebhookSecret',
      'createWebhook',
    ]);
    for (const { text } of answers) {
      expect(text).not.toContain(secret.slice(6));
      expect(text).not.toContain(body.secret.slice(6));
      expect(text).not.toContain('whsec');
    }
  });
});

describe('updating a webhook', () => {
  it('changes the given fields and keeps the others', async () => {
    const { secret: _, ...before } = await made();
    server.clock.advance(5);
    const changes: Fields[] = [
      { name: 'Renamed' },
      { url: 'http://other.example:81/x' },
      { isActive: false },
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
    [{ name: '' }, 'name must have at least 1 character'],
    [{ name: null }, 'name must be a string'],
    [{ url: null }, 'url must be a string'],
    [{ url: 'ftp://example.com' }, `url ${WEBHOOK_URL_RULE}`],
    [{ url: 'https://example.com:99999' }, `url ${WEBHOOK_URL_RULE}`],
    [{ isActive: null }, 'isActive must be true or false'],
    [{ secret: 'mine' }, 'secret cannot be changed: it is fixed or unknown'],
  ])('refuses %j', async (body, message) => {
    const { id } = await made();
    const answer = await update(id, body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  it('lets one of twenty changes with the same tag through, and honours it on deletion', async () => {
    const { headers, body } = await create();
    const ifMatch = { 'if-match': headers.get('etag') ?? '' };
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        return (await update(body.id, { name: `Racer ${index}` }, ifMatch)).status;
      }),
    );
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
    expect((await remove(body.id, ifMatch)).status).toBe(412);
    const fresh = (await retrieve(body.id)).headers.get('etag') ?? '';
    expect((await remove(body.id, { 'if-match': fresh })).status).toBe(204);
    expect((await remove(body.id)).status).toBe(404);
    expect((await retrieve(body.id)).status).toBe(404);
  });
});

describe("a neighbour's webhook", () => {
  it('answers like an unknown one in every operation', async () => {
    const theirs = await made({}, neighbour);
    for (const id of [theirs.id, UNKNOWN, 'not-a-uuid']) {
      const answers = [
        await retrieve(id),
        await update(id, { name: 'Stolen' }),
        await remove(id),
        await rotate(id),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    }
    const params = { webhookId: theirs.id };
    const seen = await neighbour.call(operations.retrieveWebhook, { params });
    expect(seen.body.name).toBe('Webhook');
    const listed = await server.call(operations.listWebhooks, { query: 'take=1000' });
    expect(listed.text).not.toContain(theirs.id);
  });
});

describe('listing webhooks', () => {
  it('finds by name, literally, whatever is searched for', async () => {
    const alphabet = ['a', 'B', 'ß', '%', '_', '\\', "'", '"', ' ', EMOJI, 'É'];
    const names = fc.sample(
      fc
        .array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 6 })
        .map((letters) => `n${letters.join('')}`),
      { numRuns: cases(500), seed: 4 },
    );
    const { body: all } = await server.call(operations.listWebhooks, { query: 'take=1000' });
    for (const { id } of all.items) await remove(id);
    for (const name of names) await made({ name });
    const newestFirst = [...names].reverse();
    const searches = fc.array(fc.constantFrom(...alphabet), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          searches.map((letters) => letters.join('')),
          fc.constantFrom('x'.repeat(500), '%'.repeat(500)),
        ),
        fc.nat(160),
        fc.integer({ min: 1, max: 160 }),
        async (search, skip, take) => {
          const expected = newestFirst.filter((name) => fold(name).includes(fold(search)));
          const query = `search=${encodeURIComponent(search)}&skip=${skip}&take=${take}`;
          const { body } = await server.call(operations.listWebhooks, { query });
          expect(body.count).toBe(expected.length);
          expect(body.items.map(({ name }: Fields) => name)).toEqual(
            expected.slice(skip, skip + take),
          );
        },
      ),
      { numRuns: cases(500) },
    );
  });

  it('refuses a search of 501 characters', async () => {
    const query = `search=${'x'.repeat(501)}`;
    expect((await server.call(operations.listWebhooks, { query })).status).toBe(400);
  });
});
