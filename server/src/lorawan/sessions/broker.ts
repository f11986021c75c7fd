import { MqttClient } from 'mqtt';
import {
  brokerAddressOf,
  createDeferred,
  type Outbound,
  OutboundError,
  withTimeout,
} from '../../runtime/index.ts';

export interface BrokerOptions {
  readonly url: string;
  readonly clientId: string;
  /** Of authorities that the certificate of the broker is checked with, instead of the known ones. */
  readonly caCertificate: string | null;
  readonly username: string | null;
  readonly password: string | null;
  /** Whether the broker keeps the session, and the messages that come while nobody is connected. */
  readonly isKept?: boolean;
  /** MQTT 3.1.1 is 4. */
  readonly version: 4 | 5;
  /** Resolves when the message is durable or of no use; it is acknowledged then. */
  readonly onMessage: (topic: string, payload: Buffer) => Promise<void>;
}

const ANSWER_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_SECONDS = 30;
const END_TIMEOUT_MS = 2_000;
/** How long the broker keeps messages while no node is connected. MQTT 3.1.1 has no such limit. */
const SESSION_SECONDS = 7 * 24 * 3_600;
const MAX_PACKET_BYTES = 1024 * 1024;
const MIN_REFUSAL = 0x80;

/** A connection to the broker of a network, with a session that the broker keeps. */
export class Broker {
  readonly closed: Promise<void>;
  readonly #client: MqttClient;

  /** Fails with an OutboundError, whose message may be shown to the user who chose the broker. */
  static async connect(
    outbound: Outbound,
    options: BrokerOptions,
    signal: AbortSignal,
  ): Promise<Broker> {
    const address = brokerAddressOf(options.url);
    if (!address) throw new OutboundError('the address cannot be read');
    const stream = await outbound.connect({ ...address, ca: options.caCertificate }, signal);
    const client = new MqttClient(() => stream, clientOptions(options));
    // One at a time, each acknowledged when it is done: the broker sends again what is not.
    client.handleMessage = ({ topic, payload }, done) => {
      options.onMessage(topic, Buffer.from(payload)).then(
        () => done(),
        () => client.end(true),
      );
    };
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
      return new Broker(client);
    } catch (error) {
      client.end(true);
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  private constructor(client: MqttClient) {
    this.#client = client;
    this.closed = new Promise((resolve) => {
      client.once('close', () => {
        client.end(true);
        resolve();
      });
    });
  }

  async subscribe(filters: readonly string[]): Promise<void> {
    const granted = new Promise<readonly unknown[]>((resolve, reject) => {
      this.#client.subscribe([...filters], { qos: 1 }, (error, _, packet) =>
        packet ? resolve(packet.granted) : reject(error ?? new Error('no SUBACK')),
      );
    });
    const codes = await withTimeout(ANSWER_TIMEOUT_MS, granted, () => {
      return new OutboundError('the broker did not answer in time');
    });
    const refused = filters.filter((_, index) => Number(codes[index]) >= MIN_REFUSAL);
    if (refused.length > 0) {
      throw new OutboundError(`the broker refused the subscription to ${refused.join(', ')}`);
    }
  }

  /** The broker keeps the session, and what comes meanwhile. */
  async end(): Promise<void> {
    const timer = setTimeout(() => this.#client.end(true), END_TIMEOUT_MS);
    await new Promise<void>((resolve) => this.#client.end(false, {}, () => resolve()));
    clearTimeout(timer);
  }
}

function clientOptions({ clientId, username, password, version, isKept = true }: BrokerOptions) {
  return {
    clientId,
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    protocolVersion: version,
    clean: !isKept,
    ...(version === 5
      ? {
          properties: {
            sessionExpiryInterval: isKept ? SESSION_SECONDS : 0,
            maximumPacketSize: MAX_PACKET_BYTES,
            receiveMaximum: 64,
          },
        }
      : {}),
    keepalive: KEEP_ALIVE_SECONDS,
    resubscribe: false,
    reconnectPeriod: 0,
    connectTimeout: ANSWER_TIMEOUT_MS,
  };
}
