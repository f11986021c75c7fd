import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { listenFailure, tlsOptions } from '../../../runtime/index.ts';
import { type Listener, type ListenerOptions, SETTING } from './listening.ts';
import { createReceiveBuffer } from './receive-buffer.ts';
import { tuned } from './tuned.ts';

/** Has the sockets in the main thread. */
export async function listenWithSockets(options: ListenerOptions): Promise<Listener> {
  const { host, port, certificate, onConnection } = options;
  const received = createReceiveBuffer();
  const accept = (socket: Socket) => onConnection(tuned(socket), socket.remoteAddress ?? '');
  const tls = certificate && createTlsServer(tlsOptions(certificate), accept);
  if (tls) limitHandshakes(tls, options);
  const server =
    tls ?? createServer({ pauseOnConnect: true }, (socket) => accept(received(socket)));
  await bound(server, host, port);
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    renewCertificate: (renewed) => tls?.setSecureContext(tlsOptions(renewed)),
    stop: () => void server.close(),
    end: async () => undefined,
  };
}

/** The remote endpoint identifies a connection before and after its handshake. */
const endpointOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

/** Closes connections that do not finish their handshake in time; Node only reports them. */
function limitHandshakes(
  server: TlsServer,
  { handshakeTimeoutMs, onHandshake }: ListenerOptions,
): void {
  const handshakes = new Map<string, () => void>();
  server.on('connection', (socket) => {
    const endpoint = endpointOf(socket);
    const release = onHandshake(socket, socket.remoteAddress ?? '');
    const finish = () => {
      clearTimeout(timer);
      handshakes.delete(endpoint);
      release();
    };
    const timer = setTimeout(() => {
      finish();
      socket.destroy();
    }, handshakeTimeoutMs);
    handshakes.set(endpoint, finish);
    socket.once('close', finish);
  });
  server.on('secureConnection', (socket) => handshakes.get(endpointOf(socket))?.());
  server.on('tlsClientError', (_error, socket) => socket.destroy());
}

/** After the bind, an error concerns one connection that could not be accepted, and is ignored. */
function bound(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const address = { setting: SETTING, host, port };
    server.on('error', (error) => reject(listenFailure(error, address)));
    server.listen({ host, port }, resolve);
  });
}
