import type { ByteReader } from './byte-reader.ts';
import { REASONS } from './reason-codes.ts';

/** Identifiers of MQTT 5 properties. */
export const PROPERTY = {
  payloadFormatIndicator: 0x01,
  messageExpiryInterval: 0x02,
  contentType: 0x03,
  responseTopic: 0x08,
  correlationData: 0x09,
  subscriptionIdentifier: 0x0b,
  sessionExpiryInterval: 0x11,
  authenticationMethod: 0x15,
  authenticationData: 0x16,
  requestProblemInformation: 0x17,
  willDelayInterval: 0x18,
  requestResponseInformation: 0x19,
  reasonString: 0x1f,
  receiveMaximum: 0x21,
  topicAliasMaximum: 0x22,
  topicAlias: 0x23,
  userProperty: 0x26,
  maximumPacketSize: 0x27,
} as const;

const P = PROPERTY;

/** The properties that a client may send, by the part of a packet. */
const ALLOWED = {
  connect: [
    P.sessionExpiryInterval,
    P.receiveMaximum,
    P.maximumPacketSize,
    P.topicAliasMaximum,
    P.requestResponseInformation,
    P.requestProblemInformation,
    P.userProperty,
    P.authenticationMethod,
    P.authenticationData,
  ],
  will: [
    P.willDelayInterval,
    P.payloadFormatIndicator,
    P.messageExpiryInterval,
    P.contentType,
    P.responseTopic,
    P.correlationData,
    P.userProperty,
  ],
  publish: [
    P.payloadFormatIndicator,
    P.messageExpiryInterval,
    P.topicAlias,
    P.responseTopic,
    P.correlationData,
    P.userProperty,
    P.subscriptionIdentifier,
    P.contentType,
  ],
  subscribe: [P.subscriptionIdentifier, P.userProperty],
  unsubscribe: [P.userProperty],
  acknowledgement: [P.reasonString, P.userProperty],
  disconnect: [P.sessionExpiryInterval, P.reasonString, P.userProperty],
} as const;

type Read = (reader: ByteReader) => number | string | Buffer;

const flag: Read = (reader) => {
  const value = reader.uint8();
  if (value > 1) reader.fail(REASONS.protocolError);
  return value;
};
const above0 =
  (read: (reader: ByteReader) => number): Read =>
  (reader) => {
    const value = read(reader);
    if (value === 0) reader.fail(REASONS.protocolError);
    return value;
  };
const uint32: Read = (reader) => reader.uint32();
const text: Read = (reader) => reader.text();
const binary: Read = (reader) => reader.binary();

const READ: Readonly<Record<number, Read>> = {
  [P.payloadFormatIndicator]: flag,
  [P.messageExpiryInterval]: uint32,
  [P.contentType]: text,
  [P.responseTopic]: (reader) => {
    const topic = reader.text();
    if (topic === '' || /[#+]/.test(topic)) reader.fail(REASONS.protocolError);
    return topic;
  },
  [P.correlationData]: binary,
  [P.subscriptionIdentifier]: above0((reader) => reader.varint()),
  [P.sessionExpiryInterval]: uint32,
  [P.authenticationMethod]: text,
  [P.authenticationData]: binary,
  [P.requestProblemInformation]: flag,
  [P.willDelayInterval]: uint32,
  [P.requestResponseInformation]: flag,
  [P.reasonString]: text,
  [P.receiveMaximum]: above0((reader) => reader.uint16()),
  [P.topicAliasMaximum]: (reader) => reader.uint16(),
  [P.topicAlias]: (reader) => {
    const alias = reader.uint16();
    if (alias === 0) reader.fail(REASONS.topicAliasInvalid);
    return alias;
  },
  [P.userProperty]: (reader) => reader.text() + reader.text(),
  [P.maximumPacketSize]: above0((reader) => reader.uint32()),
};

/** The properties that subscribers receive unchanged, in the same order. */
const FORWARDED: ReadonlySet<number> = new Set([
  P.payloadFormatIndicator,
  P.contentType,
  P.responseTopic,
  P.correlationData,
  P.userProperty,
]);

export interface Properties {
  number(id: number): number | undefined;
  has(id: number): boolean;
  /** The encoded properties for subscribers, without the message expiry interval. */
  readonly forwarded: Buffer;
}

const EMPTY = Buffer.alloc(0);

export const NO_PROPERTIES: Properties = {
  number: () => undefined,
  has: () => false,
  forwarded: EMPTY,
};

/** Reads the length and the properties; anything that MQTT forbids is a fault. */
export function readProperties(reader: ByteReader, part: keyof typeof ALLOWED): Properties {
  const length = reader.varint();
  if (length === 0) return NO_PROPERTIES;
  const allowed: readonly number[] = ALLOWED[part];
  const values = new Map<number, number | string | Buffer>();
  const forwarded: Buffer[] = [];
  reader.section(length, () => {
    while (!reader.isAtEnd) {
      const start = reader.at;
      const id = reader.varint();
      const read = READ[id];
      if (read === undefined || !allowed.includes(id)) return reader.fail(REASONS.malformedPacket);
      if (values.has(id) && id !== P.userProperty) return reader.fail(REASONS.protocolError);
      values.set(id, read(reader));
      if (FORWARDED.has(id)) forwarded.push(reader.bytes.subarray(start, reader.at));
    }
  });
  return {
    number(id) {
      const value = values.get(id);
      return typeof value === 'number' ? value : undefined;
    },
    has: (id) => values.has(id),
    forwarded: forwarded.length === 0 ? EMPTY : Buffer.concat(forwarded),
  };
}
