import { describe, expect, it } from 'vitest';
import { createSubject } from '../../../test/support/watch-subject.ts';
import type { JudgedTerms } from './watch.ts';

const PLAIN: JudgedTerms = {
  operator: 'GREATER_THAN',
  threshold: 50,
  holdMs: 0,
  deadband: 0,
  clearDelayMs: 0,
};

describe('judgement', () => {
  it('raises at once without a hold, and clears with the first reading that fails', () => {
    const subject = createSubject(PLAIN);
    subject.reading(1_000, 50, 1_000);
    subject.reading(2_000, 51, 2_000);
    subject.reading(3_000, 52, 3_000);
    subject.reading(4_000, 50, 4_000);
    expect(subject.lines).toEqual(['raised 2000 51', 'cleared 4000 50 RECOVERED']);
  });

  it('raises a hold at its end, with the value that began it', () => {
    const subject = createSubject({ ...PLAIN, holdMs: 10_000 });
    subject.reading(1_000, 51, 1_000);
    subject.reading(10_999, 99, 10_999);
    expect(subject.lines).toEqual([]);
    subject.reading(11_000, 98, 11_000);
    expect(subject.lines).toEqual(['raised 11000 51']);
  });

  it('counts a reading that fails just as the hold ends as a break, one after it not', () => {
    const onTime = createSubject({ ...PLAIN, holdMs: 10_000 });
    onTime.reading(1_000, 51, 1_000);
    onTime.reading(11_000, 1, 11_000);
    expect([onTime.lines, onTime.phase()]).toEqual([[], 'CLEAR']);
    const late = createSubject({ ...PLAIN, holdMs: 10_000 });
    late.reading(1_000, 51, 1_000);
    late.reading(11_001, 1, 11_001);
    expect(late.lines).toEqual(['raised 11000 51', 'cleared 11001 1 RECOVERED']);
  });

  it('by the clock raises a backlog only once the hold has passed since its arrival', () => {
    const live = createSubject({ ...PLAIN, holdMs: 10_000 });
    live.reading(1_000, 51, 1_000);
    live.clock(10_999);
    expect(live.lines).toEqual([]);
    live.clock(11_000);
    expect(live.lines).toEqual(['raised 11000 51']);
    const backlog = createSubject({ ...PLAIN, holdMs: 10_000 });
    backlog.reading(1_000, 51, 500_000);
    backlog.clock(509_999);
    expect(backlog.lines).toEqual([]);
    backlog.clock(510_000);
    expect(backlog.lines).toEqual(['raised 11000 51']);
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
      subject.lines.length = 0;
      subject.outage(20_000, 30_000);
      return subject;
    };
    const silent = made();
    silent.clock(49_999);
    expect(silent.lines).toEqual([]);
    silent.clock(50_000);
    expect(silent.lines).toEqual([line]);
    const confirmed = made();
    confirmed.reading(11_000, value, 20_100);
    expect(confirmed.lines).toEqual([line]);
    const broken = made();
    broken.reading(3_000, 101 - value - 49, 20_100);
    broken.clock(90_000);
    expect(broken.lines).toEqual([]);
    const late = made();
    late.reading(20_001, value, 20_001);
    expect(late.lines).toEqual([line]);
  });

  it('by the clock raises what began after an outage when it is due', () => {
    const subject = createSubject({ ...PLAIN, holdMs: 10_000 });
    subject.outage(1_000, 30_000);
    subject.reading(1_000, 51, 1_000);
    subject.clock(11_000);
    expect(subject.lines).toEqual(['raised 11000 51']);
  });

  it('of a reading ahead of the clock is at its arrival, so that later readings are judged', () => {
    const subject = createSubject(PLAIN);
    subject.reading(600_000, 51, 1_000);
    subject.reading(2_000, 1, 2_000);
    subject.reading(3_000, 52, 3_000);
    subject.reading(600_000, 51, 3_500);
    subject.reading(4_000, 1, 4_000);
    subject.reading(600_000, 51, 700_000);
    expect(subject.lines).toEqual([
      'raised 1000 51',
      'cleared 2000 1 RECOVERED',
      'raised 3000 52',
      'cleared 4000 1 RECOVERED',
    ]);
  });

  it('follows a Device whose clock is ahead, and ignores its redeliveries', () => {
    const subject = createSubject(PLAIN);
    const sent = [51, 1, 52, 53, 2, 3].map((value, second) => ({ value, at: 1_000 * second }));
    for (const { value, at } of sent) subject.reading(at + 20_000, value, at);
    const lines = ['raised 0 51', 'cleared 1000 1 RECOVERED'];
    lines.push('raised 2000 52', 'cleared 4000 2 RECOVERED');
    expect(subject.lines).toEqual(lines);
    for (const now of [6_000, 22_500, 60_000]) {
      for (const { value, at } of sent) subject.reading(at + 20_000, value, now);
    }
    expect(subject.lines).toEqual(lines);
  });

  it('takes readings of one moment in the order of their arrival times', () => {
    const subject = createSubject({ ...PLAIN, holdMs: 3 });
    for (const [index, value] of [51, 52, 1, 53, 54, 55, 56, 2].entries()) {
      subject.reading(1_000 + index, value, 1_000, false);
    }
    expect(subject.lines).toEqual(['raised 1006 53', 'cleared 1007 2 RECOVERED']);
  });

  it('ignores late readings, and clears nothing before it was raised', () => {
    const subject = createSubject({ ...PLAIN, holdMs: 10_000 });
    subject.reading(1_000, 51, 1_000);
    subject.reading(500, 1, 1_500);
    expect(subject.phase()).toBe('PENDING');
    subject.clock(11_000);
    subject.reading(5_000, 1, 12_000);
    expect(subject.lines).toEqual(['raised 11000 51', 'cleared 11000 1 RECOVERED']);
  });

  it('takes the last value of a time that arrives twice', () => {
    const subject = createSubject(PLAIN);
    subject.reading(1_000, 1, 1_000);
    subject.reading(1_000, 51, 1_000);
    subject.reading(1_000, 51, 1_000);
    expect(subject.lines).toEqual(['raised 1000 51']);
  });

  it('keeps an event open within the deadband', () => {
    const upper = createSubject({ ...PLAIN, deadband: 5 });
    for (const [index, value] of [51, 46, 45].entries()) upper.reading(index, value, index);
    expect(upper.lines).toEqual(['raised 0 51', 'cleared 2 45 RECOVERED']);
    const lower = createSubject({ ...PLAIN, operator: 'LESS_THAN_OR_EQUAL', deadband: 5 });
    for (const [index, value] of [50, 55, 55.5].entries()) lower.reading(index, value, index);
    expect(lower.lines).toEqual(['raised 0 50', 'cleared 2 55.5 RECOVERED']);
  });

  it('clears after the delay, unless the condition holds again within it', () => {
    const subject = createSubject({ ...PLAIN, clearDelayMs: 1_000 });
    subject.reading(0, 51, 0);
    subject.reading(100, 1, 100);
    subject.reading(1_100, 51, 1_100);
    expect([subject.lines, subject.phase()]).toEqual([['raised 0 51'], 'TRIGGERED']);
    subject.reading(1_200, 2, 1_200);
    subject.clock(2_200);
    expect(subject.lines).toEqual(['raised 0 51', 'cleared 2200 2 RECOVERED']);
  });

  it.each([
    ['on', 'EQUAL', 'on', 'off'],
    [true, 'NOT_EQUAL', false, true],
  ] as const)('compares %j by %s', (threshold, operator, holding, failing) => {
    const subject = createSubject({ ...PLAIN, operator, threshold });
    subject.reading(1, failing, 1);
    subject.reading(2, holding, 2);
    subject.reading(3, failing, 3);
    expect(subject.lines).toEqual([`raised 2 ${holding}`, `cleared 3 ${failing} RECOVERED`]);
  });
});
