import { once } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import { operations } from '@fieldwatch/contract';
import { type IClientOptions, type MqttClient, connect as mqttConnect } from 'mqtt';
import { expect } from 'vitest';
import type { TestOrganization } from './server.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly topic: string;
}

export type ProtocolVersion = 4 | 5;

export const VERSIONS: readonly ProtocolVersion[] = [4, 5];

/** Refused with a code, in the words of the version that was spoken. */
export type CodedError = Error & { readonly code: number };

/** What tests of MQTT do again and again, at one server. */
export function mqttCalls(server: TestOrganization) {
  const open: MqttClient[] = [];

  function start(url: string, options: IClientOptions): MqttClient {
    const client = mqttConnect(url, { reconnectPeriod: 0, connectTimeout: 10_000, ...options });
    client.on('error', () => undefined);
    open.push(client);
    return client;
  }

  /** Resolves when signed in, rejects with the server's refusal. */
  async function signIn(
    { username, password }: Pick<Credentials, 'username' | 'password'>,
    options: IClientOptions = {},
    url = server.mqttUrl,
  ): Promise<MqttClient> {
    const client = start(url, { username, password, ...options });
    await new Promise<void>((resolve, reject) => {
      client.once('connect', () => resolve());
      client.once('error', reject);
      client.once('close', () => reject(new Error('closed without an answer')));
    });
    return client;
  }

  return {
    signIn,
    /** A client that is still connecting. */
    start: (
      { username, password }: Pick<Credentials, 'username' | 'password'>,
      options: IClientOptions,
    ) => start(server.mqttUrl, { username, password, ...options }),
    webSocketUrl: `${server.url.replace('http', 'ws')}/mqtt`,
    async endAll() {
      await Promise.all(open.map((client) => client.endAsync(true)));
    },
    async newDevice(body: Record<string, unknown> = {}): Promise<Credentials> {
      const answer = await server.call(operations.createDevice, {
        body: { type: 'CUSTOM_DEVICE', name: 'Device', ...body },
      });
      expect(answer.status, answer.text).toBe(201);
      return answer.body.credentials;
    },
    async newVariable(deviceId: string, topicPropertyPath: string, type = 'NUMBER') {
      const answer = await server.call(operations.createVariable, {
        params: { deviceId },
        body: { topicPropertyPath, type, name: 'Variable', isLoggingEnabled: true },
      });
      expect(answer.status, answer.text).toBe(201);
      return answer.body.id as string;
    },
    /** The latest value, or undefined when there is none. */
    async latest(variableId: string): Promise<unknown> {
      const { body } = await server.call(operations.listLatestValues, {
        query: `ids[]=${variableId}`,
      });
      return body.items[0]?.value;
    },
    raw: () => openRaw(server.mqttPort),
  };
}

/** Every reason code that the server gives for closing. */
export function closing(client: MqttClient): Promise<number | undefined> {
  return new Promise((resolve) => {
    let reasonCode: number | undefined;
    client.on('disconnect', (packet) => {
      reasonCode = packet.reasonCode;
    });
    client.once('close', () => resolve(reasonCode));
  });
}

/** A socket on which a test says what no client would. */
export interface RawClient {
  readonly socket: Socket;
  send(...parts: readonly Buffer[]): void;
  /** Resolves with the first bytes that the server sends. */
  answer(): Promise<Buffer>;
  /** Resolves when the server has closed the connection. */
  closed(): Promise<void>;
}

export async function openRaw(port: number): Promise<RawClient> {
  const socket = connectSocket(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return {
    socket,
    send: (...parts) => void socket.write(Buffer.concat(parts)),
    answer: async () => (await once(socket, 'data'))[0],
    closed() {
      socket.resume();
      return closed;
    },
  };
}

function length(size: number): Buffer {
  const bytes: number[] = [];
  let left = size;
  do {
    bytes.push((left % 128) | (left >= 128 ? 0x80 : 0));
    left = Math.floor(left / 128);
  } while (left > 0);
  return Buffer.from(bytes);
}

function text(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
}

export function packet(header: number, ...body: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(body);
  return Buffer.concat([Buffer.from([header]), length(bytes.length), bytes]);
}

/** CONNECT of MQTT 3.1.1 or 5. */
export function connectPacket(
  { username, password }: Pick<Credentials, 'username' | 'password'>,
  { version = 4, keepAlive = 0 }: { version?: ProtocolVersion; keepAlive?: number } = {},
): Buffer {
  const properties = version === 5 ? [Buffer.from([0])] : [];
  return packet(
    0x10,
    text('MQTT'),
    Buffer.from([version, 0xc2, keepAlive >> 8, keepAlive & 0xff]),
    ...properties,
    text('raw'),
    text(username),
    text(password),
  );
}

/** PUBLISH at QoS 1 of MQTT 3.1.1. */
export function publishPacket(
  topic: string | Buffer,
  payload: string | Buffer,
  messageId = 1,
): Buffer {
  const id = Buffer.from([messageId >> 8, messageId & 0xff]);
  return packet(0x32, text(topic), id, Buffer.from(payload));
}
