import { ALARM_OPERATORS } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import { AlarmOracle, type OracleTerms } from '../../../test/support/alarm-oracle.ts';
import { createRandom } from '../../../test/support/random.ts';
import {
  CLEAR,
  ended,
  isJudged,
  type JudgedTerms,
  type Judgement,
  judge,
  judgeByClock,
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
  let newestAt = Number.NEGATIVE_INFINITY;
  const told: string[] = [];
  function take(judgement: Judgement | null): void {
    if (!judgement) return;
    watch = judgement.watch;
    told.push(...judgement.transitions.map(lineOf));
  }
  return {
    told,
    phase: () => watch.phase,
    reading(at: number, value: Value, now: number) {
      if (!isJudged(at, newestAt)) return;
      newestAt = at;
      take(judge(watch, terms, { at, value }, now));
    },
    clock: (now: number) => take(judgeByClock(watch, terms, now)),
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
      let now = 100;
      let at = 100;
      for (let step = 0; step < STEPS; step += 1) {
        const what = random.below(20);
        if (what < 12) {
          at += random.below(6) - 1;
          const value = random.below(7);
          steps.push(`reading ${at} ${value} at ${now}`);
          oracle.reading(at, value, now);
          subject.reading(at, value, now);
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
    late.reading(11_001, 1, 1_002);
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
