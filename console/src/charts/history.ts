import type { BucketColumns, ReadingSegments, SegmentColumns } from '@fieldwatch/contract';
import { useMemo } from 'react';
import { type ColumnsReply, useReadColumns, type Variable } from '../service/index.ts';
import type { NumberHistory, StateHistory } from './histories.ts';
import type { Range } from './range.ts';
import { useLiveTail } from './use-live-tail.ts';

export interface History {
  readonly numbers: readonly NumberHistory[];
  readonly states: readonly StateHistory[];
  /** Whether the newest readings may be missing. */
  readonly isIncomplete: boolean;
  readonly isPending: boolean;
  /** Whether the readings are those of an earlier range, and nothing of them is in this one. */
  readonly isOutdated: boolean;
  readonly error: Error | null;
  readonly refetch: () => void;
}

const NOTHING = { numbers: [], states: [] } as const;

/** About one bucket per two pixels of a wide screen. */
const BUCKETS = 600;
/** A wall screen reads a new range every few seconds, so old replies are dropped soon. */
const CACHE_MS = 60_000;
/** A range may end this share of its length after now; its axis then begins as much earlier. */
const AHEAD_SHARE = 0.02;
/** While a chart is panned, as much is loaded on either side as it shows. */
const MOVED_FACTOR = 3;

/**
 * The history of Variables over a range, in as many buckets as a chart can show, in one request. A
 * live one continues with the values that arrive.
 */
export function useHistory(
  variables: readonly Variable[],
  range: Range,
  { isMoving, isLive }: { readonly isMoving: boolean; readonly isLive: boolean },
): History {
  const lengthMs = range.endMs - range.startMs;
  const besideMs = isMoving ? lengthMs : 0;
  const beforeMs = Math.max(besideMs, lengthMs * AHEAD_SHARE);
  const query = useReadColumns(
    'listManyReadings',
    {
      query: {
        ids: variables.map(({ id }) => id),
        startTime: Math.max(0, Math.round(range.startMs - beforeMs)),
        endTime: Math.round(range.endMs + besideMs),
        buckets: BUCKETS * (isMoving ? MOVED_FACTOR : 1),
      },
    },
    {
      enabled: variables.length > 0,
      staleMs: Number.POSITIVE_INFINITY,
      cacheMs: CACHE_MS,
      keepsPrevious: true,
    },
  );
  const { data, isPending, isPlaceholderData, error, refetch } = query;
  const sorted = useMemo(() => sort(variables, data), [variables, data]);
  const live = useLiveTail(isLive ? sorted : NOTHING);
  const current = isLive ? live : sorted;
  const isOutdated = isPlaceholderData && !hasDataIn(range, sorted);
  return {
    ...current,
    isIncomplete: data?.incomplete ?? false,
    isPending: isPending && variables.length > 0,
    isOutdated,
    error,
    refetch: () => void refetch(),
  };
}

/** Whether a chart of the range shows anything of the histories. */
export function hasDataIn(
  { startMs, endMs }: Range,
  { numbers, states }: Pick<History, 'numbers' | 'states'>,
): boolean {
  return (
    numbers.some(({ buckets }) =>
      buckets.timestamp.some((time) => time >= startMs && time <= endMs),
    ) ||
    states.some(({ segments }) =>
      segments.some((segment) => segment.startTime <= endMs && segment.endTime >= startMs),
    )
  );
}

/** Splits the reply into lines and stripes, in the order of the Variables. */
function sort(variables: readonly Variable[], reply: ColumnsReply<'listManyReadings'> | undefined) {
  const byId = new Map((reply?.items ?? []).map((each) => [each.variableId, each]));
  const numbers: NumberHistory[] = [];
  const states: StateHistory[] = [];
  for (const variable of variables) {
    const history = byId.get(variable.id);
    if (!history || !('bucketMs' in history)) continue;
    if (variable.type === 'NUMBER') {
      const { bucketMs, columns } = history as BucketColumns;
      numbers.push({ variable, bucketMs, buckets: columns });
    } else {
      states.push({ variable, segments: segmentsOf(history as SegmentColumns) });
    }
  }
  return { numbers, states };
}

function segmentsOf({ columns: { startTime, endTime, value } }: SegmentColumns) {
  return startTime.flatMap((start, index): ReadingSegments['items'] => {
    const [end, state] = [endTime[index], value[index]];
    return end === undefined || state === undefined
      ? []
      : [{ startTime: start, endTime: end, value: state }];
  });
}
