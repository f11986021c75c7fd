import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { nowMs } from '../runtime/index.ts';
import { useSession } from '../session/index.ts';

const EVERY_MS = 5_000;

interface Count {
  readonly total: number;
  readonly atMs: number;
}

/** How many readings the server has taken since it started, from its metrics. */
export function acceptedIn(metrics: string): number | null {
  const match =
    /^fieldwatch_readings_total\{outcome="accepted"\} (\d+(?:\.\d+)?(?:e\+\d+)?)$/m.exec(metrics);
  return match ? Number(match[1]) : null;
}

/** Null until two looks have been taken; a server that began anew counts from nothing. */
export function rateOf(before: Count | null, after: Count): number | null {
  if (!before || after.total < before.total || after.atMs <= before.atMs) return null;
  return ((after.total - before.total) * 1_000) / (after.atMs - before.atMs);
}

/** Readings per second that the whole server takes. */
export function useReadingsRate(): number | null {
  const { client } = useSession();
  const last = useRef<Count | null>(null);
  const { data } = useQuery({
    queryKey: ['readMetrics'],
    queryFn: async ({ signal }) => {
      const total = acceptedIn(await client.readMetrics({ signal }));
      if (total === null) return null;
      const count = { total, atMs: nowMs() };
      const rate = rateOf(last.current, count);
      last.current = count;
      return rate;
    },
    refetchInterval: EVERY_MS,
    staleTime: 0,
  });
  return data ?? null;
}
