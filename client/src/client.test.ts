import { readFileSync } from 'node:fs';
import { type Operation, operations } from '@fieldwatch/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { lowerEditors } from '../test/readme-example.ts';
import { type RecordingServer, startRecordingServer } from '../test/recording-server.ts';
import { ConnectionError, createClient, FieldwatchError } from './index.ts';

const organizationId = '0199a1d2-0000-7000-8000-000000000001';
const credentials = { accessToken: 'token-1' };
const servers: RecordingServer[] = [];

async function serverThat(answer: Parameters<typeof startRecordingServer>[0]) {
  const server = await startRecordingServer(answer);
  servers.push(server);
  return server;
}

/** What a promise was rejected with. */
function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error,
  );
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('a call', () => {
  it('is a method for each operation that takes JSON', () => {
    const taken = Object.values<Operation>(operations).filter((each) => !each.bodyMediaType);
    expect(Object.keys(createClient({ baseUrl: 'http://127.0.0.1:1' })).toSorted()).toEqual(
      [...taken.map(({ id }) => id), 'download', 'request', 'signOut'].toSorted(),
    );
  });

  it('sends method, path and body, and answers the body', async () => {
    const key = { id: 'k', secret: 's' };
    const server = await serverThat(() => ({ status: 201, body: key }));
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    const body = { name: 'line 4', permissions: ['ReadAssets' as const] };
    expect(await client.createApiKey({ organizationId, body })).toEqual(key);
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        url: `/primary/v1/${organizationId}/api-keys`,
        headers: { 'content-type': 'application/json', authorization: 'Bearer token-1' },
        body,
      },
    ]);
  });

  it('writes arrays with brackets and escapes values', async () => {
    const server = await serverThat(() => ({ status: 200, body: { count: 0, items: [] } }));
    const client = createClient({ baseUrl: `${server.baseUrl}/behind/proxy/`, credentials });
    await client.listUsers({
      organizationId,
      query: { search: 'a&b=ö', roles: ['EDITOR', 'VIEWER'], take: 5 },
    });
    expect(server.requests[0]?.url).toBe(
      `/behind/proxy/primary/v1/${organizationId}/users` +
        '?search=a%26b%3D%C3%B6&roles[]=EDITOR&roles[]=VIEWER&take=5',
    );
  });

  it('keeps a path parameter within its segment', async () => {
    const server = await serverThat(() => ({ status: 204 }));
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    await client.deleteApiKey({ organizationId, apiKeyId: '../users/x?y' });
    expect(server.requests[0]?.url).toBe(
      `/primary/v1/${organizationId}/api-keys/..%2Fusers%2Fx%3Fy`,
    );
    for (const apiKeyId of ['', '.', '..']) {
      await expect(client.deleteApiKey({ organizationId, apiKeyId })).rejects.toThrow(TypeError);
    }
    expect(server.requests).toHaveLength(1);
  });

  it('answers text where the operation does', async () => {
    const server = await serverThat(() => ({ status: 200, body: 'up 1\n' }));
    expect(await createClient({ baseUrl: server.baseUrl }).readMetrics()).toBe('up 1\n');
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('sends the conditional and idempotency headers, and returns those of the reply', async () => {
    const server = await serverThat(({ method }) => ({
      status: method === 'POST' ? 201 : 200,
      headers: { etag: '"1-a"', location: '/there' },
      body: {},
    }));
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    const body = { email: 'a@example.com', role: 'VIEWER' as const };
    const made = await client.request(
      'createUser',
      { organizationId, body },
      { idempotencyKey: 'key-1' },
    );
    expect(made).toEqual({
      status: 201,
      body: {},
      etag: '"1-a"',
      location: '/there',
      requestId: 'request-1',
    });
    await client.updateUser({ organizationId, userId: 'u', body: {} }, { ifMatch: '"1-a"' });
    expect(
      server.requests.map(({ headers }) => [headers['idempotency-key'], headers['if-match']]),
    ).toEqual([
      ['key-1', undefined],
      [undefined, '"1-a"'],
    ]);
  });

  it('asks for columns where that is wanted', async () => {
    const body = { items: [] };
    const server = await serverThat(() => ({ status: 200, body }));
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    const input = { organizationId, query: { ids: ['v'] } };
    const reply = await client.request('listManyReadings', input, { isByColumn: true });
    expect(reply.body).toEqual(body);
    expect(server.requests[0]?.headers.accept).toMatch(
      /^application\/vnd\.fieldwatch\.columns\+json,/,
    );
  });

  it('downloads a file and reports its size on the way', async () => {
    const server = await serverThat(() => ({
      status: 200,
      headers: { 'content-type': 'text/csv; charset=utf-8' },
      body: 'time,value\r\n',
    }));
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    const sizes: number[] = [];
    const input = { organizationId, query: { ids: ['v'], startTime: 1, endTime: 2 } };
    const onBytes = (count: number) => sizes.push(count);
    const file = await client.download('exportReadings', input, { format: 'csv', onBytes });
    expect(await file.text()).toBe('time,value\r\n');
    expect(sizes.at(-1)).toBe(file.size);
    expect(server.requests[0]?.headers.accept).toMatch(/^text\/csv,/);
  });

  it('rejects a download that the service refuses, and one that is a page', async () => {
    const input = { organizationId, query: { ids: ['v'], startTime: 1, endTime: 2 } };
    const options = { format: 'parquet' } as const;
    const refusing = await serverThat(() => ({
      status: 429,
      body: { code: 'TOO_MANY_REQUESTS', detail: 'At most 4.' },
    }));
    const refused = createClient({ baseUrl: refusing.baseUrl, credentials });
    expect(await failureOf(refused.download('exportReadings', input, options))).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    });
    const page = await serverThat(() => ({ status: 200, body: '<html>Sign in</html>' }));
    const misled = createClient({ baseUrl: page.baseUrl, credentials });
    expect(await failureOf(misled.download('exportReadings', input, options))).toMatchObject({
      code: 'UNRECOGNIZED',
    });
  });

  it('distinguishes an unchanged record from a failure', async () => {
    const server = await serverThat(() => ({ status: 304, headers: { etag: '"1-a"' } }));
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    const reply = await client.request(
      'retrieveUser',
      { organizationId, userId: 'u' },
      { ifNoneMatch: '"1-a"' },
    );
    expect(reply).toMatchObject({ status: 304, body: undefined, etag: '"1-a"' });
  });

  it('shows an API key as Basic, in UTF-8', async () => {
    const server = await serverThat(() => ({ status: 200, body: {} }));
    await createClient({
      baseUrl: server.baseUrl,
      credentials: { apiKeyId: 'key', apiKeySecret: 'sécret ✓' },
    }).retrieveOrganization({ organizationId });
    const [scheme, encoded = ''] = server.requests[0]?.headers.authorization?.split(' ') ?? [];
    expect(scheme).toBe('Basic');
    expect(Buffer.from(encoded, 'base64').toString('utf8')).toBe('key:sécret ✓');
  });

  it('goes through the fetch that was given', async () => {
    const asked: string[] = [];
    const client = createClient({
      baseUrl: 'https://fieldwatch.example.com',
      fetch: async (url) => {
        asked.push(String(url));
        return Response.json({ status: 'up' });
      },
    });
    expect(await client.checkHealth()).toEqual({ status: 'up' });
    expect(asked).toEqual(['https://fieldwatch.example.com/healthz']);
  });
});

describe('a failure', () => {
  it('carries the code, the bad fields and the request id of the problem', async () => {
    const errors = [{ path: 'name', message: 'is required' }];
    const server = await serverThat(() => ({
      status: 400,
      body: { code: 'INVALID_REQUEST', detail: 'name is required', errors },
    }));
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    const error = await failureOf(client.updateOrganization({ organizationId, body: {} }));
    expect(error).toBeInstanceOf(FieldwatchError);
    expect(error).toMatchObject({
      code: 'INVALID_REQUEST',
      status: 400,
      message: 'name is required',
      errors,
      requestId: 'request-1',
      retryAfterSeconds: null,
    });
  });

  it('says how long to wait', async () => {
    const server = await serverThat(() => ({
      status: 503,
      headers: { 'retry-after': '7' },
      body: { code: 'STORAGE_UNAVAILABLE', detail: 'Storage is away.' },
    }));
    const error = await failureOf(createClient({ baseUrl: server.baseUrl }).checkReadiness());
    expect(error).toMatchObject({ code: 'STORAGE_UNAVAILABLE', retryAfterSeconds: 7 });
  });

  it.each([
    ['a page of a proxy', { status: 502, body: '<html>Bad gateway</html>' }],
    ['a page instead of an answer', { status: 200, body: '<html>Sign in to the hotel</html>' }],
    ['a status that the operation does not have', { status: 202, body: { id: 'u' } }],
    ['an answer without the body that it should have', { status: 200 }],
    ['an unchanged record that nobody asked about', { status: 304 }],
    ['a code newer than the client', { status: 418, body: { code: 'TEAPOT', detail: 'short' } }],
  ])('is unrecognized for %s', async (_, reply) => {
    const server = await serverThat(() => reply);
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    const error = await failureOf(client.retrieveUser({ organizationId, userId: 'u' }));
    expect(error).toBeInstanceOf(FieldwatchError);
    expect(error).toMatchObject({ code: 'UNRECOGNIZED', status: reply.status });
  });

  it('is a connection error when nothing listens', async () => {
    const server = await startRecordingServer(() => 'hang');
    await server.close();
    const error = await failureOf(createClient({ baseUrl: server.baseUrl }).checkHealth());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ reason: 'UNREACHABLE', cause: expect.any(Error) });
  });

  it('is a connection error when the answer is cut off', async () => {
    const server = await serverThat(() => 'cut');
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    const error = await failureOf(client.listUsers({ organizationId }));
    expect(error).toMatchObject({ name: 'ConnectionError', reason: 'UNREACHABLE' });
  });

  it('is a connection error when the time is over', async () => {
    const server = await serverThat(() => 'hang');
    const client = createClient({ baseUrl: server.baseUrl });
    const error = await failureOf(client.checkHealth({ timeoutMs: 20 }));
    expect(error).toMatchObject({ name: 'ConnectionError', reason: 'TIMEOUT' });
  });

  it("is the signal's reason when the caller gives up, before or during the call", async () => {
    const server = await serverThat(() => {
      controller.abort(new Error('enough'));
      return 'hang';
    });
    const controller = new AbortController();
    const client = createClient({ baseUrl: server.baseUrl });
    const call = () => failureOf(client.checkHealth({ signal: controller.signal }));
    expect(await call()).toMatchObject({ message: 'enough' });
    expect(await call()).toMatchObject({ message: 'enough' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('the example of the README', () => {
  it('is the code that is compiled and run here', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const example = readFileSync(new URL('../test/readme-example.ts', import.meta.url), 'utf8');
    expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
  });

  it('lowers every editor that nobody else edits', async () => {
    const users = ['a', 'b'].map((id) => ({ id, email: `${id}@example.com` }));
    const tokens = { accessToken: 't', tokenType: 'Bearer', expiresIn: 900, refreshToken: 'r' };
    const server = await serverThat(({ method, url }) => {
      if (url === '/auth/v1/token') return { status: 200, body: tokens };
      if (url === '/auth/v1/token/revoke') return { status: 204 };
      if (url.includes('?')) return { status: 200, body: { count: 2, items: users } };
      const stale = method === 'PATCH' && url.endsWith('/b');
      return stale
        ? { status: 412, body: { code: 'PRECONDITION_FAILED', detail: 'It has changed.' } }
        : { status: 200, headers: { etag: '"1-a"' }, body: users[0] };
    });
    expect(await lowerEditors(server.baseUrl, organizationId)).toEqual(['b@example.com']);
    expect(server.requests.at(-1)).toMatchObject({ body: { refreshToken: 'r' } });
  });
});
