import { Failure, type Log } from '../../../runtime/index.ts';
import { REASONS } from '../wire/index.ts';

/** What became of a message. */
export type Outcome =
  /** Its readings are durable. */
  | { readonly kind: 'TAKEN' }
  /** It never will be taken; sending it again does not help. */
  | { readonly kind: 'REFUSED'; readonly reason: string; readonly reasonCode: number }
  /** It was not stored, and must come again: whoever sent it still has to keep it. */
  | { readonly kind: 'UNTAKEN' };

export const TAKEN: Outcome = { kind: 'TAKEN' };
export const UNTAKEN: Outcome = { kind: 'UNTAKEN' };

export const refused = (reason: string, reasonCode: number = REASONS.notAuthorized): Outcome => ({
  kind: 'REFUSED',
  reason,
  reasonCode,
});

/**
 * What the client did wrong it would do again. Every other failure is ours: it may pass, and a message
 * that is dropped for it is lost.
 */
export function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof Failure) || error.status >= 500) return UNTAKEN;
  return error.code === 'INVALID_REQUEST'
    ? refused(error.message, REASONS.payloadFormatInvalid)
    : refused(error.message);
}

export function noteFailure(log: Log, deviceId: string, error: unknown): void {
  if (outcomeOf(error).kind !== 'UNTAKEN') return;
  const isExpected = error instanceof Failure;
  log[isExpected ? 'warn' : 'error']({ err: error, deviceId }, 'a message could not be stored');
}
