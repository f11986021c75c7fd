import type { MaintenanceWindow, Weekday } from '@fieldwatch/contract';
import { localTime } from '../runtime/index.ts';

type Recurrence = NonNullable<MaintenanceWindow['recurrence']>;

export const TIMINGS = ['NOW', 'LATER', 'WEEKLY', 'MONTHLY'] as const;
export const SPANS = ['1', '4', 'morning', 'until'] as const;

const HOUR_MS = 60 * 60_000;
const MORNING_HOUR = 8;

/** The times of a window as fields of its form have them: local times of the viewer. */
export interface ScheduleValues {
  readonly timing: (typeof TIMINGS)[number];
  readonly span: (typeof SPANS)[number];
  readonly from: string;
  readonly to: string;
  readonly recurrence: {
    readonly weekdays: Weekday[];
    readonly monthDay: number | string;
    readonly startTime: string;
    readonly hours: number | string;
    readonly timeZone: string;
    readonly untilDate: string;
  };
}

/** The end of a window that starts at this time; null while its field is empty. */
export function endOf({ span, to }: Pick<ScheduleValues, 'span' | 'to'>, start: number) {
  if (span === 'until') return localTime(to);
  if (span !== 'morning') return start + Number(span) * HOUR_MS;
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  end.setHours(MORNING_HOUR, 0, 0, 0);
  return end.getTime();
}

/** The times as the API has them. The server refuses what is missing, at its field. */
export function timesOf(
  values: ScheduleValues,
  now: number,
): Pick<MaintenanceWindow, 'from' | 'to' | 'recurrence'> {
  const { timing } = values;
  if (timing === 'WEEKLY' || timing === 'MONTHLY') {
    return { from: null, to: null, recurrence: recurrenceOf(values.recurrence, timing) };
  }
  // Without a start a window begins at once, whatever the clock of the browser says.
  const from = timing === 'NOW' ? null : localTime(values.from);
  const to = endOf(values, from ?? now);
  return {
    from: from === null ? null : new Date(from).toISOString(),
    to: to === null ? null : new Date(to).toISOString(),
    recurrence: null,
  };
}

function recurrenceOf(
  { weekdays, monthDay, hours, untilDate, startTime, timeZone }: ScheduleValues['recurrence'],
  kind: Recurrence['kind'],
): Recurrence {
  const eachTime = {
    startTime,
    durationMinutes: Math.round(Number(hours) * 60),
    timeZone,
    untilDate: untilDate === '' ? null : untilDate,
  };
  return kind === 'WEEKLY'
    ? { kind, weekdays, ...eachTime }
    : { kind, monthDay: Number(monthDay), ...eachTime };
}
