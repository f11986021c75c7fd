import type { FieldError } from './problem.ts';
import { timeZoneErrors, WEEKDAYS } from './wall-time.ts';

/** The times of a window as they were sent, which may be anything. */
export interface Schedule {
  readonly from?: unknown;
  readonly to?: unknown;
  readonly recurrence?: unknown;
}

export const MAX_WINDOW_MS = 31 * 24 * 3_600_000;

const MINUTES_PER_DAY = 1_440;
/** The shortest month, less an hour that a change of the clock may take. */
const MAX_MONTHLY_MINUTES = 28 * MINUTES_PER_DAY - 60;

/** Every period of a window ends, and before the next one begins. */
export function scheduleErrors({
  from = null,
  to = null,
  recurrence = null,
}: Schedule): FieldError[] {
  if (recurrence !== null) {
    const given = [...(from === null ? [] : ['from']), ...(to === null ? [] : ['to'])];
    return [
      ...given.map((path) => ({ path, message: 'must be left out with recurrence' })),
      ...recurrenceErrors(Object(recurrence)),
    ];
  }
  if (to === null) {
    return [{ path: 'to', message: 'is required: a maintenance window must have an end' }];
  }
  const [start, end] = [from, to].map((each) => Date.parse(String(each)));
  if (start === undefined || end === undefined || Number.isNaN(start) || Number.isNaN(end)) {
    return [];
  }
  return periodErrors(start, end);
}

/** A period of its own: later than its start, and of at most 31 days. */
export function periodErrors(start: number, end: number): FieldError[] {
  if (end <= start) return [{ path: 'to', message: 'must be after from' }];
  if (end - start > MAX_WINDOW_MS) {
    return [{ path: 'to', message: 'must be at most 31 days after from' }];
  }
  return [];
}

function recurrenceErrors(given: Readonly<Record<string, unknown>>): FieldError[] {
  const { durationMinutes } = given;
  const errors = timeZoneErrors(given, 'recurrence.');
  const max = given.kind === 'MONTHLY' ? MAX_MONTHLY_MINUTES : maxWeeklyMinutes(given.weekdays);
  if (typeof durationMinutes === 'number' && durationMinutes > max) {
    const message = `must be at most ${max}, so that each period ends before the next one`;
    errors.push({ path: 'recurrence.durationMinutes', message });
  }
  return errors;
}

/** The shortest distance between two of the days, less an hour that a change of the clock may take. */
function maxWeeklyMinutes(weekdays: unknown): number {
  const given = Array.isArray(weekdays) ? weekdays : [];
  const days = WEEKDAYS.flatMap((day, index) => (given.includes(day) ? [index] : []));
  const gaps = days.map((day, index) => (days[index + 1] ?? (days[0] ?? 0) + 7) - day);
  return Math.min(7, ...gaps) * MINUTES_PER_DAY - 60;
}
