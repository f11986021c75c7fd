/** A day of the calendar, whatever the zone. */
export interface CalendarDay {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
}

/** The local time of a moment, as if it were UTC. */
function localMs(at: number, timeZone: string): number {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
}

function offsetAt(at: number, timeZone: string): number {
  const second = Math.floor(at / 1_000) * 1_000;
  return localMs(second, timeZone) - second;
}

export function dayAt(at: number, timeZone: string): CalendarDay {
  return dayOf(localMs(at, timeZone));
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
  timeZone: string,
): number {
  const local = Date.UTC(year, month - 1, day) + minuteOfDay * 60_000;
  const before = offsetAt(local - DAY_MS, timeZone);
  const after = offsetAt(local + DAY_MS, timeZone);
  if (offsetAt(local - before, timeZone) === before) return local - before;
  if (offsetAt(local - after, timeZone) === after) return local - after;
  return local - before;
}
