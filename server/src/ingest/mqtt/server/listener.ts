import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { type Certificate, StartFailure, tlsOptions } from '../../../runtime/index.ts';
import { createReceiveBuffer } from './receive-buffer.ts';

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  /** With a certificate the port uses TLS. */
  readonly certificate: Certificate | null;
  readonly handshakeTimeoutMs: number;
  readonly onConnection: (socket: Socket, address: string) => void;
  /** Called when a TLS handshake begins. Returns a function to call at its end. */
  readonly onHandshake: (socket: Socket, address: string) => () => void;
}

export interface Listener {
  readonly port: number;
  /** New connections use this certificate. */
  renewCertificate(certificate: Certificate): void;
  /** Accepts no more connections, without a wait for those that are open. */
  stop(): void;
}

const KEEP_ALIVE_MS = 60_000;

export async function listen(options: ListenerOptions): Promise<Listener> {
  const { host, port, certificate, onConnection } = options;
  const received = createReceiveBuffer();
  const accept = (socket: Socket) => {
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    onConnection(socket, socket.remoteAddress ?? '');
  };
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
    server.on('error', (error) => reject(listenFailure(error, host, port)));
    server.listen({ host, port }, resolve);
  });
}

function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartFailure(
      `FIELDWATCH_MQTT_PORT: port ${port} on ${host} is in use by another program; choose another, or 0 for any free one.`,
    );
  }
  if (error.code === 'EACCES') {
    return new StartFailure(
      `FIELDWATCH_MQTT_PORT: this user may not listen on port ${port}; choose one above 1023.`,
    );
  }
  return error;
}
