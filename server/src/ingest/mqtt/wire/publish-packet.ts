import { ByteReader } from './byte-reader.ts';
import type { Frames } from './frames.ts';
import { NO_PROPERTIES, PROPERTY, type Properties, readProperties } from './properties.ts';
import type { ProtocolVersion, QoS } from './protocol.ts';
import { type Fault, REASONS } from './reason-codes.ts';

/** The offsets of the parts of a PUBLISH in its bytes. */
export interface PublishHead {
  readonly qos: QoS;
  readonly isRetained: boolean;
  /** 0 with QoS 0. */
  readonly messageId: number;
  readonly topicStart: number;
  readonly topicEnd: number;
  /** The topic alias of version 5; 0 when there is none. */
  readonly alias: number;
  readonly properties: Properties;
  readonly payloadStart: number;
}

/** Reads the current packet of the frames. */
export function readPublish(frames: Frames, version: ProtocolVersion): PublishHead | Fault {
  const { bytes, start, content, end } = frames;
  const flags = bytes[start] as number;
  const qos = (flags >> 1) & 3;
  if (qos === 3 || (qos === 0 && (flags & 8) !== 0)) return REASONS.malformedPacket;
  const topicStart = content + 2;
  if (topicStart > end) return REASONS.malformedPacket;
  const topicEnd = topicStart + bytes.readUInt16BE(content);
  let payloadStart = qos === 0 ? topicEnd : topicEnd + 2;
  if (payloadStart > end) return REASONS.malformedPacket;
  const messageId = qos === 0 ? 0 : bytes.readUInt16BE(topicEnd);
  if (qos > 0 && messageId === 0) return REASONS.protocolError;
  let properties = NO_PROPERTIES;
  if (version === 5) {
    // Most messages have no properties, which is one byte.
    if (payloadStart < end && bytes[payloadStart] === 0) payloadStart += 1;
    else {
      const reader = new ByteReader(bytes, payloadStart, end);
      properties = readProperties(reader, 'publish');
      // Only a server sends subscription identifiers.
      if (properties.has(PROPERTY.subscriptionIdentifier)) reader.fail(REASONS.protocolError);
      if (reader.fault !== undefined) return reader.fault;
      payloadStart = reader.at;
    }
  }
  const alias = properties.number(PROPERTY.topicAlias) ?? 0;
  const isRetained = (flags & 1) !== 0;
  return {
    qos: qos as QoS,
    isRetained,
    messageId,
    topicStart,
    topicEnd,
    alias,
    properties,
    payloadStart,
  };
}

/** A message for one subscriber. */
export interface OutgoingPublish {
  readonly topic: string;
  readonly payload: Buffer;
  readonly qos: QoS;
  readonly isRetained: boolean;
  /** 0 with QoS 0. */
  readonly messageId: number;
  /** Encoded, without the two properties below. */
  readonly properties: Buffer;
  readonly expirySeconds: number | null;
  readonly subscriptionIdentifiers: readonly number[];
}

const PUBLISH = 0x30;

export function writePublish(message: OutgoingPublish, version: ProtocolVersion): Buffer {
  const { topic, payload, qos, messageId, isRetained } = message;
  const topicBytes = Buffer.from(topic);
  const parts = [uint16(topicBytes.length), topicBytes];
  if (qos > 0) parts.push(uint16(messageId));
  if (version === 5) {
    const properties = encodeProperties(message);
    parts.push(varint(properties.length), properties);
  }
  parts.push(payload);
  let length = 0;
  for (const part of parts) length += part.length;
  const header = Buffer.from([PUBLISH | (qos << 1) | (isRetained ? 1 : 0)]);
  return Buffer.concat([header, varint(length), ...parts]);
}

function encodeProperties(message: OutgoingPublish): Buffer {
  const { properties, expirySeconds, subscriptionIdentifiers } = message;
  if (expirySeconds === null && subscriptionIdentifiers.length === 0) return properties;
  const parts = [properties];
  if (expirySeconds !== null) {
    const expiry = Buffer.alloc(5, PROPERTY.messageExpiryInterval);
    expiry.writeUInt32BE(expirySeconds, 1);
    parts.push(expiry);
  }
  for (const identifier of subscriptionIdentifiers) {
    parts.push(Buffer.from([PROPERTY.subscriptionIdentifier]), varint(identifier));
  }
  return Buffer.concat(parts);
}

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  do {
    bytes.push((left % 128) | (left >= 128 ? 0x80 : 0));
    left = Math.floor(left / 128);
  } while (left > 0);
  return Buffer.from(bytes);
}
