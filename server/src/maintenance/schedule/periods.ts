import { type MaintenanceRecurrence, WEEKDAYS } from '@fieldwatch/contract';
import { openTimeZone } from '../../runtime/index.ts';
import {
  addDays,
  type CalendarDay,
  dayAt,
  momentAt,
  monthLength,
  weekdayOf,
} from './zoned-time.ts';

/** A time in which a window holds notifications back; the end is not part of it. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** When a window holds notifications back: once, or again and again. */
export interface Schedule {
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  readonly recurrence: MaintenanceRecurrence | null;
  /** A period that began before this time ended then. */
  readonly endedAt: number | null;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Two months and a day: within it, every rule has a day. */
const SEARCHED_DAYS = 63;

/** The period that the time lies in. */
export function periodAt(schedule: Schedule, at: number): Period | null {
  const next = nextPeriod(schedule, at);
  return next !== null && next.from <= at ? next : null;
}

/** The first period that ends after the time; null when there is none any more. */
export function nextPeriod(schedule: Schedule, at: number): Period | null {
  for (const period of periodsFrom(schedule, at)) {
    const to = endOf(period, schedule.endedAt);
    if (to > at) return { from: period.from, to };
  }
  return null;
}

function endOf({ from, to }: Period, endedAt: number | null): number {
  return endedAt !== null && from <= endedAt ? Math.min(to, endedAt) : to;
}

/** Periods in order, from one that cannot end after the time on. */
function* periodsFrom(schedule: Schedule, at: number): Generator<Period, void> {
  const { startsAt, endsAt, recurrence } = schedule;
  if (recurrence === null) {
    if (startsAt !== null && endsAt !== null) yield { from: startsAt, to: endsAt };
    return;
  }
  const { startTime, durationMinutes, timeZone, untilDate } = recurrence;
  const duration = durationMinutes * MINUTE_MS;
  const minuteOfDay = Number(startTime.slice(0, 2)) * 60 + Number(startTime.slice(3));
  const zone = openTimeZone(timeZone);
  const first = dayAt(at - duration - DAY_MS, zone);
  const count = SEARCHED_DAYS + Math.ceil(duration / DAY_MS);
  for (let index = 0; index < count; index += 1) {
    const day = addDays(first, index);
    if (untilDate !== null && dateOf(day) > untilDate) return;
    if (!isDayOf(recurrence, day)) continue;
    const from = momentAt(day, minuteOfDay, zone);
    yield { from, to: from + duration };
  }
}

function isDayOf(recurrence: MaintenanceRecurrence, day: CalendarDay): boolean {
  if (recurrence.kind === 'WEEKLY') {
    const weekday = WEEKDAYS[weekdayOf(day)];
    return weekday !== undefined && recurrence.weekdays.includes(weekday);
  }
  return day.day === Math.min(recurrence.monthDay, monthLength(day.year, day.month));
}

function dateOf({ year, month, day }: CalendarDay): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}
