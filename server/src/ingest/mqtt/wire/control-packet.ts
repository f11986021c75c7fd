import { generate, type Packet, writeToStream } from 'mqtt-packet';
import { ByteReader } from './byte-reader.ts';
import { PROPERTY, readProperties } from './properties.ts';
import type { ProtocolVersion, QoS } from './protocol.ts';
import { type Fault, REASONS } from './reason-codes.ts';

// Otherwise the first packet creates a buffer for each number of 16 bits, which take 6 MB.
writeToStream.cacheNumbers = false;

export interface SubscriptionRequest {
  readonly filter: string;
  readonly qos: QoS;
  readonly isNoLocal: boolean;
  readonly isRetainAsPublished: boolean;
}

export interface SubscribePacket {
  readonly cmd: 'subscribe';
  readonly messageId: number;
  readonly identifier: number | null;
  readonly requests: readonly SubscriptionRequest[];
}

export interface UnsubscribePacket {
  readonly cmd: 'unsubscribe';
  readonly messageId: number;
  readonly filters: readonly string[];
}

export interface AcknowledgementPacket {
  readonly cmd: 'puback' | 'pubrec' | 'pubrel' | 'pubcomp';
  readonly messageId: number;
  readonly reasonCode: number;
}

/** A packet of a client that has signed in, other than PUBLISH. */
export type ControlPacket =
  | SubscribePacket
  | UnsubscribePacket
  | AcknowledgementPacket
  | { readonly cmd: 'pingreq' }
  | {
      readonly cmd: 'disconnect';
      readonly reasonCode: number;
      readonly sessionExpirySeconds: number;
    };

type Read = (reader: ByteReader, version: ProtocolVersion) => ControlPacket;

const acknowledgement =
  (cmd: AcknowledgementPacket['cmd']): Read =>
  (reader, version) => {
    const messageId = reader.packetId();
    const reasonCode = version === 5 && !reader.isAtEnd ? reader.uint8() : 0;
    if (version === 5 && !reader.isAtEnd) readProperties(reader, 'acknowledgement');
    return { cmd, messageId, reasonCode };
  };

/** Keyed by the first byte: type and flags. Packets that only a server sends are absent. */
const READ: Readonly<Record<number, Read>> = {
  64: acknowledgement('puback'),
  80: acknowledgement('pubrec'),
  98: acknowledgement('pubrel'),
  112: acknowledgement('pubcomp'),
  130: readSubscribe,
  162: readUnsubscribe,
  192: () => ({ cmd: 'pingreq' }),
  224: readDisconnect,
};

const AUTH = 15;
const RESERVED_FLAGS: readonly number[] = [4, 5, 6, 7, 8, 10, 12, 14];

/** Reads one complete packet from its first byte to its end. */
export function readPacket(
  bytes: Buffer,
  at: { readonly start: number; readonly content: number; readonly end: number },
  version: ProtocolVersion,
): ControlPacket | Fault {
  const header = bytes[at.start] as number;
  const read = READ[header];
  if (read === undefined) {
    const type = header >> 4;
    const isKnown = type > 0 && (type < AUTH || version === 5) && !RESERVED_FLAGS.includes(type);
    return isKnown ? REASONS.protocolError : REASONS.malformedPacket;
  }
  const reader = new ByteReader(bytes, at.content, at.end);
  const packet = read(reader, version);
  reader.finish();
  return reader.fault ?? packet;
}

function readSubscribe(reader: ByteReader, version: ProtocolVersion): SubscribePacket {
  const messageId = reader.packetId();
  const properties = version === 5 ? readProperties(reader, 'subscribe') : undefined;
  const requests: SubscriptionRequest[] = [];
  if (reader.isAtEnd) reader.fail(REASONS.protocolError);
  while (!reader.isAtEnd) {
    const filter = reader.text();
    requests.push({ filter, ...readSubscriptionOptions(reader, version) });
  }
  const identifier = properties?.number(PROPERTY.subscriptionIdentifier) ?? null;
  return { cmd: 'subscribe', messageId, identifier, requests };
}

function readSubscriptionOptions(reader: ByteReader, version: ProtocolVersion) {
  const options = reader.uint8();
  const qos = options & 3;
  const reserved = version === 5 ? 0xc0 : 0xfc;
  const retainHandling = (options >> 4) & 3;
  if ((options & reserved) !== 0 || qos === 3) reader.fail(REASONS.malformedPacket);
  if (retainHandling === 3) reader.fail(REASONS.protocolError);
  return {
    qos: qos as QoS,
    isNoLocal: (options & 4) !== 0,
    isRetainAsPublished: (options & 8) !== 0,
  };
}

function readUnsubscribe(reader: ByteReader, version: ProtocolVersion): UnsubscribePacket {
  const messageId = reader.packetId();
  if (version === 5) readProperties(reader, 'unsubscribe');
  const filters: string[] = [];
  if (reader.isAtEnd) reader.fail(REASONS.protocolError);
  while (!reader.isAtEnd) filters.push(reader.text());
  return { cmd: 'unsubscribe', messageId, filters };
}

function readDisconnect(reader: ByteReader, version: ProtocolVersion): ControlPacket {
  const reasonCode = version === 5 && !reader.isAtEnd ? reader.uint8() : 0;
  const properties =
    version === 5 && !reader.isAtEnd ? readProperties(reader, 'disconnect') : undefined;
  const sessionExpirySeconds = properties?.number(PROPERTY.sessionExpiryInterval) ?? 0;
  return { cmd: 'disconnect', reasonCode, sessionExpirySeconds };
}

export function writePacket(packet: Packet, protocolVersion: ProtocolVersion): Buffer {
  return generate(packet, { protocolVersion });
}
