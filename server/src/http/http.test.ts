import { once } from 'node:events';
import { connect } from 'node:net';
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { send } from '../../test/support/call.ts';
import {
  operation,
  problemIn,
  raw,
  running,
  start,
  stopAfterEach,
} from '../../test/support/http.ts';
import { NO_PROXIES, type TrustedProxies } from '../runtime/index.ts';

stopAfterEach();

describe('X-Forwarded-For', () => {
  const whereFrom = operation('whereFrom');

  async function seen(forwardedFor: string, trustedProxies: TrustedProxies): Promise<unknown> {
    const url = await start([[whereFrom, async (_, { address }) => ({ body: address })]], {
      trustedProxies,
    });
    const headers = { 'x-forwarded-for': forwardedFor };
    return (await send(url, 'GET', '/whereFrom', { headers })).body;
  }

  it('names the client as far as trusted proxies wrote it, and no further', async () => {
    const forged = 'forged, 6.6.6.6, 9.9.9.9';
    expect(await seen(forged, NO_PROXIES)).toBe('127.0.0.1');
    expect(await seen(forged, { kind: 'hops', count: 1 })).toBe('9.9.9.9');
    expect(await seen('6.6.6.6, forged', { kind: 'hops', count: 1 })).toBe('127.0.0.1');
  });

  it('does not raise the rate limit by forged entries or by addresses of one IPv6 /64', async () => {
    const url = await start([[whereFrom, async () => ({ body: 1 })]], {
      trustedProxies: { kind: 'hops', count: 1 },
      requestsPerMinute: 2,
    });
    const statuses: number[] = [];
    for (let count = 1; count <= 3; count += 1) {
      const headers = { 'x-forwarded-for': `10.0.0.${count}, 2001:db8::${count}` };
      statuses.push((await send(url, 'GET', '/whereFrom', { headers })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('the HTTP server', () => {
  it('does not start while an operation of the contract has no handler', async () => {
    await expect(start([], { unserved: [operation('forgotten')] })).rejects.toThrow(
      'operations without a handler: forgotten',
    );
  });

  it('answers an unexpected error with a 500 that reveals nothing about it', async () => {
    const url = await start([
      [operation('boom'), () => Promise.reject(new Error('select canary from secrets'))],
    ]);
    const { status, text, body } = await send(url, 'GET', '/boom');
    expect(status).toBe(500);
    expect(body.code).toBe('INTERNAL');
    expect(text).not.toContain('canary');
  });

  it('answers an unknown address with 404, whatever is sent to it', async () => {
    const url = await start([]);
    for (const [method, path, headers] of [
      ['GET', '/nothing', {}],
      ['POST', '/nothing', { 'content-type': 'text/plain' }],
      ['GET', '/%zz', {}],
      ['GET', `/${'x'.repeat(5_000)}`, {}],
      ['PUT', '/docs/none', {}],
    ] as const) {
      const { status, body } = await send(url, method, path, {
        headers,
        ...(method === 'POST' ? { body: 'x' } : {}),
      });
      expect([path.slice(0, 20), status, body.code]).toEqual([path.slice(0, 20), 404, 'NOT_FOUND']);
    }
  });

  it('answers a wrong method with 405 and says which are right', async () => {
    const url = await start([
      [operation('thing'), async () => ({ body: 1 })],
      [operation('makeThing', { path: '/thing', method: 'POST' }), async () => ({ body: 1 })],
    ]);
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
      const { status, headers, body } = await send(url, method, '/thing');
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD, POST']);
      expect(body.code).toBe('METHOD_NOT_ALLOWED');
    }
    expect((await send(url, 'HEAD', '/thing')).status).toBe(200);
  });

  it('answers a wrong method with 405 where the address of another operation would fit', async () => {
    const url = await start([
      [operation('list', { path: '/things/all' }), async () => ({ body: 1 })],
      [
        operation('end', { path: '/things/{thingId}', method: 'DELETE' }),
        async () => ({ body: 1 }),
      ],
    ]);
    const mistaken = await send(url, 'DELETE', '/things/all');
    expect([mistaken.status, mistaken.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const other = await send(url, 'GET', '/things/one?at=1');
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'DELETE']);
    expect((await send(url, 'GET', '/things/')).status).toBe(404);
  });

  it.each([
    [1_023, 200],
    [1_024, 200],
    [1_025, 413],
  ])('answers a body of %i bytes under a limit of 1 KiB with %i', async (size, expected) => {
    const echo = operation('echo', {
      method: 'POST',
      body: Type.String(),
      bodyLimitBytes: 1_024,
    });
    const url = await start([[echo, async ({ body }) => ({ body })]]);
    const { status } = await send(url, 'POST', '/echo', {
      body: JSON.stringify('x'.repeat(size - 2)),
    });
    expect(status).toBe(expected);
  });

  it.each([
    ['application/json', 413],
    ['text/plain', 415],
  ])(
    'reads and drops the rest of a large refused body of type %s, so that its client gets the response',
    async (type, expected) => {
      const echo = operation('echo', { method: 'POST', body: Type.Unknown() });
      const url = await start([[echo, async () => ({ body: 1 })]]);
      const bytes = 2 * 1024 * 1024;
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      let received = '';
      socket.on('data', (data) => {
        received += data;
      });
      const head = `POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n`;
      socket.write(`${head}Content-Length: ${bytes}\r\n\r\n`);
      await expect.poll(() => received).toContain(`HTTP/1.1 ${expected} `);
      socket.write(' '.repeat(bytes));
      socket.write('GET /docs/errors HTTP/1.1\r\nHost: x\r\n\r\n');
      await expect.poll(() => received).toContain('HTTP/1.1 200 OK');
      socket.destroy();
    },
  );

  it.each([
    ['text/plain', '{}', 415],
    ['application/x-www-form-urlencoded', 'a=1', 415],
    ['application/json; charset=latin1', '{}', 415],
    ['application/json; charset=UTF-8', '{}', 200],
    ['application/json;charset=utf-8', '{}', 200],
    ['Application/JSON', '{}', 200],
    ['application/json', '{', 400],
    ['application/json', '{"__proto__": 1}', 400],
    ['application/json', '', 400],
    ['application/json', 'null', 400],
  ])('answers the type %s and the body %j with %i', async (type, body, expected) => {
    const echo = operation('echo', {
      method: 'POST',
      body: Type.Object({}, { additionalProperties: false }),
    });
    const url = await start([[echo, async (input) => ({ body: input.body })]]);
    const { status } = await send(url, 'POST', '/echo', {
      body,
      headers: { 'content-type': type },
    });
    expect(status).toBe(expected);
  });

  it('refuses bytes that are not UTF-8 instead of changing them', async () => {
    const echo = operation('echo', { method: 'POST', body: Type.String() });
    const url = await start([[echo, async ({ body }) => ({ body })]]);
    const response = await fetch(`${url}/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from([0x22, 0xff, 0x22]),
    });
    expect([response.status, (await response.json()).code]).toEqual([400, 'MALFORMED_BODY']);
  });

  it.each([
    ['{', 'MALFORMED_BODY', 'is not valid JSON'],
    [' ', 'MALFORMED_BODY', 'is not valid JSON'],
    [
      '{"__proto__": {}}',
      'INVALID_REQUEST',
      'must not have a key __proto__ or constructor.prototype',
    ],
    ['null', 'INVALID_REQUEST', 'must be an object'],
  ])('names the body where %j is refused as a whole', async (body, code, message) => {
    const note = operation('note', { method: 'POST', body: Type.Object({}), bodyOptional: true });
    const url = await start([[note, async () => ({ body: 1 })]]);
    const answer = await send(url, 'POST', '/note', { body });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.body.errors).toEqual([{ path: 'body', message }]);
  });

  it.each([
    ['gzip', 415],
    ['deflate, br', 415],
    ['identity', 200],
  ])('answers a body in the coding %s with %i', async (coding, expected) => {
    const echo = operation('echo', { method: 'POST', body: Type.Object({}) });
    const url = await start([[echo, async () => ({ body: 1 })]]);
    const { status, body } = await send(url, 'POST', '/echo', {
      body: {},
      headers: { 'content-encoding': coding },
    });
    expect(status).toBe(expected);
    if (expected === 415) expect(body.detail).toBe('The body must not be compressed.');
  });

  it('takes no fields where an operation has no body', async () => {
    const stop = operation('stop', { method: 'POST' });
    const url = await start([[stop, async () => ({ body: 1 })]]);
    expect((await send(url, 'POST', '/stop')).status).toBe(200);
    expect((await send(url, 'POST', '/stop', { body: {} })).status).toBe(200);
    const { status, body } = await send(url, 'POST', '/stop', { body: { force: true } });
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path: 'force', message: 'is not a field of this request' }]);
  });

  it('stops though a connection was made and never used', async () => {
    const never = 250_000;
    const limits = { headersTimeoutMs: never, requestTimeoutMs: never, stopTimeoutMs: never };
    const url = await start([[operation('thing'), async () => ({ body: 1 })]], { limits });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    expect((await send(url, 'GET', '/thing')).status).toBe(200);
    const closed = once(socket, 'close');
    await Promise.all(running.splice(0).map((http) => http.stop()));
    await closed;
  });

  it('answers what is not HTTP with a problem, and that connection alone ends', async () => {
    const url = await start([[operation('thing'), async () => ({ body: 1 })]]);
    const answer = await raw(url, 'nonsense\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(problemIn(answer)).toMatchObject({
      code: 'INVALID_REQUEST',
      status: 400,
      errors: [{ path: 'request', message: 'is not valid HTTP' }],
    });
    expect((await send(url, 'GET', '/thing')).status).toBe(200);
  });

  it('sends security headers with every page', async () => {
    const url = await start([[operation('thing'), async () => ({ body: 1 })]]);
    const { headers: data } = await send(url, 'GET', '/thing');
    expect(data.get('x-content-type-options')).toBe('nosniff');
    expect(data.get('x-powered-by')).toBeNull();
    const { headers: page } = await send(url, 'GET', '/docs/errors');
    expect(page.get('x-content-type-options')).toBe('nosniff');
    expect(page.get('x-frame-options')).toBe('DENY');
    expect(page.get('content-security-policy')).toContain("default-src 'self'");
    expect(page.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
  });

  it('serves the reference from its own disk', async () => {
    const url = await start([]);
    expect((await send(url, 'GET', '/openapi.json')).body.openapi).toMatch(/^3\.1/);
    const page = await send(url, 'GET', '/docs/');
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(assets.length).toBeGreaterThan(3);
    for (const path of assets) {
      const asset = new URL(path, `${url}/docs/`);
      expect(asset.origin).toBe(url);
      expect([path, (await send(url, 'GET', asset.pathname)).status]).toEqual([path, 200]);
    }
    expect((await send(url, 'GET', '/docs/errors')).text).toContain('id="invalid-request"');
    const { text: script } = await send(url, 'GET', '/docs/static/initializer.js');
    expect(script).toContain('"persistAuthorization":false');
  });
});
