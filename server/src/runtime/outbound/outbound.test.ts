import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createListener, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  CERTIFICATE,
  CERTIFICATE_KEY,
  RSA_CERTIFICATE,
} from '../../../test/support/certificate.ts';
import { HOSTILE_ADDRESSES } from '../../../test/support/hostile-addresses.ts';
import { createOutbound, parseAllowed } from './index.ts';
import { OUTBOUND_LIMITS, type OutboundDeps } from './outbound.ts';

/** Counts whoever connects to this machine, by whatever address of it. */
const canary = createListener((socket) => {
  connections += 1;
  socket.destroy();
});
let connections = 0;
let port = 0;

beforeAll(async () => {
  canary.listen(0, '::');
  await once(canary, 'listening');
  ({ port } = canary.address() as AddressInfo);
});

afterAll(() => canary.close());

const post = (
  url: string,
  deps: Partial<OutboundDeps> = {},
  signal = new AbortController().signal,
) =>
  createOutbound({ allowed: parseAllowed(''), ...deps }).post(url, {
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal,
  });

/** A server that may be called, beside the canary that may not. */
async function startTarget(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.2');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const toTarget = { allowed: parseAllowed('127.0.0.2') };

describe('a hostile address', () => {
  it('is spelt in more than 120 ways here', () => {
    expect(new Set(HOSTILE_ADDRESSES.map((at) => at(1))).size).toBeGreaterThanOrEqual(120);
  });

  it.each(HOSTILE_ADDRESSES.map((make) => [make(1), make] as const))(
    '%s is refused before any connection',
    async (_, make) => {
      const before = connections;
      await expect(post(make(port))).rejects.toThrow(
        /not a public one|cannot be read|only http|credentials/,
      );
      expect(connections).toBe(before);
    },
  );

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['169.254.169.254']],
    [['::ffff:127.0.0.1']],
    [['93.184.216.34', '127.0.0.1']],
    [['2606:2800:220:1::1', '::1']],
    [['fe80::1%lo']],
    [['not an address']],
  ])('behind a name that resolves to %j is refused', async (addresses) => {
    const before = connections;
    const resolve = async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    await expect(post(`http://hooks.example:${port}/`, { resolve })).rejects.toThrow(
      'the address is not a public one',
    );
    expect(connections).toBe(before);
  });

  it('behind a name without addresses, or one that does not resolve, is refused', async () => {
    await expect(post('http://hooks.example/', { resolve: async () => [] })).rejects.toThrow(
      'the host has no address',
    );
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    await expect(post('http://hooks.example/', { resolve })).rejects.toThrow(
      'the host name could not be resolved (ENOTFOUND)',
    );
  });

  it('of a name that changes its answer is not reached: it is resolved once and pinned', async () => {
    const before = connections;
    const seen: string[] = [];
    const target = await startTarget((request, response) => {
      seen.push(request.headers.host ?? '');
      response.end();
    });
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [{ address: asked === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
    };
    const url = `http://rebinding.example:${target}/`;
    const outbound = createOutbound({ ...toTarget, resolve });
    const given = { headers: {}, body: '{}', signal: new AbortController().signal };
    expect(await outbound.post(url, given)).toEqual({ status: 200, retryAfter: null });
    expect([asked, seen]).toEqual([1, [`rebinding.example:${target}`]]);
    await expect(outbound.post(url, given)).rejects.toThrow('not a public one');
    expect(connections).toBe(before);
  });

  it.each([301, 302, 303, 307, 308])('behind a redirect %i is not followed', async (status) => {
    const before = connections;
    const target = await startTarget((_, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${port}/` }).end();
    });
    expect(await post(`http://127.0.0.2:${target}/`, toTarget)).toEqual({
      status,
      retryAfter: null,
    });
    expect(connections).toBe(before);
  });

  it('in the environment as a proxy is not used', async () => {
    const before = connections;
    const proxies = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'NODE_USE_ENV_PROXY'];
    for (const name of proxies) process.env[name] = `http://127.0.0.1:${port}`;
    onTestFinished(() => {
      for (const name of proxies) delete process.env[name];
    });
    const target = await startTarget((_, response) => response.end());
    expect(await post(`http://127.0.0.2:${target}/`, toTarget)).toEqual({
      status: 200,
      retryAfter: null,
    });
    expect(connections).toBe(before);
  });

  it('would have been counted by the canary', async () => {
    const before = connections;
    await expect(
      post(`http://127.1:${port}/`, { allowed: parseAllowed('127.0.0.1') }),
    ).rejects.toThrow('there was no answer (ECONNRESET)');
    expect(connections).toBe(before + 1);
  });
});

describe('an address that may be called', () => {
  it('gets the body and the headers as they were given', async () => {
    const seen: unknown[] = [];
    const target = await startTarget(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      seen.push(request.method, request.url, request.headers['content-type'], body);
      response.writeHead(204).end();
    });
    expect(await post(`http://127.0.0.2:${target}/a?b=c#d`, toTarget)).toEqual({
      status: 204,
      retryAfter: null,
    });
    expect(seen).toEqual(['POST', '/a?b=c', 'application/json', '{}']);
  });

  it('may be allowed by its name', async () => {
    const target = await startTarget((_, response) => response.end());
    const resolve = async () => [{ address: '127.0.0.2', family: 4 }];
    const allowed = parseAllowed('hooks.internal');
    expect(await post(`http://Hooks.Internal.:${target}/`, { allowed, resolve })).toEqual({
      status: 200,
      retryAfter: null,
    });
  });

  it.each([OUTBOUND_LIMITS.maxAnswerBytes - 1, OUTBOUND_LIMITS.maxAnswerBytes])(
    'may answer with %i bytes, which are read',
    async (length) => {
      const ended: boolean[] = [];
      const target = await startTarget((_, response) => {
        response.on('close', () => ended.push(response.writableFinished));
        response.end('x'.repeat(length));
      });
      expect(await post(`http://127.0.0.2:${target}/`, toTarget)).toEqual({
        status: 200,
        retryAfter: null,
      });
      await expect.poll(() => ended).toEqual([true]);
    },
  );

  it('is cut off when it answers without end', async () => {
    const target = await startTarget((_, response) => {
      const more = () => {
        while (response.write('x'.repeat(16_384)));
      };
      response.on('drain', more);
      more();
    });
    expect(await post(`http://127.0.0.2:${target}/`, toTarget)).toEqual({
      status: 200,
      retryAfter: null,
    });
  });

  it('has answered when its status has come, also when the rest never does', async () => {
    const target = await startTarget((_, response) => response.write('and then'));
    const limits = { ...OUTBOUND_LIMITS, totalMs: 200 };
    const answer = await post(`http://127.0.0.2:${target}/`, { ...toTarget, limits });
    expect(answer.status).toBe(200);
  });

  it('is left at once when it answers with another protocol', async () => {
    const sockets: Socket[] = [];
    const target = createListener((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      const lines = ['HTTP/1.1 101 Switching Protocols', 'connection: upgrade', 'upgrade: other'];
      socket.once('data', () => socket.write([...lines, '', ''].join('\r\n')));
    }).listen(0, '127.0.0.2');
    await once(target, 'listening');
    onTestFinished(() => void target.close());
    const answer = await post(
      `http://127.0.0.2:${(target.address() as AddressInfo).port}/`,
      toTarget,
    );
    expect(answer.status).toBe(101);
    await expect.poll(() => sockets.map(({ closed }) => closed)).toEqual([true]);
  });

  it('is given up when it does not answer in time, or when we stop', async () => {
    const target = await startTarget(() => undefined);
    const url = `http://127.0.0.2:${target}/`;
    const limits = { ...OUTBOUND_LIMITS, totalMs: 50 };
    await expect(post(url, { ...toTarget, limits })).rejects.toThrow('no answer in time');
    const never = () => new Promise<never>(() => undefined);
    await expect(post('http://slow.example/', { limits, resolve: never })).rejects.toThrow(
      'no answer in time',
    );
    await expect(post(url, toTarget, AbortSignal.abort())).rejects.toThrow('interrupted');
  });
});

describe('an encrypted connection', () => {
  it('is checked with the authority that is given for it, and with no other', async () => {
    const server = createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (socket) =>
      socket.on('error', () => undefined).end(),
    );
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const outbound = createOutbound({ allowed: parseAllowed('127.0.0.1') });
    const address = {
      ...{ host: '127.0.0.1', port: (server.address() as AddressInfo).port, isEncrypted: true },
    };
    const connect = (ca: string | null) =>
      outbound.connect({ ...address, ca }, new AbortController().signal);
    for (const ca of [null, RSA_CERTIFICATE]) {
      await expect(connect(ca)).rejects.toThrow('there was no connection');
    }
    (await connect(CERTIFICATE)).destroy();
  });
});
