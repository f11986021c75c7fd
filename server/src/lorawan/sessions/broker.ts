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
import { AcknowledgementQueue } from './acknowledgement-queue.ts';

export interface BrokerOptions extends BrokerAccess {
  readonly url: string;
  /** Of authorities that the certificate of the broker is checked with, instead of the known ones. */
  readonly caCertificate: string | null;
  /** Whether the broker keeps the session, and the messages that come while nobody is connected. */
  readonly isPersistent?: boolean;
  /** MQTT 3.1.1 is 4. */
  readonly version: 4 | 5;
  /**
   * Resolves when the message is durable or of no use; it is acknowledged then. Called for several
   * messages at the same time.
   */
  readonly onMessage: (topic: string, payload: Buffer, delivery: Delivery) => Promise<void>;
}

/** How a message was delivered. */
export interface Delivery {
  readonly isRetained: boolean;
  /** Whether the broker repeats it until it is acknowledged: it was published with QoS 1 or 2. */
  readonly isAcknowledged: boolean;
}

/** How long the broker keeps messages while no node is connected. MQTT 3.1.1 has no such limit. */
const SESSION_SECONDS = 7 * 24 * 3_600;
const MAX_PACKET_BYTES = 1024 * 1024;
const MIN_REFUSAL = 0x80;
/** How many messages are stored at the same time. */
const MAX_IN_FLIGHT = 64;

/** A connection to the broker of a network, with a session that the broker keeps. */
export class Broker {
  readonly closed: Promise<void>;
  readonly #client: MqttClient;
  /** Resolves when the messages in flight are stored and acknowledged, or are not. */
  readonly #idle: () => Promise<void>;

  /** Fails with an OutboundError, whose message may be shown to the user who chose the broker. */
  static async connect(
    outbound: Outbound,
    options: BrokerOptions,
    signal: AbortSignal,
  ): Promise<Broker> {
    const { url, caCertificate, onMessage } = options;
    const inFlight = new Set<Promise<void>>();
    let acknowledgements: AcknowledgementQueue | undefined;
    const newClient = (stream: MqttClient['stream']) => {
      const own = new AcknowledgementQueue(stream);
      acknowledgements = own;
      const client = new MqttClient(() => own.stream, clientOptions(options));
      // The broker sends again what is not acknowledged.
      client.handleMessage = ({ topic, payload, retain, qos }, done) => {
        const delivery = { isRetained: retain, isAcknowledged: qos > 0 };
        const stored = onMessage(topic, Buffer.from(payload), delivery);
        const ended = stored
          .catch(() => void client.end(true))
          .finally(() => inFlight.delete(ended));
        inFlight.add(ended);
        if (qos > 0) own.hold(stored);
        if (inFlight.size < MAX_IN_FLIGHT) done();
        else void Promise.race(inFlight).then(() => done());
      };
      return client;
    };
    const client = await connectBroker(outbound, { url, caCertificate, newClient }, signal);
    return new Broker(client, () => Promise.all(inFlight).then(() => acknowledgements?.released()));
  }

  private constructor(client: MqttClient, idle: () => Promise<void>) {
    this.#client = client;
    this.#idle = idle;
    this.closed = brokerClosed(client);
  }

  async subscribe(filters: readonly string[]): Promise<void> {
    const granted = new Promise<readonly unknown[]>((resolve, reject) => {
      this.#client.subscribe([...filters], { qos: 1 }, (error, _, packet) =>
        packet ? resolve(packet.granted) : reject(error ?? new Error('no SUBACK')),
      );
    });
    const codes = await brokerAnswer(granted, this.closed);
    const refused = filters.filter((_, index) => Number(codes[index]) >= MIN_REFUSAL);
    if (refused.length > 0) {
      throw new OutboundError(`the broker refused the subscription to ${refused.join(', ')}`);
    }
  }

  /** The broker keeps the session, and what comes meanwhile. */
  async end(): Promise<void> {
    await endBroker(this.#client, this.closed, this.#idle());
  }
}

function clientOptions({ version, isPersistent = true, ...access }: BrokerOptions) {
  const properties = {
    sessionExpiryInterval: isPersistent ? SESSION_SECONDS : 0,
    maximumPacketSize: MAX_PACKET_BYTES,
    receiveMaximum: MAX_IN_FLIGHT,
  };
  return {
    ...brokerClientOptions(access),
    protocolVersion: version,
    clean: !isPersistent,
    ...(version === 5 ? { properties } : {}),
  };
}
