import type { IConnackPacket, IConnectPacket } from 'mqtt-packet';
import type { ProtocolVersion } from './control-packet.ts';
import type { DeliveryLimits } from './delivery.ts';
import { SIGN_IN_REFUSALS, type SignInRefusal } from './reasons.ts';

export const TOPIC_ALIASES = 16;

/** What a client says of itself when it signs in. */
export interface Introduction extends DeliveryLimits {
  readonly version: ProtocolVersion;
  /** Empty when the client leaves it to us. */
  readonly clientId: string;
  readonly username: string | undefined;
  readonly password: Buffer | undefined;
  readonly keepAliveSeconds: number;
  readonly will: Will | null;
  readonly wantsReasons: boolean;
  readonly asksForSession: boolean;
}

/** Published in the name of a client whose connection breaks. */
export interface Will {
  readonly topic: string;
  readonly payload: Buffer;
}

export function introductionOf(packet: IConnectPacket): Introduction | SignInRefusal {
  const { clientId, clean = false, properties = {}, will } = packet;
  const version = packet.protocolVersion ?? 4;
  if (properties.authenticationMethod !== undefined) return SIGN_IN_REFUSALS.badMethod;
  // Nobody could find a session again without its name.
  if (version < 5 && clientId === '' && !clean) return SIGN_IN_REFUSALS.badIdentifier;
  return {
    version,
    clientId,
    username: packet.username,
    password: packet.password,
    keepAliveSeconds: packet.keepalive ?? 0,
    will: will ? { topic: will.topic, payload: Buffer.from(will.payload) } : null,
    receiveMaximum: properties.receiveMaximum ?? 65_535,
    maxPacketBytes: properties.maximumPacketSize ?? Number.POSITIVE_INFINITY,
    wantsReasons: properties.requestProblemInformation ?? true,
    asksForSession: (properties.sessionExpiryInterval ?? 0) > 0,
  };
}

/** Lets a client in. A session ends with its connection, so that none is ever present. */
export function welcomeOf(
  { version, asksForSession }: Introduction,
  assignedClientId: string | null,
  maximumPacketSize: number,
): IConnackPacket {
  const packet = { cmd: 'connack', sessionPresent: false } as const;
  if (version < 5) return { ...packet, returnCode: 0 };
  return {
    ...packet,
    reasonCode: 0,
    properties: {
      topicAliasMaximum: TOPIC_ALIASES,
      maximumPacketSize,
      subscriptionIdentifiersAvailable: false,
      sharedSubscriptionAvailable: false,
      ...(asksForSession ? { sessionExpiryInterval: 0 } : {}),
      ...(assignedClientId === null ? {} : { assignedClientIdentifier: assignedClientId }),
    },
  };
}

export function refusalOf(
  { returnCode, reasonCode }: SignInRefusal,
  version: ProtocolVersion,
): IConnackPacket {
  const packet = { cmd: 'connack', sessionPresent: false } as const;
  return version < 5 ? { ...packet, returnCode } : { ...packet, reasonCode };
}
