/** The MQTT 5 reason codes that the server sends. */
export const REASONS = {
  unspecified: 0x80,
  malformedPacket: 0x81,
  protocolError: 0x82,
  unsupportedProtocolVersion: 0x84,
  notAuthorized: 0x87,
  serverBusy: 0x89,
  serverShuttingDown: 0x8b,
  badAuthenticationMethod: 0x8c,
  keepAliveTimeout: 0x8d,
  sessionTakenOver: 0x8e,
  topicFilterInvalid: 0x8f,
  topicNameInvalid: 0x90,
  packetIdentifierNotFound: 0x92,
  topicAliasInvalid: 0x94,
  packetTooLarge: 0x95,
  quotaExceeded: 0x97,
  administrativeAction: 0x98,
  payloadFormatInvalid: 0x99,
  sharedSubscriptionsNotSupported: 0x9e,
} as const;

/** The reason for closing the connection. */
export type Fault = (typeof REASONS)[keyof typeof REASONS];

/** A refused CONNECT in the codes of both versions. Without a return code, MQTT 3.1.1 has none. */
export interface ConnectRefusal {
  readonly returnCode: number | null;
  readonly reasonCode: number;
}

export const CONNECT_REFUSALS = {
  malformed: { returnCode: null, reasonCode: REASONS.malformedPacket },
  unsupportedVersion: { returnCode: 1, reasonCode: REASONS.unsupportedProtocolVersion },
  badIdentifier: { returnCode: 2, reasonCode: 0x85 },
  unavailable: { returnCode: 3, reasonCode: 0x88 },
  quotaExceeded: { returnCode: 3, reasonCode: REASONS.quotaExceeded },
  wrong: { returnCode: 4, reasonCode: 0x86 },
  notAllowed: { returnCode: 5, reasonCode: 0x87 },
  badMethod: { returnCode: 5, reasonCode: REASONS.badAuthenticationMethod },
  badWillTopic: { returnCode: null, reasonCode: REASONS.topicNameInvalid },
  tooLarge: { returnCode: null, reasonCode: REASONS.packetTooLarge },
} as const satisfies Record<string, ConnectRefusal>;

/** The kinds of refused requests. */
export type Refused = 'signIn' | 'subscription' | 'message';
