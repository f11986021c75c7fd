import { shifted, startOf } from './calendar.ts';
import { isCalendarPeriod, isMoving, movingOf } from './moving-range.ts';
import type { RangeChoice } from './range.ts';

const UNITS = { min: 'm', minute: 'm', h: 'h', hour: 'h', d: 'd', day: 'd', w: 'w', week: 'w' };
const DAYS = { mo: 30, month: 30, y: 365, year: 365 };
const LENGTH = /^(?:(?:last|past) )?(\d{1,4}) ?([a-z]+)$/;
const FROM_NOW = /^now ?- ?(\d{1,4}) ?([a-z]+)$/;
const BETWEEN = /\s+(?:to|until|–|—|-)\s+|\s*(?:–|—|\.\.)\s*/;

/**
 * The range that a person typed: "last 6 hours", "yesterday", "previous month", "2026-11-01",
 * "2026-11-01 08:00 to 12:00". Times are in the viewer's zone. Null for a text that is none.
 */
export function typedRange(typed: string, nowMs: number): RangeChoice | null {
  const text = typed.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const moving = movingText(text);
  if (moving !== null) return { last: moving };
  const parts = text.split(BETWEEN).filter((part) => part !== '');
  const [start, end, ...more] = parts;
  if (start === undefined || more.length > 0) return null;
  const relative = end === undefined || end === 'now' ? FROM_NOW.exec(start) : null;
  if (relative) return moved(lengthText(relative[1] ?? '', relative[2] ?? ''));
  const from = momentOf(start, nowMs, null);
  if (!from) return null;
  const to = end === undefined ? from : momentOf(end, nowMs, from.startMs);
  if (!to || (end === undefined && from.endMs === from.startMs)) return null;
  return to.endMs > from.startMs ? { from: from.startMs, to: to.endMs } : null;
}

const moved = (last: string | null): RangeChoice | null => (last === null ? null : { last });

function movingText(text: string): string | null {
  const named = text.replace(/^last (?=(?:week|month|year)$)/, 'previous ').replace(' ', '-');
  if (isCalendarPeriod(named)) return named;
  const single = text.replace(/^(?:last|past) (?=(?:hour|day|minute)$)/, 'last 1 ');
  const [, count, unit] = LENGTH.exec(single) ?? [];
  return count === undefined || unit === undefined ? null : lengthText(count, unit);
}

/** A length in its shortest form; null when there is no such unit or it is too long. */
function lengthText(count: string, typedUnit: string): string | null {
  const unit = typedUnit === 'm' ? 'min' : typedUnit.replace(/(?<=..)s$/, '');
  const days = DAYS[unit as keyof typeof DAYS];
  const letter = UNITS[unit as keyof typeof UNITS] as 'm' | 'h' | 'd' | 'w' | undefined;
  if (days === undefined && letter === undefined) return null;
  const last = days ? movingOf(Number(count) * days, 'd') : movingOf(Number(count), letter ?? 'm');
  return isMoving(last) ? last : null;
}

interface Moment {
  readonly startMs: number;
  /** Later than the start where a whole day is meant. */
  readonly endMs: number;
}

const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ t](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/;

/** A date, a date with a time, or a time alone, which is of the day of `sameDayMs` or of today. */
function momentOf(text: string, nowMs: number, sameDayMs: number | null): Moment | null {
  if (text === 'now') return { startMs: nowMs, endMs: nowMs };
  if (text === 'today') return dayOf(nowMs);
  if (text === 'yesterday') return dayOf(shifted(nowMs, 'day', -1));
  const clock = CLOCK.exec(text);
  if (clock) {
    const day = new Date(sameDayMs ?? nowMs);
    const [hours, minutes, seconds] = clock.slice(1).map((part) => Number(part ?? 0));
    day.setHours(hours ?? 0, minutes ?? 0, seconds ?? 0, 0);
    return isClock(clock[1], clock[2]) ? at(day.getTime()) : null;
  }
  const [, year, month, day, hours, minutes, seconds] = DATE.exec(text) ?? [];
  if (year === undefined) return null;
  const [y, m, d] = [Number(year), Number(month) - 1, Number(day)];
  const date = new Date(y, m, d, Number(hours ?? 0), Number(minutes ?? 0), Number(seconds ?? 0));
  // February 30 would be a day of March.
  if (date.getMonth() !== m || date.getDate() !== d) return null;
  if (hours === undefined) return dayOf(date.getTime());
  return isClock(hours, minutes) ? at(date.getTime()) : null;
}

const at = (ms: number): Moment => ({ startMs: ms, endMs: ms });

const isClock = (hours: string | undefined, minutes: string | undefined) =>
  Number(hours) < 24 && Number(minutes) < 60;

function dayOf(ms: number): Moment {
  const startMs = startOf('day', ms, 1);
  return { startMs, endMs: shifted(startMs, 'day', 1) };
}
