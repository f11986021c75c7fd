import { type ProtocolVersion, readPacket } from './control-packet.ts';
import type { Frames } from './frames.ts';
import { REASONS } from './reasons.ts';

export type QoS = 0 | 1 | 2;

/** Where the parts of a PUBLISH are in its bytes. */
export interface PublishHead {
  readonly qos: QoS;
  /** 0 with QoS 0, which has none. */
  readonly messageId: number;
  readonly topicStart: number;
  readonly topicEnd: number;
  /** Stands for a topic, in version 5; 0 when there is none. */
  readonly alias: number;
  readonly payloadStart: number;
}

/** The reason for closing the connection. */
export type Fault = (typeof REASONS)[keyof typeof REASONS];

const MOST_LENGTH_BYTES = 4;

/** Reads the packet at which the frames stand. */
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
  let alias = 0;
  if (version === 5) {
    const properties = readProperties(frames, payloadStart);
    if (typeof properties === 'number') return properties;
    payloadStart = properties.end;
    alias = properties.alias;
  }
  return { qos: qos as QoS, messageId, topicStart, topicEnd, alias, payloadStart };
}

const malformed = REASONS.malformedPacket;

function readProperties(frames: Frames, start: number): { end: number; alias: number } | Fault {
  const { bytes } = frames;
  let size = 0;
  for (let place = 0; place < MOST_LENGTH_BYTES; place += 1) {
    if (start + place >= frames.end) return malformed;
    const byte = bytes[start + place] as number;
    size += (byte & 127) * 128 ** place;
    if (byte > 127) continue;
    const end = start + place + 1 + size;
    if (end > frames.end) return malformed;
    return size === 0 ? { end, alias: 0 } : readAlias(frames, end);
  }
  return malformed;
}

/** Properties are rare, and only one of them concerns us. */
function readAlias(frames: Frames, end: number): { end: number; alias: number } | Fault {
  const packet = readPacket(frames.bytes.subarray(frames.start, frames.end), 5);
  if (packet?.cmd !== 'publish') return malformed;
  const { topicAlias, subscriptionIdentifier } = packet.properties ?? {};
  if (subscriptionIdentifier !== undefined) return REASONS.protocolError;
  if (topicAlias === undefined) return { end, alias: 0 };
  return topicAlias > 0 ? { end, alias: topicAlias } : REASONS.topicAliasInvalid;
}
