import { MqttClient } from 'mqtt';
import {
  type BrokerAccess,
  brokerAnswer,
  brokerClientOptions,
  brokerClosed,
  connectBroker,
  endBroker,
  type Outbound,
  OutboundError,
} from '../../runtime/index.ts';

export interface BrokerOptions extends BrokerAccess {
  readonly url: string;
  /** Of authorities that the certificate of the broker is checked with, instead of the known ones. */
  readonly caCertificate: string | null;
  /** Whether the broker keeps the session, and the messages that come while nobody is connected. */
  readonly isKept?: boolean;
  /** MQTT 3.1.1 is 4. */
  readonly version: 4 | 5;
  /** Resolves when the message is durable or of no use; it is acknowledged then. */
  readonly onMessage: (topic: string, payload: Buffer, isRetained: boolean) => Promise<void>;
}

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
    const { url, caCertificate, onMessage } = options;
    const newClient = (stream: MqttClient['stream']) => {
      const client = new MqttClient(() => stream, clientOptions(options));
      // One at a time, each acknowledged when it is done: the broker sends again what is not.
      client.handleMessage = ({ topic, payload, retain }, done) => {
        onMessage(topic, Buffer.from(payload), retain).then(
          () => done(),
          () => client.end(true),
        );
      };
      return client;
    };
    return new Broker(await connectBroker(outbound, { url, caCertificate, newClient }, signal));
  }

  private constructor(client: MqttClient) {
    this.#client = client;
    this.closed = brokerClosed(client);
  }

  async subscribe(filters: readonly string[]): Promise<void> {
    const granted = new Promise<readonly unknown[]>((resolve, reject) => {
      this.#client.subscribe([...filters], { qos: 1 }, (error, _, packet) =>
        packet ? resolve(packet.granted) : reject(error ?? new Error('no SUBACK')),
      );
    });
    const codes = await brokerAnswer(granted);
    const refused = filters.filter((_, index) => Number(codes[index]) >= MIN_REFUSAL);
    if (refused.length > 0) {
      throw new OutboundError(`the broker refused the subscription to ${refused.join(', ')}`);
    }
  }

  /** The broker keeps the session, and what comes meanwhile. */
  async end(): Promise<void> {
    await endBroker(this.#client);
  }
}

function clientOptions({ version, isKept = true, ...access }: BrokerOptions) {
  const properties = {
    sessionExpiryInterval: isKept ? SESSION_SECONDS : 0,
    maximumPacketSize: MAX_PACKET_BYTES,
    receiveMaximum: 64,
  };
  return {
    ...brokerClientOptions(access),
    protocolVersion: version,
    clean: !isKept,
    ...(version === 5 ? { properties } : {}),
  };
}
