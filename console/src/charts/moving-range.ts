import { localeFormats } from '../runtime/index.ts';
import { type CalendarUnit, shifted, startOf } from './calendar.ts';
import type { Range } from './time-range.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The preset ranges: how far back from now. */
export const PRESETS_MS = {
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
  year: 365 * DAY_MS,
} as const;

export type Preset = keyof typeof PRESETS_MS;

export const isPreset = (text: string): text is Preset => text in PRESETS_MS;

/** Periods of the calendar, up to now or complete. */
export const CALENDAR_PERIODS = [
  'today',
  'yesterday',
  'this-week',
  'previous-week',
  'this-month',
  'previous-month',
  'this-year',
  'previous-year',
] as const;

export type CalendarPeriod = (typeof CALENDAR_PERIODS)[number];

export const isCalendarPeriod = (text: string): text is CalendarPeriod =>
  (CALENDAR_PERIODS as readonly string[]).includes(text);

const UNITS_MS = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS } as const;
const LENGTH = /^([1-9]\d{0,3})([mhdw])$/;
/** Ten years, about as long as any history. */
const MAX_LENGTH_MS = 3_660 * DAY_MS;

/** How long before now a text such as `6h` reaches; null for another text. */
function lengthMsOf(text: string): number | null {
  if (isPreset(text)) return PRESETS_MS[text];
  const [, count, unit] = LENGTH.exec(text) ?? [];
  if (count === undefined || unit === undefined) return null;
  const ms = Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
  return ms <= MAX_LENGTH_MS ? ms : null;
}

/** Whether a text stands for a range that follows the clock: `day`, `6h`, `previous-month`. */
export function isMoving(text: string): boolean {
  return isCalendarPeriod(text) || lengthMsOf(text) !== null;
}

/** The shortest text for a length up to now. */
export function movingOf(count: number, unit: keyof typeof UNITS_MS): string {
  const ms = count * UNITS_MS[unit];
  const preset = Object.entries(PRESETS_MS).find(([, length]) => length === ms);
  return preset?.[0] ?? `${count}${unit}`;
}

/**
 * The range that a moving choice stands for. `endMs` is now, or slightly later where the end is
 * rounded up; the calendar is that of `nowMs`.
 */
export function movingRange(moving: string, nowMs: number, endMs: number = nowMs): Range {
  if (!isCalendarPeriod(moving)) {
    return { startMs: endMs - (lengthMsOf(moving) ?? DAY_MS), endMs };
  }
  const weekday = localeFormats.firstWeekday;
  if (moving === 'today') return upTo(endMs, startOf('day', nowMs, weekday));
  if (moving === 'yesterday') return complete('day', nowMs, weekday);
  const [which, unit] = moving.split('-') as ['this' | 'previous', CalendarUnit];
  return which === 'this'
    ? upTo(endMs, startOf(unit, nowMs, weekday))
    : complete(unit, nowMs, weekday);
}

/** Not empty, even at the first moment of the period. */
function upTo(endMs: number, startMs: number): Range {
  return { startMs: Math.min(startMs, endMs - MINUTE_MS), endMs };
}

function complete(unit: CalendarUnit, nowMs: number, weekday: number): Range {
  const endMs = startOf(unit, nowMs, weekday);
  return { startMs: shifted(endMs, unit, -1), endMs };
}
