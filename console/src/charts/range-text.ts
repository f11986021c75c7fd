import { strings } from '../strings/index.ts';
import { isCalendarPeriod, isPreset } from './moving-range.ts';
import type { Range, RangeChoice } from './range.ts';

const words = strings.charts;
const TIMES = new Intl.DateTimeFormat(undefined, {
  ...{ year: 'numeric', month: 'short', day: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit' },
});

/** A range in words: "Last 6 hours", "Nov 16, 2026, 08:00 – 12:00". */
export function rangeText(choice: RangeChoice, range: Range, fallback: string): string {
  if (choice.from !== undefined) return TIMES.formatRange(range.startMs, range.endMs);
  return movingText(choice.last ?? fallback);
}

export function movingText(moving: string): string {
  if (isPreset(moving) || isCalendarPeriod(moving)) return words.periods[moving];
  return words.lastOf(Number.parseInt(moving, 10), moving.slice(-1) as 'm' | 'h' | 'd' | 'w');
}
