import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { MqttClient, connect as mqttConnect } from 'mqtt';
import { complain, type Harness } from './harness.ts';
import { KEY, ORGANIZATION_ID } from './service.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly topic: string;
}

export interface Receipt {
  /** When the first attempt began, and when the message was acknowledged. */
  readonly sentAt: number;
  readonly ackedAt: number;
  /** Whether no attempt was left without an answer, which might still be on its way. */
  readonly isClean: boolean;
}

/** Sends one message again and again until it is acknowledged. */
export interface Sender {
  send(payload: object): Promise<Receipt>;
  end(): Promise<void>;
}

const HTTP_LIMIT_MS = 8_000;
const RETRY_MS = 150;

interface Answer {
  readonly status: number;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, timeout: 3_000 });

function post(port: number, path: string, body: string, authorization: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, path, method: 'POST', agent, timeout: HTTP_LIMIT_MS },
        headers: {
          authorization,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', reject);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.on('error', reject);
    sent.end(body);
  });
}

const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

/** As a Device that keeps what it could not deliver. `count` is how many readings are in a message. */
export function createHttpSender(
  harness: Harness,
  { username, password }: Credentials,
  countIn: (payload: object) => number = () => 1,
): Sender {
  const path = `/data/v1/organizations/${ORGANIZATION_ID}/devices/${username}`;
  const authorization = harness.random.below(2)
    ? basic(username, password)
    : basic(KEY.apiKeyId, KEY.apiKeySecret);

  async function attempt(payload: object): Promise<boolean | null> {
    try {
      const { status, text } = await post(
        harness.http.port,
        path,
        JSON.stringify(payload),
        authorization,
      );
      if (status === 200) {
        if (JSON.parse(text).accepted === countIn(payload)) return true;
        complain(harness, `HTTP took only a part of a message: ${text.slice(0, 200)}`);
      } else if (status !== 503 && status !== 429) {
        complain(harness, `HTTP ${status} to a right message: ${text.slice(0, 200)}`);
      }
      return false;
    } catch {
      return null;
    }
  }

  return {
    async send(payload) {
      const sentAt = Date.now();
      for (let isClean = true; ; ) {
        const outcome = await attempt(payload);
        if (outcome === true) return { sentAt, ackedAt: Date.now(), isClean };
        isClean &&= outcome === false;
        await sleep(RETRY_MS);
      }
    },
    end: async () => undefined,
  };
}

export interface MqttWay {
  readonly version: 4 | 5;
  readonly qos: 1 | 2;
  readonly transport: 'tcp' | 'websocket';
}

/** A real client that connects again by itself and sends again what was not acknowledged. */
export function openMqtt(
  harness: Harness,
  { username, password }: Pick<Credentials, 'username' | 'password'>,
  { version, transport }: Pick<MqttWay, 'version' | 'transport'>,
  properties: { readonly receiveMaximum?: number } = {},
): MqttClient {
  const options = {
    ...{ username, password, protocolVersion: version, keepalive: 30, properties },
    ...{ reconnectPeriod: 200, connectTimeout: 8_000, reconnectOnConnackError: true },
    clientId: `torture-${harness.random.below(1_000_000_000)}`,
  };
  const client =
    transport === 'tcp'
      ? new MqttClient(() => connect(harness.mqtt.port, '127.0.0.1'), options)
      : mqttConnect(`ws://127.0.0.1:${harness.http.port}/mqtt`, options);
  client.on('error', () => undefined);
  return client;
}

/** The client of a Device, whose lost connections count. */
export function openDevice(
  harness: Harness,
  credentials: Credentials,
  way: Pick<MqttWay, 'version' | 'transport'>,
): MqttClient {
  const client = openMqtt(harness, credentials, way);
  client.on('close', () => {
    harness.closes.count += 1;
  });
  return client;
}

/** A refusal by a code; a connection that broke is none, and the message is sent again. */
export function noteRefusal(harness: Harness, error: unknown): void {
  if (error instanceof Error && 'code' in error) {
    complain(harness, `MQTT refused a right message: ${error.code} ${error.message}`);
  }
}

export function createMqttSender(harness: Harness, credentials: Credentials, way: MqttWay): Sender {
  const client = openDevice(harness, credentials, way);
  let closes = 0;
  client.on('close', () => {
    closes += 1;
  });
  return {
    async send(payload) {
      const [sentAt, closesBefore] = [Date.now(), closes];
      for (;;) {
        try {
          await client.publishAsync(credentials.topic, JSON.stringify(payload), { qos: way.qos });
          return { sentAt, ackedAt: Date.now(), isClean: closes === closesBefore };
        } catch (error) {
          noteRefusal(harness, error);
          await sleep(RETRY_MS);
        }
      }
    },
    end: async () => {
      await client.endAsync(true);
    },
  };
}

/** Publishes until the message is acknowledged; a refusal of a right message is a fault. */
export async function publishUntilAcknowledged(
  harness: Harness,
  client: MqttClient,
  topic: string,
  payload: object,
  qos: 1 | 2,
): Promise<void> {
  for (;;) {
    try {
      await client.publishAsync(topic, JSON.stringify(payload), { qos });
      return;
    } catch (error) {
      noteRefusal(harness, error);
      await sleep(RETRY_MS);
    }
  }
}
