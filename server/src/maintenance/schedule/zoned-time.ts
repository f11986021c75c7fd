import type { TimeZone } from '../../runtime/index.ts';

/** A day of the calendar, whatever the zone. */
export interface CalendarDay {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

export function dayAt(at: number, zone: TimeZone): CalendarDay {
  return dayOf(zone.wallTimeAt(at));
}

export function addDays({ year, month, day }: CalendarDay, count: number): CalendarDay {
  return dayOf(Date.UTC(year, month - 1, day + count));
}

function dayOf(utcMs: number): CalendarDay {
  const date = new Date(utcMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Monday is 0. */
export function weekdayOf({ year, month, day }: CalendarDay): number {
  return (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
}

/** How many days the month has. */
export function monthLength(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/**
 * The moment of a local time. A time that occurs twice is the first of the two; one that is skipped
 * is as much after the change as it would have been after it (the rule of RFC 5545).
 */
export function momentAt(
  { year, month, day }: CalendarDay,
  minuteOfDay: number,
  zone: TimeZone,
): number {
  const wallTime = Date.UTC(year, month - 1, day) + minuteOfDay * 60_000;
  const at = zone.momentOf(wallTime);
  if (zone.wallTimeAt(at) === wallTime) return at;
  const justBefore = at - 1;
  return wallTime - (zone.wallTimeAt(justBefore) - justBefore);
}
