import { type LocaleFormats, localeFormats } from '../runtime/index.ts';
import type { ReadingValue } from '../service/index.ts';
import { strings } from '../strings/index.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Sentences such as "3 min. ago" are in the language of the catalogue. */
const language = 'en';
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });

/** The IANA name of the viewer's time zone. */
export const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The names of time zones. Browsers list those of places, and leave this one out. */
export const timeZones = (): string[] => [
  ...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']),
];

export function timeZoneAt(ms: number): string {
  const parts = new Intl.DateTimeFormat(language, { timeZoneName: 'short' }).formatToParts(ms);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** "Nov 15, 2026, 06:13:43 PM", in the viewer's zone and locale. */
export function exactTime(ms: number): string {
  return localeFormats.exact(ms);
}

/** The age of a time. `nowMs` is sampled every few seconds, so a reading may be slightly newer. */
function ageMs(ms: number, nowMs: number): number {
  const age = nowMs - ms;
  return age < 0 && age > -MINUTE_MS ? 0 : age;
}

/** The time of day within the last 24 hours, otherwise with the date. */
export function shortTime(ms: number, nowMs: number): string {
  const age = ageMs(ms, nowMs);
  return age >= 0 && age < DAY_MS ? localeFormats.clock(ms) : localeFormats.exact(ms);
}

export function utcTime(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', ' UTC');
}

/** "3 min. ago": whole units that have passed, as in durations; from a day on, days of the calendar. */
export function relativeTime(ms: number, nowMs: number): string {
  const ago = -ageMs(ms, nowMs);
  const size = Math.abs(ago);
  if (size < MINUTE_MS) return relative.format(Math.trunc(ago / 1_000), 'second');
  if (size < HOUR_MS) return relative.format(Math.trunc(ago / MINUTE_MS), 'minute');
  if (size < DAY_MS) return relative.format(Math.trunc(ago / HOUR_MS), 'hour');
  // A day may have an hour more or less.
  return relative.format(Math.round((midnightOf(ms) - midnightOf(nowMs)) / DAY_MS), 'day');
}

/** The start of the day in the viewer's zone. */
function midnightOf(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}

/** "2 h 5 min": the two largest units. */
export function duration(ms: number): string {
  const parts = [
    [DAY_MS, 'd'],
    [HOUR_MS, 'h'],
    [MINUTE_MS, 'min'],
    [1_000, 's'],
  ] as const;
  let left = Math.max(0, ms);
  const words: string[] = [];
  for (const [size, name] of parts) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0 || (size === 1_000 && words.length === 0)) words.push(`${count} ${name}`);
    if (words.length === 2) break;
  }
  return words.join(' ');
}

/** Nobody counts the digits of a larger number, and doubles are not exact far above it. */
const MAX_WRITTEN_OUT = 1e15;

/** Five significant digits; more only before the decimal point. */
export function numberText(
  value: number,
  decimals?: number,
  formats: LocaleFormats = localeFormats,
): string {
  if (Math.abs(value) >= MAX_WRITTEN_OUT) return formats.exponential(value);
  if (decimals !== undefined) return formats.fixed(value, decimals);
  if (value !== 0 && Math.abs(value) < 1e-4) return formats.exponential(value);
  const whole = Math.max(0, Math.floor(Math.log10(Math.abs(value) || 1)) + 1);
  return formats.upTo(value, Math.max(0, 5 - whole));
}

/** A reading as text, with its unit. */
export function readingText(value: ReadingValue, unit: string | null, decimals?: number): string {
  if (typeof value === 'boolean') return value ? strings.ui.on : strings.ui.off;
  const text = typeof value === 'number' ? numberText(value, decimals) : value;
  return unit ? `${text} ${unit}` : text;
}

/** A count with thousands separators: "12,345". */
export function countText(value: number): string {
  return localeFormats.upTo(value, 0);
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size in the largest decimal unit of which it has at least one: "182 MB". */
export function bytesText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  for (; size >= 1_000 && unit < BYTE_UNITS.length - 1; unit += 1) size /= 1_000;
  return `${numberText(size, size < 10 && unit > 0 ? 1 : 0)} ${BYTE_UNITS[unit]}`;
}
