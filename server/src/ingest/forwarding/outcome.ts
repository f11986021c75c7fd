import type { Completion, Receipt } from '../message.ts';

/** What became of a message at the node that it was forwarded to. */
export type Outcome =
  | { readonly kind: 'STORED'; readonly receipt: Receipt }
  | { readonly kind: 'FAILED'; readonly error: unknown }
  /** The node did not store it, and never will: it does not act for the Device. */
  | { readonly kind: 'MOVED' };

export const MOVED: Outcome = { kind: 'MOVED' };

/** Completes a message with an outcome that is final. */
export function complete(completion: Completion, outcome: Exclude<Outcome, { kind: 'MOVED' }>) {
  if (outcome.kind === 'STORED') completion.stored(outcome.receipt);
  else completion.failed(outcome.error);
}
