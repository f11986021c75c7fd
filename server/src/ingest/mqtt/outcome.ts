import { Failure, type Log } from '../../runtime/index.ts';
import { REASONS } from './reasons.ts';

/** What became of a message. */
export type Outcome =
  /** Its readings are durable. */
  | { readonly kind: 'TAKEN' }
  /** It never will be taken; sending it again does not help. */
  | { readonly kind: 'REFUSED'; readonly reason: string; readonly reasonCode: number }
  /** It was not taken now, and must come again. */
  | { readonly kind: 'UNTAKEN' }
  /** A fault of ours, which would be the same again. */
  | { readonly kind: 'FAILED' };

export const TAKEN: Outcome = { kind: 'TAKEN' };
export const UNTAKEN: Outcome = { kind: 'UNTAKEN' };

export const refused = (reason: string, reasonCode: number = REASONS.notAuthorized): Outcome => ({
  kind: 'REFUSED',
  reason,
  reasonCode,
});

/** What the client did wrong it would do again; what is away comes back; the rest is our fault. */
export function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof Failure)) return { kind: 'FAILED' };
  if (error.status >= 500) return UNTAKEN;
  return error.code === 'INVALID_REQUEST'
    ? refused(error.message, REASONS.payloadFormatInvalid)
    : refused(error.message);
}

export function noteFailure(log: Log, deviceId: string, error: unknown): void {
  const { kind } = outcomeOf(error);
  if (kind === 'UNTAKEN') log.warn({ err: error, deviceId }, 'a message could not be taken now');
  if (kind === 'FAILED') log.error({ err: error, deviceId }, 'a message could not be taken');
}
