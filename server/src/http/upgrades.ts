import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { clientAddress, type TrustedProxies } from '../runtime/index.ts';

/**
 * Takes a connection over for a WebSocket. `head` is what already came behind the request,
 * `address` the client's.
 */
export type TakeUpgrade = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  address: string,
) => void;

/**
 * Hands requests for a WebSocket at the given path over. Every other request for another protocol
 * is answered in this one, as RFC 9110 lets a server do: some clients offer HTTP/2 with each
 * request.
 */
export function takeUpgrades(
  server: Server,
  path: string,
  trusted: TrustedProxies,
  take: TakeUpgrade,
): void {
  server.on('upgrade', (request, socket, head) => {
    if (isWebSocket(request) && request.url?.split('?', 1)[0] === path) {
      const forwardedFor = request.headers['x-forwarded-for'];
      const address = clientAddress(request.socket.remoteAddress, forwardedFor, trusted);
      take(request, socket, head, address);
      return;
    }
    socket.unshift(Buffer.concat([withoutUpgrade(request), head]));
    server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
  });
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

const UPGRADE_HEADERS = new Set(['connection', 'upgrade', 'http2-settings']);

/** The bytes of the request without the headers of its upgrade. */
function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!UPGRADE_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
