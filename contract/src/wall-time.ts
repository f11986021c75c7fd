import Type, { type Static } from 'typebox';
import type { FieldError } from './problem.ts';
import { closed, oneOf } from './schema.ts';

export const WEEKDAYS = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
] as const;

export type Weekday = (typeof WEEKDAYS)[number];

export const timeZone = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'IANA name',
  examples: ['Europe/Vienna', 'America/New_York'],
});

export const timeOfDay = Type.String({
  pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$',
  'x-messages': { pattern: 'must be a time such as 07:30' },
  examples: ['07:30'],
});

export const localDate = Type.String({
  pattern: '^20\\d\\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$',
  'x-messages': { pattern: 'must be a date of this century such as 2026-11-16' },
  examples: ['2026-11-16'],
});

/** Hours of one weekday on the wall clock of a time zone. */
export const WeeklyHours = Type.Object(
  {
    weekday: oneOf(WEEKDAYS),
    from: timeOfDay,
    to: Type.String({
      pattern: '^(?:(?:[01]\\d|2[0-3]):[0-5]\\d|24:00)$',
      'x-messages': { pattern: 'must be a time such as 17:30, or 24:00' },
      description: 'Exclusive; before `from` it is a time of the next day',
    }),
  },
  closed,
);

export type WeeklyHours = Static<typeof WeeklyHours>;

export const MAX_WEEKLY_HOURS = 50;

/** An offset like `+02:00` is no zone: it knows nothing of summer time. */
function isTimeZone(zone: string): boolean {
  if (!/^[a-z]/i.test(zone)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Errors of the field `timeZone` of anything that may have one. */
export function timeZoneErrors(body: unknown, prefix = ''): FieldError[] {
  const { timeZone: zone } = Object(body) as { timeZone?: unknown };
  if (typeof zone !== 'string' || isTimeZone(zone)) return [];
  return [{ path: `${prefix}timeZone`, message: 'must be the IANA name of a time zone' }];
}

/** Hours that end when they begin would be read as none by some and as a whole day by others. */
export function hoursErrors(hours: unknown, prefix: string): FieldError[] {
  if (!Array.isArray(hours) || hours.length > MAX_WEEKLY_HOURS) return [];
  return hours.flatMap((each: unknown, index) => {
    const { from, to } = Object(each) as { from?: unknown; to?: unknown };
    if (typeof from !== 'string' || from !== to) return [];
    const message = 'must differ from `from`; a whole day is 00:00 to 24:00';
    return [{ path: `${prefix}[${index}].to`, message }];
  });
}
