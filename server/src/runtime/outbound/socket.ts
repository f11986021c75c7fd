import { connect as connectTcp, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { type Destination, pinned } from './destination.ts';

export interface SocketAddress {
  /** A name or an address, as a URL has it. */
  readonly host: string;
  readonly port: number;
  readonly isEncrypted: boolean;
  /** Authorities that the certificate is checked with, in the form PEM; the known ones otherwise. */
  readonly ca?: string | null;
}

/** Connects to one of the addresses that were checked. The certificate is that of the host. */
export function connectSocket(
  { host, addresses }: Destination,
  { port, isEncrypted, ca = null }: SocketAddress,
  signal: AbortSignal,
): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const options = { host, port, lookup: pinned(addresses) };
    const socket = isEncrypted
      ? connectTls({
          ...options,
          ...(isIP(host) === 0 ? { servername: host } : {}),
          ...(ca === null ? {} : { ca }),
        })
      : connectTcp(options);
    const abort = () => socket.destroy(Object(signal.reason));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    socket.once('error', reject);
    socket.once(isEncrypted ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', abort);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
