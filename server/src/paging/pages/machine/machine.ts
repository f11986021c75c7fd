import type { PageState, StepEnd } from '@fieldwatch/contract';

/**
 * The decisions of a page, as pure functions. A page runs through the steps of its policy, loop by
 * loop, until somebody acknowledges it, its events clear, or the last loop has ended. Each pair of
 * loop and step is run at most once, and a page that is not resolved always has a next moment at
 * which something is decided, unless it is acknowledged or exhausted for good. While all of its open
 * events are suppressed it waits: nothing is sent, and afterwards it goes on where it stopped.
 */

export interface RunPolicy {
  readonly steps: readonly { readonly afterSeconds: number; readonly unless: StepEnd }[];
  readonly repeat: number;
  readonly acknowledgeTimeoutSeconds: number | null;
  readonly reminderMinutes: number | null;
}

/** A step to come; one past the last step is the end of the loop. */
export interface Due {
  readonly loop: number;
  readonly step: number;
  readonly at: number;
}

export interface Run {
  readonly state: PageState;
  /** The loop that is run, and its last step that was run. */
  readonly loop: number;
  readonly step: number | null;
  /** After this loop the page is exhausted. */
  readonly lastLoop: number;
  readonly next: Due | null;
  /** When it last became active. */
  readonly activeAt: number;
  readonly acknowledgedAt: number | null;
  readonly remindAt: number | null;
  /** A suppressed page goes on then, unless it is found to be suppressed before. */
  readonly resumeAt: number | null;
}

/** What is true of the events of a page. */
export interface Facts {
  readonly openCount: number;
  /** When the last of the active events was acknowledged; null while one is not. */
  readonly acknowledgedAt: number | null;
  /** Set while all of the active events are suppressed: so long after that the page goes on. */
  readonly suppression: { readonly graceMs: number } | null;
}

export type Action =
  | 'RESOLVE'
  | 'SUPPRESS'
  | 'RESUME'
  | 'ACKNOWLEDGE'
  | 'EXPIRE'
  | 'STEP'
  | 'REPEAT'
  | 'EXHAUST'
  | 'REMIND';

/** After the last step as much time passes as before it, and at least this. */
const MIN_LOOP_PAUSE_SECONDS = 300;
/** A suppressed page is looked at this often: not every end of a suppression is reported to it. */
const SUPPRESSED_INTERVAL_MS = 30_000;

/** The run of a page that begins now. */
export function startRun(policy: RunPolicy, now: number): Run {
  return {
    state: 'ACTIVE',
    loop: 0,
    step: null,
    lastLoop: policy.repeat,
    next: { loop: 0, step: 0, at: now + waitBefore(policy, 0) },
    activeAt: now,
    acknowledgedAt: null,
    remindAt: null,
    resumeAt: null,
  };
}

/** What is to be done now; null when nothing is. */
export function actionOf(policy: RunPolicy, run: Run, facts: Facts, now: number): Action | null {
  if (run.state === 'RESOLVED') return null;
  if (facts.openCount === 0) return 'RESOLVE';
  if (run.state === 'SUPPRESSED') {
    return facts.suppression === null && (run.resumeAt ?? 0) <= now ? 'RESUME' : null;
  }
  const isActive = run.state === 'ACTIVE';
  if (isActive && (facts.acknowledgedAt ?? 0) > run.activeAt) return 'ACKNOWLEDGE';
  const due = dueAction(policy, run, now);
  // What is not active has nothing to hold back before something is due.
  return facts.suppression !== null && (isActive || due !== null) ? 'SUPPRESS' : due;
}

function dueAction(policy: RunPolicy, run: Run, now: number): Action | null {
  const { next, remindAt } = run;
  if ((expiresAt(policy, run) ?? Infinity) <= now) return 'EXPIRE';
  if (next !== null && next.at <= now) {
    if (next.step < policy.steps.length) return 'STEP';
    return next.loop < run.lastLoop ? 'REPEAT' : 'EXHAUST';
  }
  return remindAt !== null && remindAt <= now ? 'REMIND' : null;
}

/** When something is to be decided next; null when only a change of the events can. */
export function wakeAt(policy: RunPolicy, run: Run, now: number): number | null {
  if (run.state === 'RESOLVED') return null;
  if (run.state === 'SUPPRESSED') {
    const lookAt = now + SUPPRESSED_INTERVAL_MS;
    return (run.resumeAt ?? 0) > now ? Math.min(run.resumeAt ?? 0, lookAt) : lookAt;
  }
  const times = [run.next?.at ?? null, expiresAt(policy, run), run.remindAt];
  const known = times.filter((each) => each !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function expiresAt({ acknowledgeTimeoutSeconds }: RunPolicy, run: Run): number | null {
  if (run.state !== 'ACKNOWLEDGED' || acknowledgeTimeoutSeconds === null) return null;
  return (run.acknowledgedAt ?? 0) + 1_000 * acknowledgeTimeoutSeconds;
}

/** After a step was run. One that reached nobody is followed by the next at once. */
export function stepped(policy: RunPolicy, run: Run, isReached: boolean, now: number): Run {
  if (run.next === null) return run;
  const { loop, step } = run.next;
  const waitMs = isReached ? waitBefore(policy, step + 1) : 0;
  const next = { loop, step: step + 1, at: now + waitMs };
  const isActive = run.state === 'ACTIVE';
  return { ...run, loop, step, next: isActive ? next : firstUnlessCleared(policy, next) };
}

/** The next loop, from its first step. */
export function repeated(run: Run, now: number): Run {
  return { ...run, next: { loop: run.loop + 1, step: 0, at: now } };
}

export function exhausted(policy: RunPolicy, run: Run, now: number): Run {
  return { ...run, state: 'EXHAUSTED', next: null, remindAt: nextReminder(policy, now) };
}

/** Steps go on only as far as they wait for the events to clear. */
export function acknowledged(policy: RunPolicy, run: Run, now: number): Run {
  const next = run.next && firstUnlessCleared(policy, run.next);
  const remindAt = nextReminder(policy, now);
  return { ...run, state: 'ACKNOWLEDGED', acknowledgedAt: now, next, remindAt, resumeAt: null };
}

const activeFrom = (now: number) =>
  ({
    state: 'ACTIVE',
    activeAt: now,
    acknowledgedAt: null,
    remindAt: null,
    resumeAt: null,
  }) as const;

/** From the first step again, in a loop of its own. */
export function restarted(policy: RunPolicy, run: Run, now: number): Run {
  const loop = run.step === null ? run.loop : run.loop + 1;
  const next = { loop, step: 0, at: now };
  return { ...run, ...activeFrom(now), lastLoop: loop + policy.repeat, next };
}

/** The next step at once, whatever it waits for; after the last one, the first of another loop. */
export function escalated(policy: RunPolicy, run: Run, now: number): Run {
  const step = run.step === null ? 0 : run.step + 1;
  if (step >= policy.steps.length) return restarted(policy, run, now);
  const next = { loop: run.loop, step, at: now };
  return { ...run, ...activeFrom(now), next };
}

/** Somebody else has it now: the next step waits for them. */
export function reassigned(policy: RunPolicy, run: Run, now: number): Run {
  const { next } = escalated(policy, run, now + 1_000 * MIN_LOOP_PAUSE_SECONDS);
  const lastLoop = Math.max(run.lastLoop, next?.loop ?? 0);
  return { ...run, ...activeFrom(now), next, lastLoop };
}

/** An event of an Alarm that chatters joined: steps go on where they were, and nobody is paged now. */
export function reopened(policy: RunPolicy, run: Run, now: number): Run {
  if (run.state !== 'RESOLVED') return run;
  const step = run.step === null ? 0 : run.step + 1;
  const next = { loop: run.loop, step, at: now + waitBefore(policy, step) };
  const active: Run = { ...run, state: 'ACTIVE', next, activeAt: now };
  return run.acknowledgedAt === null ? active : acknowledged(policy, active, now);
}

/** Found to be suppressed now. */
export function suppressed(run: Run, graceMs: number, now: number): Run {
  return { ...run, state: 'SUPPRESSED', resumeAt: now + graceMs };
}

/** As it was before it was suppressed. What became due meanwhile is due now. */
export function resumed(run: Run, now: number): Run {
  const next = run.next && { ...run.next, at: Math.max(run.next.at, now) };
  const unacknowledged = run.next === null ? 'EXHAUSTED' : 'ACTIVE';
  const state = run.acknowledgedAt === null ? unacknowledged : 'ACKNOWLEDGED';
  return { ...run, state, next, resumeAt: null };
}

export function reminded(policy: RunPolicy, run: Run, now: number): Run {
  return { ...run, remindAt: nextReminder(policy, now) };
}

export function resolved(run: Run): Run {
  return { ...run, state: 'RESOLVED', next: null, remindAt: null, resumeAt: null };
}

function nextReminder({ reminderMinutes }: RunPolicy, now: number): number | null {
  return reminderMinutes === null ? null : now + 60_000 * reminderMinutes;
}

function waitBefore({ steps }: RunPolicy, step: number): number {
  const last = steps.at(-1)?.afterSeconds ?? 0;
  return 1_000 * (steps[step]?.afterSeconds ?? Math.max(last, MIN_LOOP_PAUSE_SECONDS));
}

/** The first of the steps from a due one on that waits for clearing alone. */
function firstUnlessCleared(policy: RunPolicy, due: Due): Due | null {
  let { step, at } = due;
  while (step < policy.steps.length) {
    if (policy.steps[step]?.unless === 'CLEARED') return { loop: due.loop, step, at };
    step += 1;
    at += waitBefore(policy, step);
  }
  return null;
}
