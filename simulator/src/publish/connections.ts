import { connect, type IClientOptions, type MqttClient } from 'mqtt';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface ConnectionsOptions {
  readonly url: string;
  /** By the name of the gateway. */
  readonly credentials: ReadonlyMap<string, Credentials>;
  /** How long an acknowledgement may take, including an outage of the server. */
  readonly retryTimeoutMs: number;
  readonly say: (line: string) => void;
}

export interface Connections {
  /** Resolves with the acknowledgement; rejects when there is none in time or the server refuses. */
  publish(gateway: string, topic: string, payload: string): Promise<void>;
  end(): Promise<void>;
}

/** The server is unavailable for too long, or refuses this client. */
export class PublishError extends Error {
  override readonly name = 'PublishError';
}

const RECONNECT_MS = 2_000;
const CONNECT_LIMIT_MS = 10_000;
/** The reason codes for wrong credentials, of MQTT 3.1.1 and 5. */
const REFUSALS = new Set([4, 5, 0x86, 0x87]);

/** One connection per gateway, which reconnects by itself. */
export function createConnections(options: ConnectionsOptions): Connections {
  const { url, credentials, retryTimeoutMs, say } = options;
  const clients = new Map<string, MqttClient>();
  const away = new Set<string>();
  /** Ends each publish in flight, because a client that is ended does not settle them. */
  const underWay = new Set<(reason: PublishError) => void>();
  let refusal: PublishError | null = null;

  function open(gateway: string): MqttClient {
    const client = connect(url, settings(credentials.get(gateway)));
    client.on('connect', () => {
      if (away.delete(gateway) && away.size === 0) say('The server is back.');
    });
    client.on('close', () => {
      if (!client.disconnecting && away.size === 0) {
        say(`The server does not answer at ${url}; trying again every ${RECONNECT_MS / 1000} s.`);
      }
      if (!client.disconnecting) away.add(gateway);
    });
    client.on('error', (error: Error & { readonly code?: number | string }) => {
      if (!REFUSALS.has(Number(error.code))) return;
      refusal = new PublishError(
        `The server refused the credentials of "${gateway}". A simulator that was started later has replaced them, or the Device was deactivated.`,
      );
      client.end(true);
      for (const fail of underWay) fail(refusal);
    });
    return client;
  }

  const clientOf = (gateway: string): MqttClient => {
    const client = clients.get(gateway) ?? open(gateway);
    clients.set(gateway, client);
    return client;
  };

  return {
    async publish(gateway, topic, payload) {
      if (refusal) throw refusal;
      const seconds = retryTimeoutMs / 1000;
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(
          () => end(new PublishError(`The server has acknowledged nothing for ${seconds} s.`)),
          retryTimeoutMs,
        );
        const end = (error?: unknown) => {
          clearTimeout(timer);
          underWay.delete(end);
          if (error) reject(error);
          else resolve();
        };
        underWay.add(end);
        clientOf(gateway).publish(topic, payload, { qos: 1 }, end);
      });
    },
    async end() {
      // A client with messages in flight would wait for their acknowledgement without a limit.
      const isForced = underWay.size > 0 || away.size > 0;
      await Promise.all([...clients.values()].map((client) => client.endAsync(isForced)));
      for (const fail of underWay) fail(new PublishError('The simulator has stopped.'));
    },
  };
}

function settings(credentials: Credentials | undefined): IClientOptions {
  return {
    ...credentials,
    protocolVersion: 5,
    reconnectPeriod: RECONNECT_MS,
    connectTimeout: CONNECT_LIMIT_MS,
    // A server whose storage is unavailable refuses a sign-in; wrong credentials end the client.
    reconnectOnConnackError: true,
  };
}
