import { describe, expect, it } from 'vitest';
import { endOf, type ScheduleValues, timesOf } from './schedule.ts';
import { momentText, periodText, recurrenceText } from './times.ts';

const at = (text: string) => new Date(text).getTime();
const NOW = at('2026-11-17T13:30');

const VALUES: ScheduleValues = {
  timing: 'NOW',
  span: '4',
  from: '',
  to: '',
  recurrence: {
    weekdays: ['THURSDAY', 'MONDAY'],
    monthDay: 31,
    startTime: '08:00',
    hours: 1.5,
    timeZone: 'Europe/Vienna',
    untilDate: '',
  },
};

describe('the times of a maintenance window in its form', () => {
  it('begin at once by the clock of the server, and end some hours later', () => {
    expect(timesOf(VALUES, NOW)).toEqual({
      from: null,
      to: new Date(at('2026-11-17T17:30')).toISOString(),
      recurrence: null,
    });
  });

  it('end at 08:00 on the day after the start, also at the end of a month', () => {
    expect(endOf({ span: 'morning', to: '' }, NOW)).toBe(at('2026-11-18T08:00'));
    expect(endOf({ span: 'morning', to: '' }, at('2026-11-30T00:10'))).toBe(at('2026-12-01T08:00'));
  });

  it('are missing where a field is empty, which the server refuses', () => {
    const values = { ...VALUES, timing: 'LATER', span: 'until' } as const;
    expect(timesOf(values, NOW)).toEqual({ from: null, to: null, recurrence: null });
  });

  it('recur in minutes, with no start and end of their own', () => {
    expect(timesOf({ ...VALUES, timing: 'MONTHLY' }, NOW)).toEqual({
      from: null,
      to: null,
      recurrence: {
        kind: 'MONTHLY',
        monthDay: 31,
        startTime: '08:00',
        durationMinutes: 90,
        timeZone: 'Europe/Vienna',
        untilDate: null,
      },
    });
  });
});

describe('the times of a maintenance window in words', () => {
  const period = (from: string, to: string) =>
    periodText({ from: new Date(at(from)).toISOString(), to: new Date(at(to)).toISOString() }, NOW);

  it('name the day where it is another than today', () => {
    expect(momentText(at('2026-11-17T14:00'), NOW)).not.toContain('Nov');
    expect(momentText(at('2026-11-18T08:00'), NOW)).toContain('Nov 18');
    expect(momentText(at('2027-01-02T08:00'), NOW)).toContain('2027');
  });

  it('name the day of a period once', () => {
    expect(period('2026-11-17T14:00', '2026-11-17T16:00')).not.toContain('Nov');
    expect(period('2026-11-20T14:00', '2026-11-20T16:00').match(/Nov/g)).toHaveLength(1);
    expect(period('2026-11-20T14:00', '2026-11-21T16:00').match(/Nov/g)).toHaveLength(2);
  });

  it('name weekdays in the order of the week', () => {
    const { recurrence } = timesOf({ ...VALUES, timing: 'WEEKLY' }, NOW);
    expect(recurrence && recurrenceText(recurrence)).toBe(
      'Every Monday and Thursday at 08:00 for 1 h 30 min (Europe/Vienna)',
    );
  });

  it('name the day of a month and the last day', () => {
    const recurrence = { ...VALUES.recurrence, untilDate: '2027-06-30' };
    const times = timesOf({ ...VALUES, recurrence, timing: 'MONTHLY' }, NOW);
    expect(times.recurrence && recurrenceText(times.recurrence)).toBe(
      'On day 31 of each month at 08:00 for 1 h 30 min (Europe/Vienna), until 2027-06-30',
    );
  });
});
