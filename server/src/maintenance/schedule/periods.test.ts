import { type MaintenanceRecurrence, WEEKDAYS } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import { nextPeriod, type Period, periodAt, type Schedule } from './periods.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const recurring = (recurrence: MaintenanceRecurrence): Schedule => ({
  startsAt: null,
  endsAt: null,
  endedAt: null,
  recurrence,
});

const weekly = (timeZone: string, startTime: string): MaintenanceRecurrence => ({
  kind: 'WEEKLY',
  weekdays: ['SUNDAY', 'WEDNESDAY'],
  startTime,
  durationMinutes: 90,
  timeZone,
  untilDate: null,
});

const monthly = (monthDay: number, timeZone: string): MaintenanceRecurrence => ({
  kind: 'MONTHLY',
  monthDay,
  startTime: '01:30',
  durationMinutes: 3 * 24 * 60,
  timeZone,
  untilDate: null,
});

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What a clock on the wall of the zone shows. */
function wall(at: number, timeZone: string) {
  const styles = { dateStyle: 'short', timeStyle: 'short' } as const;
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, ...styles });
  clocks.set(timeZone, clock);
  const [date = '', time = ''] = clock.format(at).split(' ');
  return { date, time };
}

/** An oracle that watches the clock on the wall go from minute to minute. */
function* startsOf(rule: MaintenanceRecurrence, from: number, to: number): Generator<number, void> {
  let skippedFrom: number | null = null;
  let started = '';
  let before = wall(from - MINUTE, rule.timeZone);
  for (let at = from; at < to; at += MINUTE) {
    const shown = wall(at, rule.timeZone);
    const isBefore = before.date !== shown.date || before.time < rule.startTime;
    const isSkipped = isBefore && rule.startTime < shown.time;
    if (isSkipped && isDay(rule, shown.date)) skippedFrom = (minutes(before.time) + 1) % 1_440;
    const isStart = shown.time === rule.startTime || skippedFrom !== null;
    if (isStart && started !== shown.date && isDay(rule, shown.date)) {
      started = shown.date;
      yield at + (skippedFrom === null ? 0 : (minutes(rule.startTime) - skippedFrom) * MINUTE);
      skippedFrom = null;
    }
    before = shown;
  }
}

const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

function isDay(rule: MaintenanceRecurrence, date: string): boolean {
  const day = new Date(`${date}T12:00Z`);
  if (rule.kind === 'WEEKLY') {
    return rule.weekdays.includes(WEEKDAYS[(day.getUTCDay() + 6) % 7] ?? 'MONDAY');
  }
  const isLast = new Date(day.getTime() + DAY).getUTCDate() === 1;
  return day.getUTCDate() === rule.monthDay || (isLast && day.getUTCDate() < rule.monthDay);
}

function periodsBetween(schedule: Schedule, from: number, to: number): Period[] {
  const found: Period[] = [];
  for (let at = from; ; ) {
    const next = nextPeriod(schedule, at);
    if (next === null || next.from >= to) return found;
    if (next.from >= from) found.push(next);
    at = next.to;
  }
}

describe('the periods of a recurring window', () => {
  it.each([
    ['Europe/Vienna', '02:30', '2027-03-20', '2027-04-05'],
    ['Europe/Vienna', '02:30', '2027-10-24', '2027-11-08'],
    ['America/New_York', '02:00', '2027-03-07', '2027-03-22'],
    ['America/New_York', '01:00', '2027-11-01', '2027-11-15'],
    ['Australia/Lord_Howe', '02:15', '2027-10-01', '2027-10-10'],
    ['America/Sao_Paulo', '00:00', '2018-10-30', '2018-11-10'],
    ['Asia/Kolkata', '23:59', '2028-02-26', '2028-03-04'],
  ])('in %s at %s start from %s to %s when the clock on the wall says so', (zone, time, a, b) => {
    const rule = weekly(zone, time);
    const [from, to] = [Date.parse(a), Date.parse(b)];
    const starts = [...startsOf(rule, from, to)];
    expect(starts.length).toBeGreaterThan(1);
    expect(periodsBetween(recurring(rule), from, to)).toEqual(
      starts.map((start) => ({ from: start, to: start + 90 * MINUTE })),
    );
  });

  it.each([29, 31])('of day %i are on the last day of a shorter month', (monthDay) => {
    const rule = monthly(monthDay, 'Europe/Vienna');
    const [from, to] = [Date.parse('2028-02-20'), Date.parse('2028-04-10')];
    const starts = [...startsOf(rule, from, to)];
    expect(starts).toHaveLength(2);
    expect(periodsBetween(recurring(rule), from, to).map((each) => each.from)).toEqual(starts);
  });

  it('contain their first millisecond and not their end', () => {
    const schedule = recurring(weekly('Europe/Vienna', '06:00'));
    const period = nextPeriod(schedule, Date.parse('2027-06-01'));
    if (!period) throw new Error('there is no period');
    const inside = [period.from - 1, period.from, period.to - 1, period.to];
    expect(inside.map((at) => periodAt(schedule, at) !== null)).toEqual([false, true, true, false]);
  });

  it('end at the last day, and the one in progress when it is ended by hand', () => {
    const rule = { ...weekly('Europe/Vienna', '06:00'), untilDate: '2027-06-06' };
    const all = periodsBetween(recurring(rule), Date.parse('2027-06-01'), Date.parse('2027-07-01'));
    expect(all.map(({ from }) => wall(from, 'Europe/Vienna').date)).toEqual([
      '2027-06-02',
      '2027-06-06',
    ]);
    const endedAt = (all[0]?.from ?? 0) + HOUR;
    const ended = { ...recurring(rule), endedAt };
    expect(periodAt(ended, endedAt - 1)).toEqual({ from: all[0]?.from, to: endedAt });
    expect(periodAt(ended, endedAt)).toBeNull();
    expect(nextPeriod(ended, endedAt)).toEqual(all[1]);
    expect(nextPeriod(recurring(rule), all[1]?.to ?? 0)).toBeNull();
  });
});

it('a window without recurrence has one period', () => {
  const schedule = { startsAt: 1_000, endsAt: 2_000, recurrence: null, endedAt: null };
  expect([999, 1_000, 1_999, 2_000].map((at) => periodAt(schedule, at) !== null)).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(nextPeriod(schedule, 0)).toEqual({ from: 1_000, to: 2_000 });
  expect(nextPeriod(schedule, 2_000)).toBeNull();
});
