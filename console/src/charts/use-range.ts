import { useMemo } from 'react';
import { useNow } from '../runtime/index.ts';
import { type Preset, type Range, type RangeChoice, rangeOf, steadyNow } from './range.ts';

/** The chosen stretch of time. It moves on in steps that nobody sees, so that few questions are asked. */
export function useRange({ last, from, to }: RangeChoice, fallback: Preset = 'day'): Range {
  const now = useNow();
  const rough = rangeOf({ last, from, to }, now, fallback);
  const end = steadyNow(now, rough.endMs - rough.startMs);
  return useMemo(() => rangeOf({ last, from, to }, end, fallback), [last, from, to, end, fallback]);
}
