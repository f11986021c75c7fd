import { MqttClient } from 'mqtt';
import {
  type BrokerAccess,
  brokerAnswer,
  brokerClientOptions,
  brokerClosed,
  connectBroker,
  endBroker,
  type Outbound,
} from '../../runtime/index.ts';

export interface BrokerOptions extends BrokerAccess {
  readonly url: string;
  /** What the broker says, to all subscribers, when the connection is lost. */
  readonly will: { readonly topic: string; readonly payload: string };
  readonly onMessage: (topic: string, payload: string, isRetained: boolean) => void;
}

export interface Message {
  readonly topic: string;
  readonly payload: string;
}

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
    const newClient = (stream: MqttClient['stream']) => {
      const client = new MqttClient(() => stream, clientOptions(options));
      limitPackets(client);
      return client;
    };
    const client = await connectBroker(outbound, { url: options.url, newClient }, signal);
    return new Broker(client, options.onMessage);
  }

  private constructor(client: MqttClient, onMessage: BrokerOptions['onMessage']) {
    this.#client = client;
    this.closed = brokerClosed(client);
    client.on('message', (topic, payload, { retain }) =>
      onMessage(topic, payload.toString(), retain),
    );
  }

  async subscribe(filters: readonly string[]): Promise<void> {
    // No message of its own comes back.
    const subscribed = this.#client.subscribeAsync([...filters], { qos: 1, nl: true });
    await brokerAnswer(subscribed, this.closed);
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
      await brokerAnswer(sent, this.closed);
    }
  }

  /** Ends at once; what waits for the broker fails. */
  destroy(): void {
    this.#client.end(true);
  }

  async end(): Promise<void> {
    await endBroker(this.#client, this.closed);
  }
}

function clientOptions({ will, ...access }: BrokerOptions) {
  return {
    ...brokerClientOptions(access),
    protocolVersion: 5,
    clean: true,
    will: { topic: will.topic, payload: Buffer.from(will.payload), qos: 1, retain: true },
    properties: { maximumPacketSize: MAX_PACKET_BYTES },
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
