export type CalendarUnit = 'day' | 'week' | 'month' | 'year';

/** The beginning of the day, week, month or year of a time, in the viewer's zone. */
export function startOf(unit: CalendarUnit, ms: number, weekday: number): number {
  const date = new Date(ms);
  date.setHours(0, 0, 0, 0);
  if (unit === 'week') date.setDate(date.getDate() - ((date.getDay() - weekday + 7) % 7));
  if (unit === 'month') date.setDate(1);
  if (unit === 'year') date.setMonth(0, 1);
  return date.getTime();
}

/**
 * The same time of day that many days, weeks, months or years later; negative for earlier. A day that
 * a month does not have is its last one.
 */
export function shifted(ms: number, unit: CalendarUnit, count: number): number {
  const date = new Date(ms);
  if (unit === 'day' || unit === 'week') {
    date.setDate(date.getDate() + count * (unit === 'week' ? 7 : 1));
    return date.getTime();
  }
  const day = date.getDate();
  date.setDate(1);
  date.setMonth(date.getMonth() + count * (unit === 'year' ? 12 : 1));
  const lastDay = new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate();
  date.setDate(Math.min(day, lastDay));
  return date.getTime();
}
