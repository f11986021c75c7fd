import { type Reply, useRead, type Variable } from '../service/index.ts';
import type { Range } from './range.ts';

export type Statistics = Reply<'listReadingStatistics'>['items'][number];

/** A wall screen reads a new range every few seconds, so old replies are dropped soon. */
const CACHE_MS = 60_000;

/** The statistics of numeric Variables over a range, by id, as the server has them; null meanwhile. */
export function useStatistics(
  variables: readonly Variable[],
  { startMs, endMs }: Range,
  enabled: boolean,
): ReadonlyMap<string, Statistics> | null {
  const ids = variables.filter(({ type }) => type === 'NUMBER').map(({ id }) => id);
  const { data } = useRead(
    'listReadingStatistics',
    {
      query: {
        ids,
        startTime: Math.max(0, Math.round(startMs)),
        endTime: Math.max(0, Math.round(endMs)),
      },
    },
    {
      enabled: enabled && ids.length > 0,
      staleMs: Number.POSITIVE_INFINITY,
      cacheMs: CACHE_MS,
      keepsPrevious: true,
    },
  );
  return data ? new Map(data.items.map((each) => [each.variableId, each])) : null;
}

export const STATISTICS = ['last', 'min', 'mean', 'timeWeightedMean', 'max', 'change'] as const;

export type Statistic = (typeof STATISTICS)[number];

/** One statistic; null where there is none. */
export function statisticOf(
  statistics: Statistics | undefined,
  statistic: Statistic,
): number | null {
  if (!statistics) return null;
  return statistic === 'change' ? statistics.last - statistics.first : statistics[statistic];
}

/** A live value, which is newer than the reply, is the last one and may be an extreme. */
export function withLatest(
  statistics: Statistics | undefined,
  latest: { readonly timestamp: number; readonly value: unknown } | undefined,
  { startMs, endMs }: Range,
): Statistics | undefined {
  if (!statistics || typeof latest?.value !== 'number') return statistics;
  const { timestamp, value } = latest;
  if (timestamp < startMs || timestamp > endMs) return statistics;
  const { min, max } = statistics;
  return { ...statistics, last: value, min: Math.min(min, value), max: Math.max(max, value) };
}

export interface Order {
  readonly by: Statistic | 'name';
  readonly isDescending: boolean;
}

interface Sortable {
  readonly name: string;
  readonly statistics: Statistics | undefined;
}

/** Rows by a column; those without a value come last. Without an order they stay as they are. */
export function sortedRows<R extends Sortable>(
  rows: readonly R[],
  order: Order | null,
): readonly R[] {
  if (!order) return rows;
  const { by, isDescending } = order;
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((a, b) => {
    if (by === 'name') return sign * a.name.localeCompare(b.name);
    const [x, y] = [statisticOf(a.statistics, by), statisticOf(b.statistics, by)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return sign * (x - y);
  });
}

/** A column sorts from the greatest, then from the least, then not at all. */
export function nextOrder(order: Order | null, by: Order['by']): Order | null {
  const isFirstDescending = by !== 'name';
  if (order?.by !== by) return { by, isDescending: isFirstDescending };
  return order.isDescending === isFirstDescending ? { by, isDescending: !isFirstDescending } : null;
}
