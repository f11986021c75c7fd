import { compact, numberIn, type Raw, textIn } from '../service/index.ts';
import { isMoving, movingRange, type Preset } from './moving-range.ts';
import type { Range } from './time-range.ts';

export type { Range };

/** A range in the URL: one that follows the clock, or a start and an end. */
export interface RangeChoice {
  /** A preset, a length such as `6h`, or a period of the calendar such as `yesterday`. */
  readonly last?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export function parseRange(raw: Raw): RangeChoice {
  const from = numberIn(raw.from);
  const to = numberIn(raw.to);
  if (from !== undefined && to !== undefined && from < to) return { from, to };
  const last = textIn(raw.last);
  return compact({ last: last !== undefined && isMoving(last) ? last : undefined });
}

/** The time range of a choice. `endMs` is where a range up to now ends, if that is rounded. */
export function rangeOf(
  choice: RangeChoice,
  nowMs: number,
  fallback: Preset = 'day',
  endMs: number = nowMs,
): Range {
  if (choice.from !== undefined && choice.to !== undefined) {
    return { startMs: choice.from, endMs: choice.to };
  }
  return movingRange(choice.last ?? fallback, nowMs, endMs);
}

/** The range half a length earlier or later; it never ends in the future. */
export function stepOf({ startMs, endMs }: Range, direction: -1 | 1, nowMs: number): Range {
  const halfMs = (endMs - startMs) / 2;
  const stepMs = direction < 0 ? -halfMs : Math.max(0, Math.min(halfMs, nowMs - endMs));
  return { startMs: Math.round(startMs + stepMs), endMs: Math.round(endMs + stepMs) };
}

/** A range of the same length that does not run into the future. */
export function endingNow({ startMs, endMs }: Range, nowMs: number): Range {
  const aheadMs = Math.max(0, endMs - nowMs);
  return { startMs: startMs - aheadMs, endMs: endMs - aheadMs };
}

/** The step in which the end of an axis follows the clock; a smaller one would not be visible. */
export function axisStepMs({ startMs, endMs }: Range): number {
  return Math.max(1_000, Math.floor((endMs - startMs) / 2_000));
}

/** Rounds the time up, so that a moving range causes one request per step instead of one per second. */
export function quantizedNow(nowMs: number, lengthMs: number): number {
  const stepMs = Math.max(5_000, Math.floor(lengthMs / 500));
  return Math.ceil(nowMs / stepMs) * stepMs;
}
