import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { NO_PROXIES } from '../runtime/index.ts';
import { takeUpgrades } from './upgrades.ts';

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function exchange(request: string, trusted = NO_PROXIES): Promise<string> {
  const server = createServer(async (incoming: IncomingMessage, reply) => {
    const body = await text(incoming);
    reply.end(`${incoming.method} ${incoming.url} ${incoming.headers.upgrade} ${body}`);
  });
  takeUpgrades(server, '/socket', trusted, (_, socket, __, address) => {
    socket.end(`taken over from ${address}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const socket = connect(port, '127.0.0.1');
  stops.push(() => socket.destroy());
  socket.write(request);
  let answer = '';
  for await (const chunk of socket) {
    answer += chunk;
    if (/taken over|undefined .*!/.test(answer)) break;
  }
  return answer;
}

const head = (line: string, ...headers: string[]) =>
  [line, 'Host: x', ...headers, '', ''].join('\r\n');

describe('a request for another protocol', () => {
  it('is handed over when it is for a WebSocket at the path', async () => {
    const offer = ['Connection: Upgrade', 'Upgrade: websocket'];
    expect(await exchange(head('GET /socket?x=1 HTTP/1.1', ...offer))).toBe(
      'taken over from 127.0.0.1',
    );
  });

  it('is handed over with the address that trusted proxies name', async () => {
    const offer = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'X-Forwarded-For: 6.6.6.6, 9.9.9.9',
    ];
    const request = head('GET /socket HTTP/1.1', ...offer);
    expect(await exchange(request, { kind: 'hops', count: 1 })).toBe('taken over from 9.9.9.9');
    expect(await exchange(request)).toBe('taken over from 127.0.0.1');
  });

  it('is answered in HTTP elsewhere', async () => {
    const offer = ['Connection: Upgrade', 'Upgrade: websocket', 'Content-Length: 1'];
    const answer = await exchange(`${head('POST /other HTTP/1.1', ...offer)}!`);
    expect(answer).toMatch(/^HTTP\/1.1 200 OK[\s\S]*POST \/other undefined !/);
  });

  it('is answered in HTTP when it offers HTTP/2, with its body', async () => {
    const offer = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AA'];
    const request = `${head('POST /socket HTTP/1.1', ...offer, 'Content-Length: 6')}hello!`;
    expect(await exchange(request)).toMatch(
      /^HTTP\/1.1 200 OK[\s\S]*POST \/socket undefined hello!/,
    );
  });
});
