import { ALARM_OPERATORS } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import { AlarmOracle, type OracleTerms } from '../../../test/support/alarm-oracle.ts';
import { createRandom } from '../../../test/support/random.ts';
import {
  advance,
  isAmbiguous,
  isJudged,
  judgementTime,
  type ReadingMarks,
} from './reading-order.ts';
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
} from './watch.ts';
import { rowOf, watchOf } from './watch-row.ts';

const SEQUENCES = 100_000;
const STEPS = 24;

const PLAIN: JudgedTerms = {
  operator: 'GREATER_THAN',
  threshold: 50,
  holdMs: 0,
  deadband: 0,
  clearDelayMs: 0,
};

function lineOf(transition: Transition): string {
  const { at, value } = transition;
  return transition.kind === 'RAISED'
    ? `raised ${at} ${value}`
    : `cleared ${at} ${value} ${transition.reason}`;
}

/** A watch with the care that its keeper takes of it. */
function createSubject(first: JudgedTerms) {
  let terms = first;
  let watch: Watch = CLEAR;
  let recovery: Recovery = ALWAYS_READY;
  const none = Number.NEGATIVE_INFINITY;
  const marks: ReadingMarks = { judgedTo: none, latestAt: none, latestValue: undefined };
  const stored = new Set<number>();
  const told: string[] = [];
  function take(judgement: Judgement | null): void {
    if (!judgement) return;
    watch = judgement.watch;
    told.push(...judgement.transitions.map(lineOf));
  }
  return {
    told,
    phase: () => watch.phase,
    /** With `isAhead` false, the time was given at the arrival. */
    reading(at: number, value: Value, now: number, isAhead = at > now) {
      const reading = { at, value, isAhead };
      const isStored = isAmbiguous(marks, reading, now) && stored.has(at);
      if (isStored || !isJudged(marks, reading, now)) return;
      stored.add(at);
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

const STATE_OF = {
  CLEAR: 'off',
  PENDING: 'off turning',
  TRIGGERED: 'on',
  CLEARING: 'on turning',
} as const;

const random = createRandom(20_261_115);

function randomTerms(): OracleTerms {
  const operator = random.pick(ALARM_OPERATORS);
  const isBySize = operator !== 'EQUAL' && operator !== 'NOT_EQUAL';
  return {
    operator,
    threshold: random.below(20) === 0 ? null : 3,
    onDelay: random.pick([0, 0, 3, 10]),
    offDelay: random.pick([0, 0, 3, 10]),
    deadband: isBySize ? random.pick([0, 0, 2]) : 0,
  };
}

function judgedTerms({ onDelay, offDelay, ...terms }: OracleTerms): JudgedTerms {
  return { ...terms, holdMs: onDelay, clearDelayMs: offDelay } as JudgedTerms;
}

describe('judgement', () => {
  it(`agrees with an independent oracle over ${SEQUENCES} random sequences`, () => {
    let told = 0;
    for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
      let terms = randomTerms();
      const oracle = new AlarmOracle(terms);
      const subject = createSubject(judgedTerms(terms));
      const steps: string[] = [JSON.stringify(terms)];
      const sent: { at: number; value: number }[] = [{ at: 90, value: 0 }];
      let now = 100;
      for (let step = 0; step < STEPS; step += 1) {
        const what = random.below(20);
        if (what < 10) {
          // Mostly a little late, at times late or ahead of the clock, at times delivered again.
          const again = random.below(6) === 0 ? random.pick(sent) : undefined;
          const { at, value } = again ?? {
            at: now + random.pick([0, 0, 0, -1, -2, -4, 1, 3, 9]),
            value: random.below(7),
          };
          sent.push({ at, value });
          steps.push(`reading ${at} ${value} at ${now}`);
          oracle.reading(at, value, now);
          subject.reading(at, value, now);
        } else if (what < 12) {
          const value = random.below(7);
          const at = oracle.unstamped(value, now);
          steps.push(`reading without a timestamp ${at} ${value} at ${now}`);
          subject.reading(at, value, now, false);
        } else if (what < 17) {
          now += random.below(8);
          steps.push(`clock ${now}`);
          oracle.clock(now);
          subject.clock(now);
        } else if (what < 18) {
          const reason = random.pick(['DISABLED', 'RECONFIGURED', null] as const);
          const edited = randomTerms();
          // Without an end, only delays and the deadband may be other ones.
          terms = reason
            ? edited
            : { ...terms, onDelay: edited.onDelay, offDelay: edited.offDelay };
          steps.push(`edit ${JSON.stringify(terms)} ${reason}`);
          oracle.edit(terms, reason, now);
          subject.edit(judgedTerms(terms), reason, now);
        } else if (what < 19) {
          now += random.below(8);
          const grace = random.pick([3, 8]);
          steps.push(`outage until ${now}, grace ${grace}`);
          oracle.gap(now, grace);
          subject.outage(now, grace);
        } else {
          steps.push('restart');
          subject.restart();
        }
        if (STATE_OF[subject.phase()] !== oracle.state) {
          expect.fail(`${steps.join('\n')}\n${subject.phase()} is not ${oracle.state}`);
        }
      }
      if (subject.told.join() !== oracle.told.join()) {
        expect(subject.told, steps.join('\n')).toEqual(oracle.told);
      }
      told += oracle.told.length;
    }
    expect(told).toBeGreaterThan(SEQUENCES);
  }, 60_000);

  it('raises at once without a hold, and clears with the first reading that fails', () => {
    const subject = createSubject(PLAIN);
    subject.reading(1_000, 50, 1_000);
    subject.reading(2_000, 51, 2_000);
    subject.reading(3_000, 52, 3_000);
    subject.reading(4_000, 50, 4_000);
    expect(subject.told).toEqual(['raised 2000 51', 'cleared 4000 50 RECOVERED']);
  });

  it('raises a hold at its end, with the value that began it', () => {
    const subject = createSubject({ ...PLAIN, holdMs: 10_000 });
    subject.reading(1_000, 51, 1_000);
    subject.reading(10_999, 99, 10_999);
    expect(subject.told).toEqual([]);
    subject.reading(11_000, 98, 11_000);
    expect(subject.told).toEqual(['raised 11000 51']);
  });

  it('counts a reading that fails just as the hold ends as a break, one after it not', () => {
    const onTime = createSubject({ ...PLAIN, holdMs: 10_000 });
    onTime.reading(1_000, 51, 1_000);
    onTime.reading(11_000, 1, 11_000);
    expect([onTime.told, onTime.phase()]).toEqual([[], 'CLEAR']);
    const late = createSubject({ ...PLAIN, holdMs: 10_000 });
    late.reading(1_000, 51, 1_000);
    late.reading(11_001, 1, 11_001);
    expect(late.told).toEqual(['raised 11000 51', 'cleared 11001 1 RECOVERED']);
  });

  it('lets the clock raise, for a backlog only once the hold has passed since it came', () => {
    const live = createSubject({ ...PLAIN, holdMs: 10_000 });
    live.reading(1_000, 51, 1_000);
    live.clock(10_999);
    expect(live.told).toEqual([]);
    live.clock(11_000);
    expect(live.told).toEqual(['raised 11000 51']);
    const backlog = createSubject({ ...PLAIN, holdMs: 10_000 });
    backlog.reading(1_000, 51, 500_000);
    backlog.clock(509_999);
    expect(backlog.told).toEqual([]);
    backlog.clock(510_000);
    expect(backlog.told).toEqual(['raised 11000 51']);
  });

  it.each([
    ['raises', 0, 10_000, 51, 'raised 11000 51'],
    ['clears', 10_000, 0, 1, 'cleared 11000 1 RECOVERED'],
  ])('by the clock %s what began before an outage only after the grace', (_, ...given) => {
    const [clearDelayMs, holdMs, value, line] = given;
    const made = () => {
      const subject = createSubject({ ...PLAIN, holdMs, clearDelayMs });
      if (clearDelayMs > 0) subject.reading(500, 60, 500);
      subject.reading(1_000, value, 1_000);
      subject.told.length = 0;
      subject.outage(20_000, 30_000);
      return subject;
    };
    const silent = made();
    silent.clock(49_999);
    expect(silent.told).toEqual([]);
    silent.clock(50_000);
    expect(silent.told).toEqual([line]);
    const confirmed = made();
    confirmed.reading(11_000, value, 20_100);
    expect(confirmed.told).toEqual([line]);
    const broken = made();
    broken.reading(3_000, 101 - value - 49, 20_100);
    broken.clock(90_000);
    expect(broken.told).toEqual([]);
    const late = made();
    late.reading(20_001, value, 20_001);
    expect(late.told).toEqual([line]);
  });

  it('by the clock raises what began after an outage when it is due', () => {
    const subject = createSubject({ ...PLAIN, holdMs: 10_000 });
    subject.outage(1_000, 30_000);
    subject.reading(1_000, 51, 1_000);
    subject.clock(11_000);
    expect(subject.told).toEqual(['raised 11000 51']);
  });

  it('of a reading ahead of the clock is at its arrival, and hides nothing that follows', () => {
    const subject = createSubject(PLAIN);
    subject.reading(600_000, 51, 1_000);
    subject.reading(2_000, 1, 2_000);
    subject.reading(3_000, 52, 3_000);
    subject.reading(600_000, 51, 3_500);
    subject.reading(4_000, 1, 4_000);
    subject.reading(600_000, 51, 700_000);
    expect(subject.told).toEqual([
      'raised 1000 51',
      'cleared 2000 1 RECOVERED',
      'raised 3000 52',
      'cleared 4000 1 RECOVERED',
    ]);
  });

  it('follows a Device whose clock is ahead, and not what it delivers again', () => {
    const subject = createSubject(PLAIN);
    const sent = [51, 1, 52, 53, 2, 3].map((value, second) => ({ value, at: 1_000 * second }));
    for (const { value, at } of sent) subject.reading(at + 20_000, value, at);
    const told = ['raised 0 51', 'cleared 1000 1 RECOVERED'];
    told.push('raised 2000 52', 'cleared 4000 2 RECOVERED');
    expect(subject.told).toEqual(told);
    for (const now of [6_000, 22_500, 60_000]) {
      for (const { value, at } of sent) subject.reading(at + 20_000, value, now);
    }
    expect(subject.told).toEqual(told);
  });

  it('takes readings of one moment in the order of their arrival times', () => {
    const subject = createSubject({ ...PLAIN, holdMs: 3 });
    for (const [index, value] of [51, 52, 1, 53, 54, 55, 56, 2].entries()) {
      subject.reading(1_000 + index, value, 1_000, false);
    }
    expect(subject.told).toEqual(['raised 1006 53', 'cleared 1007 2 RECOVERED']);
  });

  it('never rewrites: what comes late is not judged, and nothing clears before it was raised', () => {
    const subject = createSubject({ ...PLAIN, holdMs: 10_000 });
    subject.reading(1_000, 51, 1_000);
    subject.reading(500, 1, 1_500);
    expect(subject.phase()).toBe('PENDING');
    subject.clock(11_000);
    subject.reading(5_000, 1, 12_000);
    expect(subject.told).toEqual(['raised 11000 51', 'cleared 11000 1 RECOVERED']);
  });

  it('takes the last value of a time that comes twice', () => {
    const subject = createSubject(PLAIN);
    subject.reading(1_000, 1, 1_000);
    subject.reading(1_000, 51, 1_000);
    subject.reading(1_000, 51, 1_000);
    expect(subject.told).toEqual(['raised 1000 51']);
  });

  it('keeps an event open within the deadband', () => {
    const upper = createSubject({ ...PLAIN, deadband: 5 });
    for (const [index, value] of [51, 46, 45].entries()) upper.reading(index, value, index);
    expect(upper.told).toEqual(['raised 0 51', 'cleared 2 45 RECOVERED']);
    const lower = createSubject({ ...PLAIN, operator: 'LESS_THAN_OR_EQUAL', deadband: 5 });
    for (const [index, value] of [50, 55, 55.5].entries()) lower.reading(index, value, index);
    expect(lower.told).toEqual(['raised 0 50', 'cleared 2 55.5 RECOVERED']);
  });

  it('clears after the delay, unless the condition holds again within it', () => {
    const subject = createSubject({ ...PLAIN, clearDelayMs: 1_000 });
    subject.reading(0, 51, 0);
    subject.reading(100, 1, 100);
    subject.reading(1_100, 51, 1_100);
    expect([subject.told, subject.phase()]).toEqual([['raised 0 51'], 'TRIGGERED']);
    subject.reading(1_200, 2, 1_200);
    subject.clock(2_200);
    expect(subject.told).toEqual(['raised 0 51', 'cleared 2200 2 RECOVERED']);
  });

  it.each([
    ['on', 'EQUAL', 'on', 'off'],
    [true, 'NOT_EQUAL', false, true],
  ] as const)('compares %j by %s', (threshold, operator, holding, failing) => {
    const subject = createSubject({ ...PLAIN, operator, threshold });
    subject.reading(1, failing, 1);
    subject.reading(2, holding, 2);
    subject.reading(3, failing, 3);
    expect(subject.told).toEqual([`raised 2 ${holding}`, `cleared 3 ${failing} RECOVERED`]);
  });
});
