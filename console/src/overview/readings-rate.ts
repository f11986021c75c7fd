import { useEffect, useState } from 'react';
import { useCounts } from './counts.ts';

/** Long enough to smooth counts that the server updates in steps. */
const WINDOW_MS = 30_000;

export interface Sample {
  readonly total: number;
  readonly atMs: number;
}

/** The samples of the last half minute with a new one. A lower count starts a new series. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last && sample.total < last.total) return [sample];
  return [...samples.filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS), sample];
}

/** The rate between the first and the last sample; null until there are two. */
export function rateOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.atMs <= first.atMs) return null;
  return ((last.total - first.total) * 1_000) / (last.atMs - first.atMs);
}

/** Accepted readings per second in the organization. */
export function useReadingsRate(): number | null {
  const { data, dataUpdatedAt: atMs } = useCounts();
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const total = data?.acceptedReadingCount;
  useEffect(() => {
    if (total !== undefined) setSamples((before) => withSample(before, { total, atMs }));
  }, [total, atMs]);
  return rateOf(samples);
}
