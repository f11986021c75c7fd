import { Failure, type Log } from '../../../runtime/index.ts';
import { REASONS } from '../wire/index.ts';

/** The outcome of a message. */
export type Outcome =
  /** Its readings are stored. */
  | { readonly kind: 'STORED' }
  /** It is refused for good; sending it again does not help. */
  | { readonly kind: 'REFUSED'; readonly reason: string; readonly reasonCode: number }
  /** It could not be stored for now: the sender has to send it again. */
  | { readonly kind: 'NOT_STORED' };

export const STORED: Outcome = { kind: 'STORED' };
export const NOT_STORED: Outcome = { kind: 'NOT_STORED' };

export const refused = (reason: string, reasonCode: number = REASONS.notAuthorized): Outcome => ({
  kind: 'REFUSED',
  reason,
  reasonCode,
});

/**
 * An error of the client repeats with the same message. Every other failure is the server's and may
 * pass, and a message that is dropped for it would be lost.
 */
export function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof Failure) || error.status >= 500) return NOT_STORED;
  return error.code === 'INVALID_REQUEST'
    ? refused(error.message, REASONS.payloadFormatInvalid)
    : refused(error.message);
}

export function logFailure(log: Log, deviceId: string, error: unknown): void {
  if (outcomeOf(error).kind !== 'NOT_STORED') return;
  const isExpected = error instanceof Failure;
  log[isExpected ? 'warn' : 'error']({ err: error, deviceId }, 'could not store an MQTT message');
}
