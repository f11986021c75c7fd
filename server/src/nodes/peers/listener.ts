import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { endsWithin, type Log, StartFailure } from '../../runtime/index.ts';
import type { PeerLimits } from './limits.ts';
import {
  isOtherKey,
  OTHER_KEY,
  SOCKET_OPTIONS,
  sessionOptions,
  TLS_OPTIONS,
  widenWindow,
} from './protocol.ts';

export interface ListenerDeps {
  readonly host: string;
  readonly port: number;
  readonly key: Buffer;
  readonly log: Log;
  readonly limits: PeerLimits;
  readonly onStream: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;
}

/** Accepts the connections of nodes that have the key. */
export interface Listener {
  readonly port: number;
  /** Accepts no more, and closes connections once the calls on them have ended. */
  stop(): Promise<void>;
}

export async function startListener(deps: ListenerDeps): Promise<Listener> {
  const sessions = new Set<ServerHttp2Session>();
  const secure = createSessions(deps, sessions);
  const handshakes = new Map<string, Socket>();
  secure.on('secureConnection', (socket: TLSSocket) => handshakes.delete(remoteOf(socket)));
  const server = createServer(SOCKET_OPTIONS, (socket) => {
    socket.on('error', () => undefined);
    if (handshakes.size >= deps.limits.maxPendingHandshakes) {
      socket.destroy();
      return;
    }
    const remote = remoteOf(socket);
    handshakes.set(remote, socket);
    socket.once('close', () => handshakes.delete(remote));
    secure.emit('connection', socket);
  });
  await bound(server, deps);
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close();
      for (const socket of handshakes.values()) socket.destroy();
      const closed = [...sessions].map(closeSession);
      await endsWithin(deps.limits.stopTimeoutMs, Promise.all(closed));
      for (const session of sessions) session.destroy();
    },
  };
}

function createSessions(
  { key, log, limits, onStream }: ListenerDeps,
  sessions: Set<ServerHttp2Session>,
): Http2SecureServer {
  const server = createSecureServer({
    ...TLS_OPTIONS,
    ...sessionOptions(limits),
    pskCallback: () => key,
    handshakeTimeout: limits.handshakeTimeoutMs,
  });
  server.on('tlsClientError', (error, socket) => {
    const address = socket.remoteAddress;
    if (isOtherKey(error)) log.warn({ address }, OTHER_KEY);
    else log.debug({ err: error, address }, 'a connection of a node was not completed');
    socket.destroy();
  });
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    widenWindow(session);
  });
  server.on('sessionError', (error) => log.debug({ err: error }, 'a connection of a node failed'));
  server.on('stream', onStream);
  return server;
}

/** Names a connection among those that are open. */
function remoteOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function closeSession(session: ServerHttp2Session): Promise<void> {
  return new Promise((resolve) => {
    session.close(resolve);
  });
}

/** After the bind, an error concerns one connection that could not be accepted, and is ignored. */
function bound(server: Server, { host, port }: ListenerDeps): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on('error', (error) => reject(listenFailure(error, port)));
    // Not shared by the processes of one machine, unlike the ports of clients.
    server.listen({ host, port, exclusive: true }, resolve);
  });
}

function listenFailure(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartFailure(
      `FIELDWATCH_NODE_ADDRESS: port ${port} is in use by another program; choose another.`,
    );
  }
  if (error.code === 'EACCES') {
    return new StartFailure(
      `FIELDWATCH_NODE_ADDRESS: this user may not listen on port ${port}; choose one above 1023.`,
    );
  }
  return error;
}
