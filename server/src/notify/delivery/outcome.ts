import { nextAttemptAt } from './retry.ts';

/** What one attempt came to. */
export interface Outcome {
  /** Of an answer over HTTP or SMTP; null when there was none. */
  readonly status: number | null;
  /** Null when it was delivered. */
  readonly error: string | null;
  readonly durationMs: number;
  /** Trying again cannot help. */
  readonly isFinal: boolean;
  /** It says nothing about the target: nothing was sent there. */
  readonly isOurs: boolean;
  /** The message may have arrived: it is not repeated before the claim on the attempt has ended. */
  readonly isUnknown?: boolean;
  /** How long the target asks to be left alone. */
  readonly askedPauseMs?: number;
}

/** What a delivery becomes by an attempt. */
export interface Settled {
  readonly state: 'PENDING' | 'DELIVERED' | 'FAILED';
  readonly nextAt: number | null;
}

export function settle(
  delivery: { readonly attempts: number; readonly startedAt: number },
  outcome: Outcome,
  { now, random }: { readonly now: number; readonly random: number },
): Settled {
  if (outcome.error === null) return { state: 'DELIVERED', nextAt: null };
  const { askedPauseMs = 0 } = outcome;
  const attempted = { ...delivery, attempts: delivery.attempts + 1, askedPauseMs };
  const nextAt = outcome.isFinal ? null : nextAttemptAt(attempted, now, random);
  return nextAt === null ? { state: 'FAILED', nextAt } : { state: 'PENDING', nextAt };
}

/** Failures of a target in a row after these outcomes; anything that arrives ends the row. */
export function failuresAfter(before: number, outcomes: readonly Outcome[]): number {
  const told = outcomes.filter(({ isOurs }) => !isOurs);
  if (told.some(({ error }) => error === null)) return 0;
  return before + told.length;
}
