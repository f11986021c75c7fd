import { nextAttemptAt } from './retry.ts';

/** The outcome of one attempt. */
export interface Outcome {
  /** The status of the response over HTTP or SMTP; null when there was none. */
  readonly status: number | null;
  /** Null when it was delivered. */
  readonly error: string | null;
  readonly durationMs: number;
  /** A retry cannot succeed. */
  readonly isFinal: boolean;
  /** It says nothing about the target: nothing was sent there. */
  readonly isOurs: boolean;
  /** The message may have arrived: it is not repeated before the claim on the attempt has ended. */
  readonly isUnknown?: boolean;
  /** The pause that the target requested. */
  readonly requestedPauseMs?: number;
}

/** The state of a delivery after an attempt. */
export interface DeliveryResult {
  readonly state: 'PENDING' | 'DELIVERED' | 'FAILED';
  readonly nextAt: number | null;
}

export function resultOf(
  delivery: { readonly attempts: number; readonly startedAt: number },
  outcome: Outcome,
  { now, random }: { readonly now: number; readonly random: number },
): DeliveryResult {
  if (outcome.error === null) return { state: 'DELIVERED', nextAt: null };
  const { requestedPauseMs = 0 } = outcome;
  const attempted = { ...delivery, attempts: delivery.attempts + 1, requestedPauseMs };
  const nextAt = outcome.isFinal ? null : nextAttemptAt(attempted, now, random);
  return nextAt === null ? { state: 'FAILED', nextAt } : { state: 'PENDING', nextAt };
}

/** Consecutive failures of a target after these outcomes; one delivered message resets them. */
export function failuresAfter(before: number, outcomes: readonly Outcome[]): number {
  const sent = outcomes.filter(({ isOurs }) => !isOurs);
  if (sent.some(({ error }) => error === null)) return 0;
  return before + sent.length;
}
