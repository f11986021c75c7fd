import { compact, numberIn, type Raw } from '../service/index.ts';

const HOUR_MS = 60 * 60_000;
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

/** A time range, in epoch milliseconds. */
export interface Range {
  readonly startMs: number;
  readonly endMs: number;
}

/** A range in the URL: a preset up to now, or a start and an end. */
export interface RangeChoice {
  readonly last?: Preset | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export function parseRange(raw: Raw): RangeChoice {
  const from = numberIn(raw.from);
  const to = numberIn(raw.to);
  if (from !== undefined && to !== undefined && from < to) return { from, to };
  const last = Object.keys(PRESETS_MS).find((preset) => preset === raw.last) as Preset | undefined;
  return compact({ last });
}

/** The time range of a choice. */
export function rangeOf(choice: RangeChoice, nowMs: number, fallback: Preset = 'day'): Range {
  if (choice.from !== undefined && choice.to !== undefined) {
    return { startMs: choice.from, endMs: choice.to };
  }
  return { startMs: nowMs - PRESETS_MS[choice.last ?? fallback], endMs: nowMs };
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
