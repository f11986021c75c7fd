import { type MaintenanceWindow, WEEKDAYS } from '@fieldwatch/contract';
import { localeFormats } from '../runtime/index.ts';
import { rotas, maintenance as words } from '../strings/index.ts';
import { duration } from '../ui/index.ts';

type Recurrence = NonNullable<MaintenanceWindow['recurrence']>;

const MINUTE_MS = 60_000;

const dayOf = (ms: number) => new Date(ms).toDateString();

/** "14:00" today, "Wed, Nov 18, 08:00" on another day, with the year where that differs. */
export function momentText(ms: number, now: number): string {
  if (dayOf(ms) === dayOf(now)) return localeFormats.minute(ms);
  const isThisYear = new Date(ms).getFullYear() === new Date(now).getFullYear();
  return isThisYear ? localeFormats.dayMinute(ms) : localeFormats.exact(ms);
}

/** "14:00 – 18:00", with the day where it is another. */
export function periodText(
  { from, to }: { readonly from: string; readonly to: string },
  now: number,
): string {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const endText = dayOf(start) === dayOf(end) ? localeFormats.minute(end) : momentText(end, now);
  return words.period(momentText(start, now), endText);
}

/** "Every Monday and Thursday at 08:00 for 2 h (Europe/Vienna)". */
export function recurrenceText(recurrence: Recurrence): string {
  const { startTime, durationMinutes, timeZone, untilDate } = recurrence;
  const starts =
    recurrence.kind === 'WEEKLY'
      ? words.weekly(daysText(recurrence.weekdays), startTime)
      : words.monthly(recurrence.monthDay, startTime);
  const text = words.lasting(starts, duration(durationMinutes * MINUTE_MS), timeZone);
  return untilDate === null ? text : words.lastDay(text, untilDate);
}

function daysText(weekdays: readonly (typeof WEEKDAYS)[number][]): string {
  if (weekdays.length === WEEKDAYS.length) return words.everyDay;
  const names = WEEKDAYS.filter((day) => weekdays.includes(day)).map((day) => rotas.weekdays[day]);
  const last = names.pop() ?? '';
  return names.length === 0 ? last : words.and(names.join(', '), last);
}
