import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { isProxy, rateLimitKey, type TrustedProxies } from '../runtime/index.ts';
import type { HttpLimits } from './limits.ts';
import { closeLingering } from './linger.ts';
import { createWaitingConnections } from './waiting-connections.ts';

/**
 * Limits what connections hold whose client has shown no credentials: how many wait, and for how
 * long one stays open after its answer. Every connection is closed so that its last answer arrives.
 */
export function limitConnections(
  app: FastifyInstance,
  limits: HttpLimits,
  trusted: TrustedProxies,
): void {
  const waiting = createWaitingConnections({
    perAddress: limits.maxWaitingPerAddress,
    inAll: limits.maxWaiting,
  });
  const credentialed = new WeakSet<Socket>();
  const wait = (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    waiting.add(socket, isProxy(peer, trusted) ? null : rateLimitKey(peer));
  };
  const accept = (socket: Socket) => {
    socket.destroySoon = () => closeLingering(socket, limits.lingerMs);
    socket.once('close', () => waiting.remove(socket));
    wait(socket);
  };
  const server: object = app.server;
  if (server instanceof TlsServer) {
    // During its handshake a connection waits as the socket below, and afterwards as the one above.
    onSecured(server, { begin: wait, end: waiting.remove });
    server.on('secureConnection', accept);
  } else app.server.on('connection', accept);
  app.server.on('upgrade', (request) => waiting.remove(request.socket));
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.caller) {
      credentialed.add(request.raw.socket);
      waiting.remove(request.raw.socket);
    }
    done(null, payload);
  });
  app.addHook('preHandler', (request, _reply, done) => {
    waiting.remove(request.raw.socket);
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    const { socket } = request.raw;
    if (!credentialed.has(socket)) {
      wait(socket);
      socket.setTimeout(limits.anonymousIdleTimeoutMs);
    }
    done();
  });
}

/** A connection is known by its remote end before and after its handshake. */
const endpointOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

/** Reports the beginning and the end of each handshake, with the socket below TLS. */
function onSecured(
  server: TlsServer,
  handshake: { begin(socket: Socket): void; end(socket: Socket): void },
): void {
  const handshakes = new Map<string, Socket>();
  server.on('connection', (socket) => {
    const endpoint = endpointOf(socket);
    handshakes.set(endpoint, socket);
    handshake.begin(socket);
    socket.once('close', () => {
      handshake.end(socket);
      if (handshakes.get(endpoint) === socket) handshakes.delete(endpoint);
    });
  });
  server.on('secureConnection', (secured) => {
    const endpoint = endpointOf(secured);
    const socket = handshakes.get(endpoint);
    handshakes.delete(endpoint);
    if (socket) handshake.end(socket);
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
}
