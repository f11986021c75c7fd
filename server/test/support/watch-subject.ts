import {
  advance,
  isAmbiguous,
  isJudged,
  judgementTime,
  type ReadingMarks,
} from '../../src/alarms/engine/reading-order.ts';
import { rowOf, watchOf } from '../../src/alarms/engine/watch-row.ts';
import {
  ALWAYS_READY,
  CLEAR,
  ended,
  type JudgedTerms,
  type Judgement,
  judge,
  judgeByClock,
  type Recovery,
  type Transition,
  type Value,
  type Watch,
} from '../../src/alarms/judgement/watch.ts';

function lineOf(transition: Transition): string {
  const { at, value } = transition;
  return transition.kind === 'RAISED'
    ? `raised ${at} ${value}`
    : `cleared ${at} ${value} ${transition.reason}`;
}

/** A watch, with the order of readings and the outages that its engine keeps for it. */
export function createSubject(first: JudgedTerms) {
  let terms = first;
  let watch: Watch = CLEAR;
  let recovery: Recovery = ALWAYS_READY;
  const none = Number.NEGATIVE_INFINITY;
  const marks: ReadingMarks = { judgedTo: none, latestAt: none, latestValue: undefined };
  const stored = new Map<number, Value>();
  const lines: string[] = [];
  function take(judgement: Judgement | null): void {
    if (!judgement) return;
    watch = judgement.watch;
    lines.push(...judgement.transitions.map(lineOf));
  }
  return {
    lines,
    phase: () => watch.phase,
    /** With `isAhead` false, the time was given at the arrival. */
    reading(at: number, value: Value, now: number, isAhead = at > now) {
      const reading = { at, value, isAhead };
      const isStored = isAmbiguous(marks, reading, now) && stored.get(at) === value;
      if (isStored || !isJudged(marks, reading, now)) return;
      stored.set(at, value);
      advance(marks, reading, now);
      take(judge(watch, terms, { at: judgementTime(reading, now), value }, now));
    },
    clock: (now: number) => take(judgeByClock(watch, terms, now, recovery)),
    outage(now: number, graceMs: number) {
      recovery = { readySince: now, graceMs };
    },
    edit(next: JudgedTerms, reason: 'DISABLED' | 'RECONFIGURED' | null, now: number) {
      terms = next;
      if (reason) take(ended(watch, reason, now));
    },
    restart() {
      watch = watchOf(JSON.parse(JSON.stringify(rowOf(watch, terms))));
    },
  };
}
