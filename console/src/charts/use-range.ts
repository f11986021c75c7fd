import { useMemo } from 'react';
import { useNow } from '../runtime/index.ts';
import { type Preset, quantizedNow, type Range, type RangeChoice, rangeOf } from './range.ts';

/** The selected time range. It moves in steps smaller than a pixel, so that few requests are sent. */
export function useRange({ last, from, to }: RangeChoice, fallback: Preset = 'day'): Range {
  const now = useNow();
  const rough = rangeOf({ last, from, to }, now, fallback);
  const end = quantizedNow(now, rough.endMs - rough.startMs);
  return useMemo(() => rangeOf({ last, from, to }, end, fallback), [last, from, to, end, fallback]);
}
