import { generate, type Packet } from 'mqtt-packet';
import type { Random } from '../support/random.ts';

export interface DeviceCredentials {
  readonly username: string;
  readonly password: string;
  readonly topic: string;
}

export type Version = 4 | 5;

const bytesOf = (packet: Packet, version: Version) =>
  generate(packet, { protocolVersion: version }) as Buffer;

/** CONNECT as a well-behaved client sends it. */
export function connectBytes(
  device: DeviceCredentials,
  version: Version,
  clientId: string,
): Buffer {
  return bytesOf(
    {
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: version,
      clientId,
      clean: true,
      keepalive: 30,
      username: device.username,
      password: Buffer.from(device.password),
      ...(version === 5 ? { properties: { receiveMaximum: 20, sessionExpiryInterval: 0 } } : {}),
    },
    version,
  );
}

/** A packet of every kind that a client may send, before it is mutated. */
export function validPackets(device: DeviceCredentials, version: Version): Buffer[] {
  const { topic } = device;
  const properties =
    version === 5
      ? {
          properties: {
            payloadFormatIndicator: true,
            messageExpiryInterval: 60,
            contentType: 'application/json',
            responseTopic: `${topic}/answer`,
            correlationData: Buffer.from('c'),
            userProperties: { a: 'b' },
          },
        }
      : {};
  const publish = (qos: 0 | 1 | 2, payload: string, path = '') =>
    bytesOf(
      {
        cmd: 'publish',
        topic: `${topic}${path}`,
        payload,
        qos,
        dup: false,
        retain: false,
        ...(qos > 0 ? { messageId: 7 + qos } : {}),
        ...properties,
      },
      version,
    );
  const subscription = { topic: `${topic}/#`, qos: 1 } as const;
  return [
    publish(0, '{"a":1}'),
    publish(1, '{"engine":{"rpm":1800,"hot":true}}'),
    publish(1, '{"timestamp":1700000000000,"data":{"a":1.5,"b":"x"}}'),
    publish(1, '{"dataArray":[{"key":"a","value":1},{"key":"b","value":"y"}]}', '/unit'),
    publish(2, '17', '/bare/scalar'),
    bytesOf({ cmd: 'pubrel', messageId: 9 }, version),
    bytesOf({ cmd: 'puback', messageId: 3 }, version),
    bytesOf({ cmd: 'pubrec', messageId: 3 }, version),
    bytesOf({ cmd: 'pubcomp', messageId: 3 }, version),
    bytesOf({ cmd: 'subscribe', messageId: 5, subscriptions: [subscription] }, version),
    bytesOf({ cmd: 'unsubscribe', messageId: 6, unsubscriptions: [`${topic}/#`] }, version),
    bytesOf({ cmd: 'pingreq' }, version),
  ];
}

const MAX_INSERTED_BYTES = 40;

/** The packet with some damage; the fixed header's length is usually left as it was. */
export function mutated(random: Random, packet: Buffer, others: readonly Buffer[]): Buffer {
  const bytes = Buffer.from(packet);
  switch (random.below(10)) {
    case 0:
      return bytes;
    case 1:
    case 2:
    case 3:
      // Behind the header and the topic: the payload or the properties.
      return flipped(random, bytes, Math.floor(bytes.length / 2), 1 + random.below(4));
    case 4:
      return flipped(random, bytes, 0, 1 + random.below(3));
    case 5:
      return flipped(random, bytes, 0, 1);
    case 6:
      return bytes.subarray(0, random.below(bytes.length + 1));
    case 7: {
      const at = random.below(bytes.length + 1);
      const inserted = Buffer.from(
        Array.from({ length: random.below(MAX_INSERTED_BYTES) }, () => random.below(256)),
      );
      return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)]);
    }
    case 8: {
      const other = random.pick(others);
      return Buffer.concat([bytes.subarray(0, random.below(bytes.length + 1)), other]);
    }
    default:
      if (bytes.length > 1) bytes[1] = random.pick([0, 1, 2, 0x7f, 0x80, 0xff]);
      return bytes;
  }
}

function flipped(random: Random, bytes: Buffer, from: number, times: number): Buffer {
  for (let flip = 0; flip < times && bytes.length > from; flip += 1) {
    bytes[from + random.below(bytes.length - from)] = random.below(256);
  }
  return bytes;
}
