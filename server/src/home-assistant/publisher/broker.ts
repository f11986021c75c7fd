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
  readonly username: string | null;
  readonly password: string | null;
  /** What the broker says, to all subscribers, when the connection is lost. */
  readonly will: { readonly topic: string; readonly payload: string };
  readonly onMessage: (topic: string, payload: string, isRetained: boolean) => void;
}

export interface Message {
  readonly topic: string;
  readonly payload: string;
}

const ANSWER_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_SECONDS = 30;
const END_TIMEOUT_MS = 2_000;
/** Messages without an acknowledgement of the broker. */
const MAX_CONCURRENT_MESSAGES = 100;
/** The size of an incoming packet, which is a value of a topic of this server's own. */
const MAX_PACKET_BYTES = 256 * 1024;

/** A connection to a broker, over MQTT 5. */
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
    const stream = await outbound.connect(address, signal);
    const client = new MqttClient(() => stream, clientOptions(options));
    limitPackets(client);
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
      return new Broker(client, options.onMessage);
    } catch (error) {
      client.end(true);
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  private constructor(client: MqttClient, onMessage: BrokerOptions['onMessage']) {
    this.#client = client;
    this.closed = new Promise((resolve) => {
      client.once('close', () => {
        this.destroy();
        resolve();
      });
    });
    client.on('message', (topic, payload, { retain }) =>
      onMessage(topic, payload.toString(), retain),
    );
  }

  async subscribe(filters: readonly string[]): Promise<void> {
    // No message of its own comes back.
    const subscribed = this.#client.subscribeAsync([...filters], { qos: 1, nl: true });
    await withTimeout(ANSWER_TIMEOUT_MS, subscribed, late);
  }

  /** Resolves when the broker has taken all messages, which it keeps for later subscribers. */
  async publish(messages: readonly Message[]): Promise<void> {
    for (let first = 0; first < messages.length; first += MAX_CONCURRENT_MESSAGES) {
      const some = messages.slice(first, first + MAX_CONCURRENT_MESSAGES);
      const sent = Promise.all(
        some.map(({ topic, payload }) =>
          this.#client.publishAsync(topic, payload, { qos: 1, retain: true }),
        ),
      );
      await withTimeout(ANSWER_TIMEOUT_MS, sent, late);
    }
  }

  /** Ends at once; what waits for the broker fails. */
  destroy(): void {
    this.#client.end(true);
  }

  async end(): Promise<void> {
    const timer = setTimeout(() => this.destroy(), END_TIMEOUT_MS);
    await new Promise<void>((resolve) => this.#client.end(false, {}, () => resolve()));
    clearTimeout(timer);
  }
}

const late = () => new OutboundError('the broker did not answer in time');

function clientOptions({ clientId, username, password, will }: BrokerOptions) {
  return {
    clientId,
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    protocolVersion: 5,
    clean: true,
    will: { topic: will.topic, payload: Buffer.from(will.payload), qos: 1, retain: true },
    properties: { maximumPacketSize: MAX_PACKET_BYTES },
    keepalive: KEEP_ALIVE_SECONDS,
    resubscribe: false,
    reconnectPeriod: 0,
    connectTimeout: ANSWER_TIMEOUT_MS,
  } as const;
}

/** A broker that ignores the limit of packets loses the connection. */
function limitPackets(client: MqttClient): void {
  let bytes = 0;
  client.stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > 2 * MAX_PACKET_BYTES) client.stream.destroy();
  });
  client.on('packetreceive', () => {
    bytes = 0;
  });
}
