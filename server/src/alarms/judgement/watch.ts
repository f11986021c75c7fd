import type { AlarmOperator } from '@fieldwatch/contract';

export type Value = number | boolean | string;

/** What of an Alarm its judgement depends on. */
export interface JudgedTerms {
  readonly operator: AlarmOperator;
  /** Without one nothing is ever raised. */
  readonly threshold: Value | null;
  /** How long the condition must hold before an event is raised. */
  readonly holdMs: number;
  /** How far back a number must come over the threshold before it counts as recovered. */
  readonly deadband: number;
  /** How long the condition must fail before the event is cleared. */
  readonly clearDelayMs: number;
}

/** The terms of an Alarm as far as judgement is concerned. */
export function judgedTermsOf(terms: {
  readonly operator: AlarmOperator;
  readonly thresholdValueNumber: number | null;
  readonly thresholdValueString: string | null;
  readonly thresholdValueBoolean: boolean | null;
  readonly delayProcessingSeconds: number | null;
  readonly deadband: number | null;
  readonly clearDelaySeconds: number | null;
}): JudgedTerms {
  return {
    operator: terms.operator,
    threshold:
      terms.thresholdValueNumber ?? terms.thresholdValueString ?? terms.thresholdValueBoolean,
    holdMs: 1_000 * (terms.delayProcessingSeconds ?? 0),
    deadband: terms.deadband ?? 0,
    clearDelayMs: 1_000 * (terms.clearDelaySeconds ?? 0),
  };
}

export interface TimedValue {
  /** Reading time in epoch milliseconds. */
  readonly at: number;
  readonly value: Value;
}

/** A reading that began a hold or a clearing, and its arrival by the clock. */
export interface Beginning extends TimedValue {
  readonly arrivedAt: number;
}

/** What is remembered between readings. `startedAt` names the occurrence. */
export type Watch =
  | { readonly phase: 'CLEAR' }
  | { readonly phase: 'PENDING'; readonly held: Beginning }
  | { readonly phase: 'TRIGGERED'; readonly startedAt: number; readonly raisedAt: number }
  | {
      readonly phase: 'CLEARING';
      readonly startedAt: number;
      readonly raisedAt: number;
      readonly failed: Beginning;
    };

export type ClearedReason = 'RECOVERED' | 'DISABLED' | 'ARCHIVED' | 'RECONFIGURED';

/** What happened to the event of the occurrence that began at `startedAt`. */
export type Transition =
  | {
      readonly kind: 'RAISED';
      readonly startedAt: number;
      readonly at: number;
      readonly value: Value;
    }
  | {
      readonly kind: 'CLEARED';
      readonly startedAt: number;
      readonly at: number;
      readonly value: Value | null;
      readonly reason: ClearedReason;
      /** By a reading of the very time at which it began: another may begin at that time. */
      readonly isAtStart: boolean;
    };

export interface Judgement {
  readonly watch: Watch;
  readonly transitions: readonly Transition[];
}

export const CLEAR: Watch = { phase: 'CLEAR' };

/**
 * Judges one reading that is not older than any before. Null when nothing changes, which is nearly
 * always so. A hold that had run out by the time of the reading is raised before the reading counts.
 */
export function judge(
  watch: Watch,
  terms: JudgedTerms,
  reading: TimedValue,
  arrivedAt: number,
): Judgement | null {
  const { at, value } = reading;
  switch (watch.phase) {
    case 'CLEAR':
      return begins(terms, value) ? rise(terms, { at, value, arrivedAt }) : null;
    case 'PENDING': {
      const endsAt = watch.held.at + terms.holdMs;
      const holds = begins(terms, value);
      if (holds ? at < endsAt : at <= endsAt) return holds ? null : changed(CLEAR);
      const raised = raise(watch.held, terms);
      return holds ? raised : after(raised, judge(raised.watch, terms, reading, arrivedAt));
    }
    case 'TRIGGERED':
      return lasts(terms, value) ? null : fall(watch, terms, { at, value, arrivedAt });
    case 'CLEARING': {
      const endsAt = watch.failed.at + terms.clearDelayMs;
      const holds = lasts(terms, value);
      if (holds ? at <= endsAt : at < endsAt) return holds ? changed(triggered(watch)) : null;
      const cleared = clear(watch, terms);
      return after(cleared, judge(CLEAR, terms, reading, arrivedAt));
    }
  }
}

/**
 * When the clock ends a hold or a clearing without a further reading. A backlog has as long as a live reading. A
 * reading whose time lies after its arrival was timed by a clock that was ahead: that is no reason to
 * wait for it.
 */
export function dueAt(watch: Watch, terms: JudgedTerms): number | null {
  const began = beginningOf(watch);
  if (began === null) return null;
  const delayMs = watch.phase === 'PENDING' ? terms.holdMs : terms.clearDelayMs;
  return began.arrivedAt + delayMs;
}

function beginningOf(watch: Watch): Beginning | null {
  if (watch.phase === 'PENDING') return watch.held;
  return watch.phase === 'CLEARING' ? watch.failed : null;
}

/** Since when readings can be delivered, and how long those of before have to arrive. */
export interface Recovery {
  readonly readySince: number;
  readonly graceMs: number;
}

/** There was no outage. */
export const ALWAYS_READY: Recovery = { readySince: Number.NEGATIVE_INFINITY, graceMs: 0 };

/**
 * When the clock decides. What began before an outage also waits for the readings that Devices could
 * not deliver meanwhile: one of them may break the hold.
 */
function decidedAt(
  watch: Watch,
  terms: JudgedTerms,
  { readySince, graceMs }: Recovery,
): number | null {
  const [began, due] = [beginningOf(watch), dueAt(watch, terms)];
  if (began === null || due === null) return null;
  return began.arrivedAt < readySince ? Math.max(due, readySince + graceMs) : due;
}

/** The judgement of a watch by the clock. */
export function judgeByClock(
  watch: Watch,
  terms: JudgedTerms,
  now: number,
  recovery: Recovery,
): Judgement | null {
  const decided = decidedAt(watch, terms, recovery);
  if (decided === null || decided > now) return null;
  if (watch.phase === 'PENDING') return raise(watch.held, terms);
  return watch.phase === 'CLEARING' ? clear(watch, terms) : null;
}

/** Ends a hold or an event, because its Alarm was edited. */
export function ended(
  watch: Watch,
  reason: Exclude<ClearedReason, 'RECOVERED'>,
  now: number,
): Judgement {
  if (watch.phase === 'CLEAR' || watch.phase === 'PENDING') return changed(CLEAR);
  const { startedAt, raisedAt } = watch;
  const at = Math.max(now, raisedAt);
  return changed(CLEAR, {
    ...{ kind: 'CLEARED', startedAt, at, value: null, reason },
    isAtStart: false,
  });
}

function changed(watch: Watch, ...transitions: Transition[]): Judgement {
  return { watch, transitions };
}

function after(first: Judgement, then: Judgement | null): Judgement {
  return then
    ? { watch: then.watch, transitions: [...first.transitions, ...then.transitions] }
    : first;
}

function rise(terms: JudgedTerms, held: Beginning): Judgement {
  return terms.holdMs === 0 ? raise(held, terms) : changed({ phase: 'PENDING', held });
}

function raise({ at: startedAt, value }: Beginning, { holdMs }: JudgedTerms): Judgement {
  const raisedAt = startedAt + holdMs;
  return changed(
    { phase: 'TRIGGERED', startedAt, raisedAt },
    { kind: 'RAISED', startedAt, at: raisedAt, value },
  );
}

type Open = Extract<Watch, { readonly raisedAt: number }>;
type Clearing = Extract<Watch, { readonly phase: 'CLEARING' }>;

function triggered({ startedAt, raisedAt }: Open): Watch {
  return { phase: 'TRIGGERED', startedAt, raisedAt };
}

function fall({ startedAt, raisedAt }: Open, terms: JudgedTerms, failed: Beginning): Judgement {
  const clearing = { phase: 'CLEARING', startedAt, raisedAt, failed } as const;
  return terms.clearDelayMs === 0 ? clear(clearing, terms) : changed(clearing);
}

/** The clock may have raised at a time that lies behind that of the clearing reading. */
function clear({ startedAt, raisedAt, failed }: Clearing, { clearDelayMs }: JudgedTerms) {
  const at = Math.max(failed.at + clearDelayMs, raisedAt);
  const { value } = failed;
  const isAtStart = failed.at === startedAt;
  return changed(CLEAR, { kind: 'CLEARED', startedAt, at, value, reason: 'RECOVERED', isAtStart });
}

function begins({ operator, threshold }: JudgedTerms, value: Value): boolean {
  return threshold !== null && compare(operator, value, threshold);
}

/** Whether an open event stays open: a number has to come back over the deadband. */
function lasts({ operator, threshold, deadband }: JudgedTerms, value: Value): boolean {
  if (threshold === null) return false;
  if (deadband === 0 || typeof threshold !== 'number') return compare(operator, value, threshold);
  const isUpper = operator === 'GREATER_THAN' || operator === 'GREATER_THAN_OR_EQUAL';
  return compare(operator, value, isUpper ? threshold - deadband : threshold + deadband);
}

function compare(operator: AlarmOperator, value: Value, threshold: Value): boolean {
  switch (operator) {
    case 'LESS_THAN':
      return value < threshold;
    case 'LESS_THAN_OR_EQUAL':
      return value <= threshold;
    case 'GREATER_THAN':
      return value > threshold;
    case 'GREATER_THAN_OR_EQUAL':
      return value >= threshold;
    case 'EQUAL':
      return value === threshold;
    case 'NOT_EQUAL':
      return value !== threshold;
  }
}
