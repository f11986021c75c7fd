import { connect } from 'node:net';
import { type Operation, operations } from '@fieldwatch/contract';
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
import { HTTP_LIMITS } from './limits.ts';

stopAfterEach();

interface ListSchema {
  readonly maxItems?: number;
  readonly items?: { readonly maxLength?: number };
}

describe('the HTTP server under pressure', () => {
  // The address has one byte, the name of the header another.
  it.each([
    [-1, 404, 'NOT_FOUND'],
    [0, 431, 'HEADERS_TOO_LARGE'],
    [1, 431, 'HEADERS_TOO_LARGE'],
  ])('answers headers of 48 KiB and %i bytes with %i', async (beyond, status, code) => {
    const url = await start([]);
    const value = 'x'.repeat(48 * 1024 - 2 + beyond);
    const answer = await raw(url, `GET / HTTP/1.0\r\nx: ${value}\r\n\r\n`);
    expect(problemIn(answer)).toMatchObject({ code, status });
  });

  it('takes the filters of every operation at their maximum', () => {
    const idLength = crypto.randomUUID().length;
    for (const { id, query } of Object.values<Operation>(operations)) {
      let bytes = 0;
      for (const [name, schema] of Object.entries(query?.properties ?? {})) {
        const { maxItems = 0, items } = schema as ListSchema;
        bytes += maxItems * (`&${name}%5B%5D=`.length + (items?.maxLength ?? idLength));
      }
      expect(bytes, id).toBeLessThan(HTTP_LIMITS.maxHeaderBytes - 8 * 1024);
    }
  });

  it.each([
    ['headers', 'GET / HTTP/1.1\r\nhost: x\r\n'],
    [
      'body',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    ],
  ])('does not wait for ever for %s that never end', async (_, text) => {
    const echo = operation('echo', { path: '/', method: 'POST', body: Type.Unknown() });
    const url = await start([[echo, async () => ({ body: 1 })]], {
      limits: { headersTimeoutMs: 200, requestTimeoutMs: 200 },
    });
    expect(problemIn(await raw(url, text))).toMatchObject({ code: 'REQUEST_TIMEOUT', status: 408 });
  });

  /** Opens a connection that never closes its own half, and reports when the server has let go. */
  function halfOpen(url: string, text: string): Promise<void> {
    return new Promise((resolve) => {
      const options = { port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true };
      const socket = connect(options, () => socket.write(text));
      // A reset shows that nobody reads any more; an orderly end alone does not.
      const probe = setInterval(() => socket.write('x'), 50);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(probe);
        resolve();
      });
      socket.resume();
    });
  }

  it.each([
    ['nothing', ''],
    ['headers without end', 'GET / HTTP/1.1\r\nhost: x\r\n'],
    ['what is not HTTP', 'HELLO\r\n\r\n'],
    [
      'a body without end',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 999999\r\n\r\n{',
    ],
    ['a whole request', 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
  ])('closes a half-open connection that sent %s', async (_, text) => {
    const echo = operation('echo', { path: '/', method: 'POST', body: Type.Unknown() });
    const url = await start([[echo, async () => ({ body: 1 })]], {
      limits: { headersTimeoutMs: 200, requestTimeoutMs: 200, lingerMs: 200 },
    });
    await halfOpen(url, text);
  });

  it('closes a connection without credentials soon after its answer', async () => {
    const ping = operation('ping');
    const limits = { anonymousIdleTimeoutMs: 100, idleTimeoutMs: 60_000 };
    const url = await start([[ping, async () => ({ body: 1 })]], { limits });
    expect(await raw(url, 'GET /ping HTTP/1.1\r\nhost: x\r\n\r\n')).toContain('200 OK');
  });

  it('serves the next client while one address holds all it may hold', async () => {
    const echo = operation('echo', { method: 'POST', body: Type.Unknown() });
    const limits = { maxWaiting: 20, maxWaitingPerAddress: 5 };
    const url = await start([[echo, async () => ({ body: 1 })]], { limits });
    const unfinished =
      'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{';
    let closed = 0;
    const sockets = Array.from({ length: 30 }, () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.on('close', () => {
        closed += 1;
      });
      socket.write(unfinished);
      return socket;
    });
    await expect.poll(() => closed).toBeGreaterThanOrEqual(25);
    expect((await send(url, 'POST', '/echo', { body: {} })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('answers 413 also to a client that asked to close and is still sending', async () => {
    const echo = operation('echo', { method: 'POST', body: Type.Unknown() });
    const url = await start([[echo, async () => ({ body: 1 })]]);
    const bytes = 8 * 1024 * 1024;
    const head =
      'POST /echo HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json';
    const answer = await raw(
      url,
      `${head}\r\ncontent-length: ${bytes}\r\n\r\n${' '.repeat(bytes)}`,
    );
    expect(problemIn(answer)).toMatchObject({ code: 'BODY_TOO_LARGE', status: 413 });
  });

  it('ends a streamed response whose client reads nothing, and releases its source', async () => {
    let isOver = false;
    async function* endless() {
      try {
        for (;;) yield 'x'.repeat(65_536);
      } finally {
        isOver = true;
      }
    }
    const csv = { status: 200, description: 'ok', body: Type.Unknown(), csv: true } as const;
    const rows = operation('rows', { reply: csv });
    const handler = async () => ({ body: 1, csv: endless() });
    const url = await start([[rows, handler]], { limits: { stallMs: 100 } });
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write('GET /rows HTTP/1.1\r\nhost: x\r\naccept: text/csv\r\n\r\n');
    await expect.poll(() => isOver).toBe(true);
    socket.destroy();
  });

  it('finishes requests in flight when it stops, and accepts no new ones', async () => {
    let arrived = () => {};
    let finish = () => {};
    const underWay = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const url = await start([
      [
        operation('slow'),
        async () => {
          arrived();
          await new Promise<void>((resolve) => {
            finish = resolve;
          });
          return { body: 'done' };
        },
      ],
    ]);
    const answer = send(url, 'GET', '/slow');
    await underWay;
    const stopped = running.splice(0)[0]?.stop();
    await expect(fetch(`${url}/slow`)).rejects.toThrow();
    finish();
    expect((await answer).body).toBe('done');
    await stopped;
  });

  it('aborts requests that do not end within the stop timeout', async () => {
    let arrived = () => {};
    const underWay = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const never = () => {
      arrived();
      return new Promise<never>(() => {});
    };
    const url = await start([[operation('never'), never]], { limits: { stopTimeoutMs: 50 } });
    const answer = fetch(`${url}/never`);
    await underWay;
    await Promise.all([running.splice(0)[0]?.stop(), expect(answer).rejects.toThrow()]);
  });

  it('refuses new requests over its concurrency limit, and still reports its health', async () => {
    const waiting: (() => void)[] = [];
    const slow = async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { body: 1 };
    };
    const health = operation('health', { tag: 'Service' });
    const url = await start(
      [
        [operation('slow'), slow],
        [health, async () => ({ body: 'up' })],
      ],
      { limits: { maxRequestsInFlight: 2 } },
    );
    const busy = [send(url, 'GET', '/slow'), send(url, 'GET', '/slow')];
    while (waiting.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const refused = await send(url, 'GET', '/slow');
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'OVERLOADED',
      '1',
    ]);
    expect((await send(url, 'GET', '/health')).status).toBe(200);
    for (const finish of waiting.splice(0)) finish();
    expect((await Promise.all(busy)).map(({ status }) => status)).toEqual([200, 200]);
    const again = send(url, 'GET', '/slow');
    while (waiting.length < 1) await new Promise((resolve) => setImmediate(resolve));
    waiting[0]?.();
    expect((await again).status).toBe(200);
  });

  it('refuses new requests while the event loop lags, and accepts them again afterwards', async () => {
    const url = await start([[operation('thing'), async () => ({ body: 1 })]], {
      limits: { maxLagMs: 50 },
    });
    const statuses = new Set<number>();
    for (let attempt = 0; attempt < 50 && !statuses.has(503); attempt += 1) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
      statuses.add((await send(url, 'GET', '/thing')).status);
    }
    expect(statuses).toContain(503);
    await expect
      .poll(async () => (await send(url, 'GET', '/thing')).status, { timeout: 10_000 })
      .toBe(200);
  });

  it('limits requests, says how many are left, and when to come back', async () => {
    const url = await start([[operation('thing'), async () => ({ body: 1 })]], {
      requestsPerMinute: 2,
    });
    const answers = [];
    for (let index = 0; index < 3; index += 1) answers.push(await send(url, 'GET', '/thing'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual([
      '1',
      '0',
      '0',
    ]);
    expect(answers[0]?.headers.get('ratelimit-limit')).toBe('2');
    expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answers[2]?.body.code).toBe('TOO_MANY_REQUESTS');
  });
});
