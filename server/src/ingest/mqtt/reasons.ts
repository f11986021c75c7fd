/** MQTT 5 reason codes that we send. */
export const REASONS = {
  unspecified: 0x80,
  malformedPacket: 0x81,
  protocolError: 0x82,
  notAuthorized: 0x87,
  serverBusy: 0x89,
  serverShuttingDown: 0x8b,
  badAuthenticationMethod: 0x8c,
  keepAliveTimeout: 0x8d,
  sessionTakenOver: 0x8e,
  topicFilterInvalid: 0x8f,
  topicNameInvalid: 0x90,
  topicAliasInvalid: 0x94,
  packetTooLarge: 0x95,
  quotaExceeded: 0x97,
  administrativeAction: 0x98,
  payloadFormatInvalid: 0x99,
  subscriptionIdentifiersNotSupported: 0xa1,
} as const;

/** Why a sign-in is refused, in the words of MQTT 3.1.1 and of MQTT 5. */
export const SIGN_IN_REFUSALS = {
  badIdentifier: { returnCode: 2, reasonCode: 0x85 },
  unavailable: { returnCode: 3, reasonCode: 0x88 },
  wrong: { returnCode: 4, reasonCode: 0x86 },
  notAllowed: { returnCode: 5, reasonCode: 0x87 },
  badMethod: { returnCode: 5, reasonCode: REASONS.badAuthenticationMethod },
} as const;

export type SignInRefusal = (typeof SIGN_IN_REFUSALS)[keyof typeof SIGN_IN_REFUSALS];

/** What clients are refused. */
export type Refused = 'signIn' | 'subscription' | 'message';
