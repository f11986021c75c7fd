import { ByteReader } from './byte-reader.ts';
import { NO_PROPERTIES, PROPERTY, type Properties, readProperties } from './properties.ts';
import type { ProtocolVersion, QoS } from './protocol.ts';
import { CONNECT_REFUSALS, type ConnectRefusal, REASONS } from './reason-codes.ts';
import { isPublishable } from './topic.ts';

/** The content of a CONNECT packet. */
export interface ConnectOptions {
  readonly version: ProtocolVersion;
  /** Empty when the server is to assign one. */
  readonly clientId: string;
  readonly username: string | undefined;
  readonly password: Buffer | undefined;
  readonly keepAliveSeconds: number;
  readonly will: Will | null;
  /** How many unacknowledged messages the client accepts. */
  readonly receiveMaximum: number;
  /** The largest packet that the client accepts. */
  readonly maxPacketBytes: number;
  readonly wantsReasons: boolean;
  readonly sessionExpirySeconds: number;
}

/** Published in the name of a client whose connection breaks. */
export interface Will {
  readonly topic: string;
  readonly payload: Buffer;
  readonly qos: QoS;
  readonly isRetained: boolean;
  /** Encoded for subscribers. */
  readonly properties: Buffer;
  readonly expirySeconds: number | null;
}

export interface RefusedConnect {
  readonly version: ProtocolVersion;
  readonly refusal: ConnectRefusal;
}

const VERSIONS: Readonly<Record<string, readonly number[]>> = { MQTT: [4, 5], MQIsdp: [3] };
/** Bridges of some brokers set this bit, and fall back when they are refused as in 3.1.1. */
const BRIDGE_BIT = 0x80;
const DEFAULT_RECEIVE_MAXIMUM = 65_535;

/** Reads the content of a CONNECT. */
export function readConnect(content: Buffer): ConnectOptions | RefusedConnect {
  const reader = new ByteReader(content, 0, content.length);
  const levels = VERSIONS[reader.text()];
  const level = reader.uint8();
  if (reader.fault !== undefined || levels === undefined) {
    return { version: 4, refusal: CONNECT_REFUSALS.malformed };
  }
  if (!levels.includes(level)) {
    const isNewer = level > 5 && level < BRIDGE_BIT;
    return { version: isNewer ? 5 : 4, refusal: CONNECT_REFUSALS.unsupportedVersion };
  }
  const version = level as ProtocolVersion;
  const options = readOptions(reader, version);
  reader.finish();
  const refusal =
    reader.fault === undefined
      ? refusalOf(options)
      : { returnCode: null, reasonCode: reader.fault };
  return refusal === null ? options : { version, refusal };
}

function refusalOf(options: ConnectOptions & { readonly hasMethod: boolean; isClean: boolean }) {
  const { version, clientId, will, hasMethod, isClean } = options;
  if (hasMethod) return CONNECT_REFUSALS.badMethod;
  // A persistent session needs a client identifier.
  if (version < 5 && clientId === '' && !isClean) return CONNECT_REFUSALS.badIdentifier;
  if (will && !isPublishable(will.topic)) return CONNECT_REFUSALS.badWillTopic;
  return null;
}

function readOptions(reader: ByteReader, version: ProtocolVersion) {
  const flags = readFlags(reader, version);
  const keepAliveSeconds = reader.uint16();
  const properties = version === 5 ? readProperties(reader, 'connect') : NO_PROPERTIES;
  const hasMethod = properties.has(PROPERTY.authenticationMethod);
  if (properties.has(PROPERTY.authenticationData) && !hasMethod) {
    reader.fail(REASONS.protocolError);
  }
  return {
    version,
    hasMethod,
    isClean: flags.isClean,
    keepAliveSeconds,
    clientId: reader.text(),
    will: flags.will ? readWill(reader, version, flags.will) : null,
    username: flags.hasUsername ? reader.text() : undefined,
    password: flags.hasPassword ? reader.binary() : undefined,
    ...limitsOf(properties),
  };
}

function limitsOf(properties: Properties) {
  return {
    receiveMaximum: properties.number(PROPERTY.receiveMaximum) ?? DEFAULT_RECEIVE_MAXIMUM,
    maxPacketBytes: properties.number(PROPERTY.maximumPacketSize) ?? Number.POSITIVE_INFINITY,
    wantsReasons: properties.number(PROPERTY.requestProblemInformation) !== 0,
    sessionExpirySeconds: properties.number(PROPERTY.sessionExpiryInterval) ?? 0,
  };
}

interface WillFlags {
  readonly qos: QoS;
  readonly isRetained: boolean;
}

function readFlags(reader: ByteReader, version: ProtocolVersion) {
  const flags = reader.uint8();
  const hasWill = (flags & 4) !== 0;
  const qos = (flags >> 3) & 3;
  const isRetained = (flags & 0x20) !== 0;
  const hasPassword = (flags & 0x40) !== 0;
  const hasUsername = (flags & 0x80) !== 0;
  const isWillGood = hasWill ? qos < 3 : qos === 0 && !isRetained;
  // Before version 5 a password without a user name has no meaning.
  const isPasswordGood = version === 5 || hasUsername || !hasPassword;
  if ((flags & 1) !== 0 || !isWillGood || !isPasswordGood) {
    reader.fail(CONNECT_REFUSALS.malformed.reasonCode);
  }
  const will: WillFlags | null = hasWill ? { qos: qos as QoS, isRetained } : null;
  return { isClean: (flags & 2) !== 0, will, hasPassword, hasUsername };
}

function readWill(reader: ByteReader, version: ProtocolVersion, flags: WillFlags): Will {
  const properties = version === 5 ? readProperties(reader, 'will') : NO_PROPERTIES;
  return {
    ...flags,
    topic: reader.text(),
    // A copy: it lives as long as the connection, unlike the buffer that it arrived in.
    payload: Buffer.from(reader.binary()),
    properties: properties.forwarded,
    expirySeconds: properties.number(PROPERTY.messageExpiryInterval) ?? null,
  };
}
