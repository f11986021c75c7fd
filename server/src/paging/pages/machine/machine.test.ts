import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action, Facts, Run, RunPolicy } from './machine.ts';
import * as machine from './machine.ts';

const NOW = 1_800_000_000_000;
const SECOND = 1_000;

const policyOf = (fields: Partial<RunPolicy> = {}): RunPolicy => ({
  steps: [
    { afterSeconds: 0, unless: 'ACKNOWLEDGED' },
    { afterSeconds: 600, unless: 'ACKNOWLEDGED' },
  ],
  repeat: 0,
  acknowledgeTimeoutSeconds: null,
  reminderMinutes: null,
  ...fields,
});
const open: Facts = { openCount: 1, acknowledgedAt: null, suppression: null };
const cleared: Facts = { openCount: 0, acknowledgedAt: null, suppression: null };

/** Lets a page run by itself until nothing more is due; returns what it did, each with its second. */
function played(
  policy: RunPolicy,
  isReached: (step: number) => boolean,
  facts = open,
  maxActions = 500,
) {
  let run = machine.startRun(policy, NOW);
  let now = NOW;
  const done: { action: Action; at: number; loop: number; step: number | null }[] = [];
  while (done.length < maxActions) {
    const action = machine.actionOf(policy, run, facts, now);
    if (action === null) {
      const wakeAt = machine.wakeAt(policy, run, now);
      if (wakeAt === null) break;
      expect(wakeAt).toBeGreaterThan(now);
      now = wakeAt;
      continue;
    }
    run = apply(policy, run, action, { isReached: isReached(run.next?.step ?? 0), now });
    done.push({ action, at: (now - NOW) / SECOND, loop: run.loop, step: run.step });
  }
  return { run, done };
}

function apply(
  policy: RunPolicy,
  run: Run,
  action: Action,
  { isReached, now }: { isReached: boolean; now: number },
): Run {
  if (action === 'STEP') return machine.stepped(policy, run, isReached, now);
  if (action === 'REPEAT') return machine.repeated(run, now);
  if (action === 'EXHAUST') return machine.exhausted(policy, run, now);
  if (action === 'ACKNOWLEDGE') return machine.acknowledged(policy, run, now);
  if (action === 'EXPIRE') return machine.restarted(policy, run, now);
  if (action === 'SUPPRESS') return machine.suppressed(run, 0, now);
  if (action === 'RESUME') return machine.resumed(run, now);
  if (action === 'REMIND') return machine.reminded(policy, run, now);
  return machine.resolved(run);
}

const summaryOf = (policy: RunPolicy, isReached: (step: number) => boolean = () => true) =>
  played(policy, isReached).done.map(({ action, at, step }) =>
    action === 'STEP' ? `step ${step} at ${at}` : `${action} at ${at}`,
  );

describe('a page that nobody acknowledges', () => {
  it('runs its steps in time, repeats them and is exhausted', () => {
    expect(summaryOf(policyOf({ repeat: 1 }))).toEqual([
      'step 0 at 0',
      'step 1 at 600',
      'REPEAT at 1200',
      'step 0 at 1200',
      'step 1 at 1800',
      'EXHAUST at 2400',
    ]);
  });

  it('goes on at once after a step that reached nobody', () => {
    expect(summaryOf(policyOf(), (step) => step === 1)).toEqual([
      'step 0 at 0',
      'step 1 at 0',
      'EXHAUST at 600',
    ]);
    expect(summaryOf(policyOf({ repeat: 9 }), () => false).at(-1)).toBe('EXHAUST at 0');
  });

  it('runs each step of each loop once, and ends, whatever the policy and whoever is reached', () => {
    const step = fc.record({
      afterSeconds: fc.integer({ min: 0, max: 86_400 }),
      unless: fc.constantFrom('ACKNOWLEDGED' as const, 'CLEARED' as const),
    });
    const policies = fc.record({
      steps: fc.array(step, { minLength: 1, maxLength: 20 }),
      repeat: fc.nat(9),
      acknowledgeTimeoutSeconds: fc.constant(null),
      reminderMinutes: fc.constant(null),
    });
    fc.assert(
      fc.property(policies, fc.func(fc.boolean()), (policy, isReached) => {
        const { run, done } = played(policy, isReached);
        const steps = done.filter(({ action }) => action === 'STEP');
        expect(run.state).toBe('EXHAUSTED');
        expect(new Set(steps.map(({ loop, step: at }) => `${loop} ${at}`)).size).toBe(steps.length);
        expect(steps).toHaveLength(policy.steps.length * (policy.repeat + 1));
      }),
    );
  });
});

describe('an acknowledged page', () => {
  const begun = (policy: RunPolicy) =>
    machine.stepped(policy, machine.startRun(policy, NOW), true, NOW);

  it('runs no more steps, and starts again in a new loop after its time', () => {
    const policy = policyOf({ acknowledgeTimeoutSeconds: 900 });
    const run = machine.acknowledged(policy, begun(policy), NOW);
    expect(machine.wakeAt(policy, run, NOW)).toBe(NOW + 900 * SECOND);
    expect(machine.actionOf(policy, run, open, NOW + 899 * SECOND)).toBeNull();
    expect(machine.actionOf(policy, run, cleared, NOW + 900 * SECOND)).toBe('RESOLVE');
    expect(machine.actionOf(policy, run, open, NOW + 900 * SECOND)).toBe('EXPIRE');
    const again = machine.restarted(policy, run, NOW + 900 * SECOND);
    expect(again).toMatchObject({ state: 'ACTIVE', next: { loop: 1, step: 0 }, lastLoop: 1 });
    // The acknowledgement of the event that has expired does not count a second time.
    const facts = { ...open, acknowledgedAt: NOW };
    expect(machine.actionOf(policy, again, facts, NOW + 900 * SECOND)).toBe('STEP');
  });

  it('still runs steps that wait for the events to clear, at their time', () => {
    const steps = [
      { afterSeconds: 0, unless: 'ACKNOWLEDGED' as const },
      { afterSeconds: 300, unless: 'ACKNOWLEDGED' as const },
      { afterSeconds: 3_600, unless: 'CLEARED' as const },
    ];
    const policy = policyOf({ steps });
    const run = machine.acknowledged(policy, begun(policy), NOW + SECOND);
    expect(run.next).toEqual({ loop: 0, step: 2, at: NOW + 3_900 * SECOND });
    const after = machine.stepped(policy, run, true, NOW + 3_900 * SECOND);
    expect(after).toMatchObject({ state: 'ACKNOWLEDGED', next: null });
  });

  it('reminds in its interval, and no more once it is resolved', () => {
    const policy = policyOf({ reminderMinutes: 10 });
    const run = machine.acknowledged(policy, begun(policy), NOW);
    expect(machine.actionOf(policy, run, open, NOW + 600 * SECOND)).toBe('REMIND');
    const next = machine.reminded(policy, run, NOW + 600 * SECOND);
    expect(machine.wakeAt(policy, next, NOW)).toBe(NOW + 1_200 * SECOND);
    expect(machine.wakeAt(policy, machine.resolved(next), NOW)).toBeNull();
  });

  it('is acknowledged by its events only while it is active', () => {
    const policy = policyOf();
    const facts = { ...open, acknowledgedAt: NOW + 1 };
    expect(machine.actionOf(policy, begun(policy), facts, NOW + 2)).toBe('ACKNOWLEDGE');
    const run = machine.acknowledged(policy, begun(policy), NOW + 1);
    expect(machine.actionOf(policy, run, facts, NOW + 2)).toBeNull();
  });
});

describe('escalating a page', () => {
  it('runs the next step at once, and after the last one the first of another loop', () => {
    const policy = policyOf();
    const first = machine.stepped(policy, machine.startRun(policy, NOW), true, NOW);
    const second = machine.escalated(policy, machine.acknowledged(policy, first, NOW), NOW);
    expect(second).toMatchObject({ state: 'ACTIVE', next: { loop: 0, step: 1, at: NOW } });
    const last = machine.stepped(policy, second, true, NOW);
    expect(machine.escalated(policy, last, NOW).next).toEqual({ loop: 1, step: 0, at: NOW });
  });
});

describe('a resolved page that an event of a chattering Alarm joins', () => {
  it('goes on with its next step at its time, or stays acknowledged', () => {
    const policy = policyOf();
    const first = machine.stepped(policy, machine.startRun(policy, NOW), true, NOW);
    const again = machine.reopened(policy, machine.resolved(first), NOW);
    expect(again).toMatchObject({ state: 'ACTIVE', next: { loop: 0, step: 1 } });
    expect(again.next?.at).toBe(NOW + 600 * SECOND);
    const known = machine.resolved(machine.acknowledged(policy, first, NOW));
    expect(machine.reopened(policy, known, NOW)).toMatchObject({
      state: 'ACKNOWLEDGED',
      next: null,
    });
  });
});

describe('a page whose open events are all suppressed', () => {
  const policy = policyOf({ reminderMinutes: 10, acknowledgeTimeoutSeconds: 900 });
  const begun = machine.stepped(policy, machine.startRun(policy, NOW), true, NOW);
  const known: Facts = { ...open, suppression: { graceMs: 0 } };
  const later = NOW + 3_600 * SECOND;

  it('waits if it is active, and goes on with the step that became due meanwhile', () => {
    expect(machine.actionOf(policy, begun, known, NOW + 1)).toBe('SUPPRESS');
    const run = machine.suppressed(begun, 0, NOW + 1);
    expect(machine.wakeAt(policy, run, NOW + 1)).toBe(NOW + 1 + 30 * SECOND);
    expect(machine.actionOf(policy, run, known, later)).toBeNull();
    expect(machine.actionOf(policy, run, cleared, later)).toBe('RESOLVE');
    expect(machine.actionOf(policy, run, open, later)).toBe('RESUME');
    const again = machine.resumed(run, later);
    expect(again).toMatchObject({ state: 'ACTIVE', next: { loop: 0, step: 1, at: later } });
    expect(machine.resumed(run, NOW + 2).next).toEqual(begun.next);
  });

  it('goes on only after the time in which its events may clear by themselves', () => {
    const run = machine.suppressed(begun, 45 * SECOND, NOW);
    expect(machine.wakeAt(policy, run, NOW)).toBe(NOW + 30 * SECOND);
    expect(machine.actionOf(policy, run, open, NOW + 30 * SECOND)).toBeNull();
    expect(machine.wakeAt(policy, run, NOW + 30 * SECOND)).toBe(NOW + 45 * SECOND);
    expect(machine.actionOf(policy, run, open, NOW + 45 * SECOND)).toBe('RESUME');
  });

  it('stays acknowledged or exhausted until it would send something, and is that again', () => {
    const acknowledged = machine.acknowledged(policy, begun, NOW);
    const exhausted = machine.exhausted(policy, begun, NOW);
    for (const run of [acknowledged, exhausted]) {
      expect(machine.actionOf(policy, run, known, NOW + 599 * SECOND)).toBeNull();
      expect(machine.actionOf(policy, run, known, NOW + 600 * SECOND)).toBe('SUPPRESS');
      const waiting = machine.suppressed(run, 0, NOW + 600 * SECOND);
      expect(machine.resumed(waiting, later).state).toBe(run.state);
    }
  });
});
