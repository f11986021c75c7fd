import { type IClientOptions, MqttClient } from 'mqtt';
import { createDeferred } from '../../../runtime/index.ts';
import { type BrokerMessage, divertMessages, openBrokerStream } from './broker-stream.ts';
import type { HeldBytes } from './held-bytes.ts';

/** A broker that all connections go to. */
export interface BrokerAddress {
  readonly url: URL;
  readonly maxPacketBytes: number;
  readonly heldBytes: HeldBytes;
  /** MQTT 3.1.1 for a broker that refused MQTT 5. */
  version: 4 | 5;
}

export interface ConnectionOptions {
  readonly clientId: string;
  readonly onMessage: (message: BrokerMessage) => void;
}

/** How long a session waits at the broker for the node that acts for it. MQTT 3.1.1 has no such limit. */
const SESSION_SECONDS = 7 * 24 * 3_600;
/** How many messages the broker sends to a session without an acknowledgement. */
const RECEIVE_MAXIMUM = 64;
const CONNECT_TIMEOUT_MS = 10_000;
const END_TIMEOUT_MS = 2_000;
/** The reason codes of a refused protocol version, of MQTT 3.1.1 and 5. */
const VERSION_REFUSALS: readonly unknown[] = [1, 0x84];
/** From here on a reason code is a refusal. */
const MIN_REFUSAL = 0x80;

/** Connects a session that the broker keeps. Rejects when the broker is not reached or refuses. */
export async function connectSession(
  broker: BrokerAddress,
  options: ConnectionOptions,
): Promise<BrokerConnection> {
  if (broker.version === 4) return await BrokerConnection.open(broker, options, 4);
  try {
    return await BrokerConnection.open(broker, options, 5);
  } catch (error) {
    if (!(error instanceof ConnectFailure && error.mayBeVersion)) throw error;
  }
  const connection = await BrokerConnection.open(broker, options, 4);
  broker.version = 4;
  return connection;
}

/** A connection was not opened. */
export class ConnectFailure extends Error {
  /** Why the broker refused it; undefined when it did not answer. */
  readonly reasonCode: number | undefined;
  /** Whether the protocol version may be the reason; some brokers close without an answer. */
  readonly mayBeVersion: boolean;

  constructor(message: string, reasonCode: unknown, isAnswerMissing = false) {
    super(message);
    this.reasonCode = typeof reasonCode === 'number' ? reasonCode : undefined;
    this.mayBeVersion = isAnswerMissing || VERSION_REFUSALS.includes(reasonCode);
  }
}

/** One connection of a session. */
export class BrokerConnection {
  readonly isSessionPresent: boolean;
  readonly closed: Promise<void>;
  readonly #client: MqttClient;
  readonly #flush: () => void;
  readonly #release: () => void;
  #isClosed = false;

  static async open(
    broker: BrokerAddress,
    { clientId, onMessage }: ConnectionOptions,
    version: 4 | 5,
  ): Promise<BrokerConnection> {
    const transport = openBrokerStream(broker.url);
    const diverted = divertMessages(transport, { ...broker, version, onMessage });
    let isOpen = false;
    for (const event of ['connect', 'secureConnect']) {
      transport.once(event, () => {
        isOpen = true;
      });
    }
    const client = new MqttClient(
      () => diverted.stream,
      clientOptions(broker.url, clientId, version),
    );
    const connected = createDeferred<boolean>();
    client.once('connect', ({ sessionPresent }) => connected.resolve(sessionPresent));
    client.on('error', (error: Error & { code?: unknown }) =>
      connected.reject(new ConnectFailure(error.message, error.code)),
    );
    client.once('close', () =>
      connected.reject(new ConnectFailure('the broker closed the connection', undefined, isOpen)),
    );
    try {
      return new BrokerConnection(client, diverted, await connected.promise);
    } catch (error) {
      client.end(true);
      throw error;
    }
  }

  private constructor(
    client: MqttClient,
    { flush, release }: { readonly flush: () => void; readonly release: () => void },
    isSessionPresent: boolean,
  ) {
    this.#client = client;
    this.#flush = flush;
    this.#release = release;
    this.isSessionPresent = isSessionPresent;
    this.closed = new Promise((resolve) => {
      client.once('close', () => {
        this.#isClosed = true;
        resolve();
      });
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves with those of the filters that the broker refused. */
  async subscribe(filters: readonly string[]): Promise<readonly string[]> {
    // Retained messages are sent for a new subscription only; MQTT 3.1.1 has no such choice.
    const granted = await new Promise<readonly unknown[]>((resolve, reject) => {
      this.#client.subscribe([...filters], { qos: 1, rh: 1 }, (error, _, packet) =>
        packet ? resolve(packet.granted) : reject(error ?? new Error('no SUBACK')),
      );
    });
    return filters.filter((_, index) => Number(granted[index]) >= MIN_REFUSAL);
  }

  async unsubscribe(filters: readonly string[]): Promise<void> {
    await this.#client.unsubscribeAsync([...filters]);
  }

  /** No message of this connection is processed any more. */
  release(): void {
    this.#release();
  }

  /** Ends the connection after the acknowledgements that are due; the broker keeps the session. */
  async end(): Promise<void> {
    await this.#end();
  }

  /** Ends the session too. */
  async endSession(): Promise<void> {
    await this.#end({ properties: { sessionExpiryInterval: 0 } });
  }

  async #end(options: object = {}): Promise<void> {
    this.#flush();
    const ended = new Promise<void>((resolve) => {
      this.#client.end(false, options, () => resolve());
    });
    const timer = setTimeout(() => this.#client.stream.destroy(), END_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
    this.#release();
  }
}

function clientOptions(url: URL, clientId: string, version: 4 | 5): IClientOptions {
  return {
    clientId,
    ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
    protocolVersion: version,
    clean: false,
    ...(version === 5
      ? { properties: { sessionExpiryInterval: SESSION_SECONDS, receiveMaximum: RECEIVE_MAXIMUM } }
      : {}),
    resubscribe: false,
    reconnectPeriod: 0,
    connectTimeout: CONNECT_TIMEOUT_MS,
  };
}
