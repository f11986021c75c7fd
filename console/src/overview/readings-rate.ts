import { useEffect, useState } from 'react';
import { useCounts } from './counts.ts';

/** Long enough to smooth counts that the server updates in steps. */
const WINDOW_MS = 30_000;

export interface Look {
  readonly total: number;
  readonly atMs: number;
}

/** The samples of the last half minute with a new one. A lower count starts a new series. */
export function withLook(looks: readonly Look[], look: Look): readonly Look[] {
  const last = looks.at(-1);
  if (last && look.total < last.total) return [look];
  return [...looks.filter(({ atMs }) => look.atMs - atMs <= WINDOW_MS), look];
}

/** The rate between the first and the last sample; null until there are two. */
export function rateOf(looks: readonly Look[]): number | null {
  const [first, last] = [looks[0], looks.at(-1)];
  if (!first || !last || last.atMs <= first.atMs) return null;
  return ((last.total - first.total) * 1_000) / (last.atMs - first.atMs);
}

/** Accepted readings per second in the organization. */
export function useReadingsRate(): number | null {
  const { data, dataUpdatedAt: atMs } = useCounts();
  const [looks, setLooks] = useState<readonly Look[]>([]);
  const total = data?.acceptedReadingCount;
  useEffect(() => {
    if (total !== undefined) setLooks((before) => withLook(before, { total, atMs }));
  }, [total, atMs]);
  return rateOf(looks);
}
