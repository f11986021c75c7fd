const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name cannot be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

/** Why a server that an operator named was not reached. `others` are reasons by codes of its protocol. */
export function connectReason(
  error: unknown,
  others: Readonly<Record<string, string>> = {},
): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = others[code] ?? REASONS[code];
  if (reason !== undefined) return reason;
  return error instanceof Error && error.message !== '' ? error.message : 'no answer';
}
