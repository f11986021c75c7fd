import type { IConnackPacket } from 'mqtt-packet';
import type { ConnectOptions } from './connect-packet.ts';
import type { ProtocolVersion } from './protocol.ts';
import type { ConnectRefusal } from './reason-codes.ts';

export const TOPIC_ALIASES = 16;

const CONNACK = { cmd: 'connack', sessionPresent: false } as const;

/**
 * Accepts a client. A session ends with its connection, so that none is ever present. Everything
 * else is at the standard's defaults: QoS 2, wildcards, subscription identifiers and 65 535
 * unacknowledged messages are all supported.
 */
export function connack(
  { version, sessionExpirySeconds }: ConnectOptions,
  assignedClientId: string | null,
  maximumPacketSize: number,
): IConnackPacket {
  if (version < 5) return { ...CONNACK, returnCode: 0 };
  return {
    ...CONNACK,
    reasonCode: 0,
    properties: {
      topicAliasMaximum: TOPIC_ALIASES,
      maximumPacketSize,
      retainAvailable: false,
      sharedSubscriptionAvailable: false,
      ...(sessionExpirySeconds > 0 ? { sessionExpiryInterval: 0 } : {}),
      ...(assignedClientId === null ? {} : { assignedClientIdentifier: assignedClientId }),
    },
  };
}

/** Null when the version has no code for it: the connection is then closed without a packet. */
export function refusalConnack(
  { returnCode, reasonCode }: ConnectRefusal,
  version: ProtocolVersion,
): IConnackPacket | null {
  if (version === 5) return { ...CONNACK, reasonCode };
  return returnCode === null ? null : { ...CONNACK, returnCode };
}
