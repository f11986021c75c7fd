import type { Socket } from 'node:net';
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
  app.server.on('connection', (socket) => {
    socket.destroySoon = () => closeLingering(socket, limits.lingerMs);
    socket.once('close', () => waiting.remove(socket));
    wait(socket);
  });
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
