import { useMemo } from 'react';
import { useNow } from '../runtime/index.ts';
import type { Preset } from './moving-range.ts';
import { quantizedNow, type Range, type RangeChoice, rangeOf } from './range.ts';

/** The selected time range. It moves in steps smaller than a pixel, so that few requests are sent. */
export function useRange(choice: RangeChoice, fallback: Preset = 'day'): Range {
  const now = useNow();
  const rough = rangeOf(choice, now, fallback);
  const end = quantizedNow(now, rough.endMs - rough.startMs);
  const { startMs, endMs } = rangeOf(choice, now, fallback, end);
  return useMemo(() => ({ startMs, endMs }), [startMs, endMs]);
}
