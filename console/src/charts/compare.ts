import { shifted } from './calendar.ts';
import type { NumberHistory, StateHistory } from './histories.ts';
import type { Range } from './range.ts';

/** What a range is compared with: as long before, or the same times of an earlier day or longer. */
export const COMPARISONS = ['period', 'day', 'week', 'month', 'year'] as const;

export type Comparison = (typeof COMPARISONS)[number];

/** How much earlier the compared range is. Days are those of the viewer's calendar. */
export function offsetMsOf({ startMs, endMs }: Range, comparison: Comparison): number {
  if (comparison === 'period') return endMs - startMs;
  return endMs - shifted(endMs, comparison, -1);
}

/** An earlier history at the times that it is compared with. */
export function movedNumbers(history: NumberHistory, offsetMs: number): NumberHistory {
  const { buckets } = history;
  const timestamp = buckets.timestamp.map((time) => time + offsetMs);
  return { ...history, buckets: { ...buckets, timestamp } };
}

export function movedStates(history: StateHistory, offsetMs: number): StateHistory {
  const segments = history.segments.map(({ startTime, endTime, value }) => {
    return { startTime: startTime + offsetMs, endTime: endTime + offsetMs, value };
  });
  return { ...history, segments };
}
