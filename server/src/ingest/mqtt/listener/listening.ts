import type { Duplex } from 'node:stream';
import type { Certificate } from '../../../runtime/index.ts';

/** The setting of the port, for the operator. */
export const SETTING = 'FIELDWATCH_MQTT_PORT';

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  /** With a certificate the port uses TLS. */
  readonly certificate: Certificate | null;
  /** Whether the sockets have a thread of their own, unless the port uses TLS. */
  readonly hasThread: boolean;
  readonly handshakeTimeoutMs: number;
  /** The thread closes further ones, as long as the main thread closes none. */
  readonly maxConnections: number;
  readonly onConnection: (stream: Duplex, address: string) => void;
  /** Called when a TLS handshake begins. Returns a function to call at its end. */
  readonly onHandshake: (stream: Duplex, address: string) => () => void;
}

export interface Listener {
  readonly port: number;
  /** New connections use this certificate. */
  renewCertificate(certificate: Certificate): void;
  /** Accepts no more connections, without a wait for those that are open. */
  stop(): void;
  /** Called when no connection is open any more. */
  end(): Promise<void>;
}
