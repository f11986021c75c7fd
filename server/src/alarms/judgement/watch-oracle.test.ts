import { ALARM_OPERATORS } from '@fieldwatch/contract';
import { expect, it } from 'vitest';
import { AlarmOracle, type OracleTerms } from '../../../test/support/alarm-oracle.ts';
import { createRandom } from '../../../test/support/random.ts';
import { cases } from '../../../test/support/soak.ts';
import { createSubject } from '../../../test/support/watch-subject.ts';
import type { JudgedTerms } from './watch.ts';

const SEQUENCES = cases(100_000);
const STEPS = 24;

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

it(`judgement agrees with an independent oracle over ${SEQUENCES} random sequences`, () => {
  let lines = 0;
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
        terms = reason ? edited : { ...terms, onDelay: edited.onDelay, offDelay: edited.offDelay };
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
    if (subject.lines.join() !== oracle.lines.join()) {
      expect(subject.lines, steps.join('\n')).toEqual(oracle.lines);
    }
    lines += oracle.lines.length;
  }
  expect(lines).toBeGreaterThan(SEQUENCES);
}, 60_000);
