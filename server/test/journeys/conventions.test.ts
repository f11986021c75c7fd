import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

const newKey = (name: string, headers: Record<string, string> = {}, auth = server.key) =>
  server.call(operations.createApiKey, { auth, headers, body: { name, permissions: [] } });

const named = async (name: string): Promise<number> => {
  const { body } = await server.call(operations.listApiKeys, {
    query: `search=${encodeURIComponent(name)}`,
  });
  return body.count;
};

describe('an Idempotency-Key', () => {
  it('gives the first answer again, secret and all, and does nothing twice', async () => {
    const first = await newKey('Once', { 'idempotency-key': 'once' });
    const second = await newKey('Once', { 'idempotency-key': 'once' });
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(await named('Once')).toBe(1);
  });

  it('holds under fifty repeats at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => newKey('Fifty', { 'idempotency-key': 'fifty' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await named('Fifty')).toBe(1);
  });

  it('answers 409 when it comes with another body', async () => {
    await newKey('Body A', { 'idempotency-key': 'body' });
    const { status, body } = await newKey('Body B', { 'idempotency-key': 'body' });
    expect([status, body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await named('Body B')).toBe(0);
  });

  it('belongs to one credential and one operation', async () => {
    await newKey('Scoped', { 'idempotency-key': 'scoped' });
    const other = await newKey('Scoped', { 'idempotency-key': 'scoped' }, server.administrator);
    expect(other.headers.get('idempotency-replayed')).toBeNull();
    const user = await server.call(operations.createUser, {
      headers: { 'idempotency-key': 'scoped' },
      body: { email: 'scoped@example.com', role: 'VIEWER' },
    });
    expect(user.status).toBe(201);
    expect(await named('Scoped')).toBe(2);
  });

  it('remembers no refusal: the request may be mended and sent again', async () => {
    const refused = await newKey('', { 'idempotency-key': 'mended' });
    expect(refused.status).toBe(400);
    expect((await newKey('Mended', { 'idempotency-key': 'mended' })).status).toBe(201);
  });

  it('expires after a day, and not before', async () => {
    await newKey('Daily', { 'idempotency-key': 'daily' });
    server.clock.advance(DAY_MS - 60_000);
    await newKey('Daily', { 'idempotency-key': 'daily' });
    expect(await named('Daily')).toBe(1);
    server.clock.advance(60_001);
    await newKey('Daily', { 'idempotency-key': 'daily' });
    expect(await named('Daily')).toBe(2);
  });

  it.each([
    ['x'.repeat(254), 201],
    ['x'.repeat(255), 201],
    ['x'.repeat(256), 400],
    ['white space', 400],
  ])('of %s is answered with %i', async (key, status) => {
    expect((await newKey('Length', { 'idempotency-key': key })).status).toBe(status);
  });
});

describe('a tag', () => {
  const made = async () => {
    const { body } = await newKey('Tagged');
    const params = { apiKeyId: body.id as string };
    const { headers } = await server.call(operations.retrieveApiKey, { params });
    return { params, etag: headers.get('etag') ?? '' };
  };

  it('saves reading again what has not changed', async () => {
    const { params, etag } = await made();
    const known = await server.call(operations.retrieveApiKey, {
      params,
      headers: { 'if-none-match': etag },
    });
    expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', etag]);
    const unknown = await server.call(operations.retrieveApiKey, {
      params,
      headers: { 'if-none-match': '"other"' },
    });
    expect(unknown.status).toBe(200);
  });

  it('guards a change against one that came between', async () => {
    const { params, etag } = await made();
    const change = (name: string) =>
      server.call(operations.updateApiKey, {
        params,
        headers: { 'if-match': etag },
        body: { name },
      });
    const first = await change('First');
    const second = await change('Second');
    expect([first.status, second.status, second.body.code]).toEqual([
      200,
      412,
      'PRECONDITION_FAILED',
    ]);
    const { body } = await server.call(operations.retrieveApiKey, { params });
    expect(body.name).toBe('First');
    const removal = await server.call(operations.deleteApiKey, {
      params,
      headers: { 'if-match': etag },
    });
    expect(removal.status).toBe(412);
    const fresh = first.headers.get('etag') ?? '';
    expect(
      (await server.call(operations.deleteApiKey, { params, headers: { 'if-match': fresh } }))
        .status,
    ).toBe(204);
  });

  it('lets one of twenty changes with the same tag through', async () => {
    const { params, etag } = await made();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        server.call(operations.updateApiKey, {
          params,
          headers: { 'if-match': etag },
          body: { name: `Racer ${index}` },
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
  });

  it('is not asked for: without it the last write wins', async () => {
    const { params } = await made();
    for (const name of ['One', 'Two']) {
      expect((await server.call(operations.updateApiKey, { params, body: { name } })).status).toBe(
        200,
      );
    }
  });
});

describe('a list', () => {
  it('counts everything that matches, also past its end, newest first', async () => {
    for (let index = 1; index <= 5; index += 1) await newKey(`Paged ${index}`);
    const page = (query: string) =>
      server.call(operations.listApiKeys, { query: `search=paged&${query}` });
    const names = ({ body }: Awaited<ReturnType<typeof page>>) =>
      body.items.map(({ name }: { name: string }) => name);
    const all = await page('take=1000');
    expect(names(all)).toEqual(['Paged 5', 'Paged 4', 'Paged 3', 'Paged 2', 'Paged 1']);
    const middle = await page('skip=1&take=2');
    expect([middle.body.count, names(middle)]).toEqual([5, ['Paged 4', 'Paged 3']]);
    const beyond = await page('skip=99');
    expect([beyond.body.count, beyond.body.items]).toEqual([5, []]);
  });

  it.each([
    ['take=1', 200],
    ['take=0', 400],
    ['take=1000', 200],
    ['take=1001', 400],
    ['skip=0', 200],
    ['skip=-1', 400],
    ['skip=2147483647', 200],
    ['skip=2147483648', 400],
    ['take=5.0', 200],
    ['take=5.5', 400],
  ])('answers %s with %i', async (query, status) => {
    expect((await server.call(operations.listApiKeys, { query })).status).toBe(status);
  });

  it('shows each write at once, however often it was asked before', async () => {
    const count = async () =>
      (await server.call(operations.listDevices, { query: 'search=kept' })).body.count;
    for (let made = 0; made < 5; made += 1) {
      expect(await Promise.all([count(), count(), count()])).toEqual([made, made, made]);
      await server.call(operations.createDevice, {
        body: { type: 'CUSTOM_DEVICE', name: `Kept ${made}` },
      });
    }
  });

  it('shows each caller what they may see, also when another asked just before', async () => {
    const appKey = 'ab'.repeat(16);
    await server.call(operations.createDevice, {
      body: {
        type: 'LORAWAN_DEVICE',
        name: 'Secretive',
        configuration: { devEui: '0'.repeat(16), appEui: '0'.repeat(16), appKey },
      },
    });
    const reader = await server.newKey([]);
    const seenBy = async (auth: string) =>
      (await server.call(operations.listDevices, { auth, query: 'search=secretive' })).body.items[0]
        .configuration.appKey;
    expect(await seenBy(server.key)).toBe(appKey.toUpperCase());
    expect(await seenBy(reader)).toBe('*'.repeat(32));
  });

  it('searches literally', async () => {
    await newKey('100% sure_thing \\o/');
    await newKey('100 percent sure thing');
    const found = async (search: string) => named(search);
    expect(await found('100%')).toBe(1);
    expect(await found('SURE_thing')).toBe(1);
    expect(await found('\\O/')).toBe(1);
    expect(await found("'")).toBe(0);
    expect(await found('')).toBeGreaterThan(2);
  });
});

describe('a refusal', () => {
  it('names every bad field of query and body at once', async () => {
    const { body } = await server.call(operations.createApiKey, {
      query: 'nope=1',
      body: { name: '', permissions: ['Everything'], colour: 'red' },
    });
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'colour',
      'name',
      'nope',
      'permissions[0]',
    ]);
  });

  it('of an id that cannot exist is 404, not 400', async () => {
    const { status } = await server.call(operations.retrieveUser, {
      params: { userId: 'not-a-uuid' },
    });
    expect(status).toBe(404);
  });
});
