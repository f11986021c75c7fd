import type { Completion, Receipt } from '../message.ts';

/** What became of a message at the node that it was forwarded to. */
export type Outcome =
  | { readonly kind: 'STORED'; readonly receipt: Receipt }
  | { readonly kind: 'FAILED'; readonly error: unknown }
  | Unfinished;

/** The message has to be sent again. */
export type Unfinished =
  /** The node did not store it, and never will: it does not act for the Device. */
  | { readonly kind: 'MOVED' }
  /** The same, because its time may be in use: this one is reserved for it. */
  | { readonly kind: 'RETIMED'; readonly at: number }
  /** The node may have stored it. */
  | { readonly kind: 'UNKNOWN' };

export const MOVED: Outcome = { kind: 'MOVED' };
export const UNKNOWN: Outcome = { kind: 'UNKNOWN' };

export function isFinal(outcome: Outcome): outcome is Exclude<Outcome, Unfinished> {
  return outcome.kind === 'STORED' || outcome.kind === 'FAILED';
}

/** Completes a message with an outcome that is final. */
export function complete(completion: Completion, outcome: Exclude<Outcome, Unfinished>) {
  if (outcome.kind === 'STORED') completion.stored(outcome.receipt);
  else completion.failed(outcome.error);
}
