import type { MqttClient } from 'mqtt';
import { createDeferred } from '../deferred.ts';
import { withTimeout } from '../timeout.ts';
import { brokerAddressOf } from './broker-address.ts';
import { OutboundError } from './destination.ts';
import type { Outbound } from './outbound.ts';

const ANSWER_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_SECONDS = 30;
const END_TIMEOUT_MS = 2_000;

export interface BrokerAccess {
  readonly clientId: string;
  readonly username: string | null;
  readonly password: string | null;
}

/** The options of every client. Whoever connects decides when to connect and to subscribe again. */
export function brokerClientOptions({ clientId, username, password }: BrokerAccess) {
  return {
    clientId,
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    keepalive: KEEP_ALIVE_SECONDS,
    resubscribe: false,
    reconnectPeriod: 0,
    connectTimeout: ANSWER_TIMEOUT_MS,
  };
}

export interface BrokerTarget {
  readonly url: string;
  /** Of authorities that the certificate of the broker is checked with, instead of the known ones. */
  readonly caCertificate?: string | null;
  /** The caller makes the client, so that a program without brokers does not load the package. */
  readonly newClient: (stream: Awaited<ReturnType<Outbound['connect']>>) => MqttClient;
}

/**
 * Connects to a broker that a user chose. Fails with an OutboundError, whose message may be shown to
 * that user.
 */
export async function connectBroker(
  outbound: Outbound,
  { url, caCertificate = null, newClient }: BrokerTarget,
  signal: AbortSignal,
): Promise<MqttClient> {
  const address = brokerAddressOf(url);
  if (!address) throw new OutboundError('the address cannot be read');
  const client = newClient(await outbound.connect({ ...address, ca: caCertificate }, signal));
  const connected = createDeferred<void>();
  client.once('connect', () => connected.resolve());
  client.on('error', (error) =>
    connected.reject(new OutboundError(`the broker refused the connection: ${error.message}`)),
  );
  client.once('close', () =>
    connected.reject(new OutboundError('the broker closed the connection')),
  );
  const abort = () => connected.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await connected.promise;
    return client;
  } catch (error) {
    client.end(true);
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Resolves when the connection is closed, for whatever reason; the client is ended then. */
export function brokerClosed(client: MqttClient): Promise<void> {
  return new Promise((resolve) => {
    client.once('close', () => {
      client.end(true);
      resolve();
    });
  });
}

/** Fails with an OutboundError when the broker does not answer in time, or closes the connection. */
export function brokerAnswer<T>(answer: Promise<T>, closed: Promise<void>): Promise<T> {
  // The client never calls back for a request whose connection has closed.
  const broken = closed.then(() => {
    throw new OutboundError('the broker closed the connection');
  });
  const late = () => new OutboundError('the broker did not answer in time');
  return withTimeout(ANSWER_TIMEOUT_MS, Promise.race([answer, broken]), late);
}

/** Ends the connection after the requests in flight, or without them when that takes too long. */
export async function endBroker(
  client: MqttClient,
  closed: Promise<void>,
  idle: Promise<void> = Promise.resolve(),
): Promise<void> {
  const timer = setTimeout(() => client.stream.destroy(), END_TIMEOUT_MS);
  await Promise.race([idle, closed]);
  const ended = new Promise<void>((resolve) => client.end(false, {}, () => resolve()));
  await Promise.race([ended, closed]);
  clearTimeout(timer);
}
