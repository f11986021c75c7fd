import { WEEKDAYS, type WeeklyHours } from '@fieldwatch/contract';
import type { TimeZone } from './time-zone.ts';

/** From a moment up to another, exclusive. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 86_400_000;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 3;

/** The weekday of a wall time, from 0 for Monday on. */
export function weekdayOf(wallTime: number): number {
  return (((Math.floor(wallTime / DAY_MS) + FIRST_WEEKDAY) % 7) + 7) % 7;
}

/** The milliseconds since midnight that a text such as `07:30` stands for. */
export function timeOfDayMs(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return (hours * 60 + minutes) * 60_000;
}

/** When the hours of a week are, within a period: in order, without overlaps, and joined where they meet. */
export function periodsOfWeeklyHours(
  zone: TimeZone,
  hours: readonly WeeklyHours[],
  { from, to }: Period,
): Period[] {
  const periods: Period[] = [];
  // Hours that began on the day before may reach into the first day.
  const firstDay = Math.floor(zone.wallTimeAt(from) / DAY_MS) - 1;
  const lastDay = Math.floor(zone.wallTimeAt(to) / DAY_MS);
  for (let day = firstDay; day <= lastDay; day += 1) {
    const weekday = WEEKDAYS[weekdayOf(day * DAY_MS)];
    for (const each of hours) {
      if (each.weekday !== weekday) continue;
      const opens = day * DAY_MS + timeOfDayMs(each.from);
      const closes = day * DAY_MS + timeOfDayMs(each.to) + (each.to < each.from ? DAY_MS : 0);
      const period = { from: zone.momentOf(opens), to: zone.momentOf(closes) };
      if (period.from < to && period.to > from && period.from < period.to) periods.push(period);
    }
  }
  return joined(periods).map((period) => ({
    from: Math.max(from, period.from),
    to: Math.min(to, period.to),
  }));
}

function joined(periods: readonly Period[]): Period[] {
  const result: Period[] = [];
  for (const period of [...periods].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && period.from <= last.to) {
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, period.to) };
    } else result.push(period);
  }
  return result;
}
