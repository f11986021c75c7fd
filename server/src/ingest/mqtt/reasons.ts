/** MQTT 5 reason codes that we send ourselves. */
export const REASONS = {
  protocolError: 0x82,
  notAuthorized: 0x87,
  serverBusy: 0x89,
  topicNameInvalid: 0x90,
  administrativeAction: 0x98,
} as const;

/** MQTT 3.1.1 return codes of a refused sign-in; the broker translates them for MQTT 5. */
export const SIGN_IN_REFUSALS = {
  badIdentifier: { returnCode: 2, message: 'the client identifier is not usable' },
  unavailable: { returnCode: 3, message: 'the server cannot take this client now' },
  wrong: { returnCode: 4, message: 'the Device id or its password is wrong' },
  notAllowed: { returnCode: 5, message: 'the Device may not sign in' },
} as const;

export type SignInRefusal = (typeof SIGN_IN_REFUSALS)[keyof typeof SIGN_IN_REFUSALS];
