import type { Operations, ReplyBody } from '@fieldwatch/contract';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useCallback } from 'react';
import { keyOf, useCall, type Variable } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import type { Range } from './range.ts';
import type { Bucket } from './series.ts';

type Answer = ReplyBody<Operations['listReadings']>;

export interface NumberHistory {
  readonly variable: Variable;
  readonly bucketMs: number;
  readonly buckets: readonly Bucket[];
}

export interface Segment {
  readonly startTime: number;
  readonly endTime: number;
  readonly value: string | number | boolean;
}

export interface StateHistory {
  readonly variable: Variable;
  readonly segments: readonly Segment[];
}

export interface History {
  readonly numbers: readonly NumberHistory[];
  readonly states: readonly StateHistory[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly refetch: () => void;
}

/** About one bucket for two pixels of a wide screen. */
const BUCKETS = 600;

function isBuckets(answer: Answer): answer is Extract<Answer, { bucketMs: number }> {
  return 'bucketMs' in answer;
}

/** The history of Variables over a range, in as many buckets as a chart can show. */
export function useHistory(variables: readonly Variable[], { startMs, endMs }: Range): History {
  const call = useCall();
  const { organization } = useSession();
  const combine = useCallback(
    (results: readonly UseQueryResult<Answer, Error>[]) => combined(variables, results),
    [variables],
  );
  return useQueries({
    queries: variables.map(({ id }) => {
      const given = {
        variableId: id,
        query: { startTime: Math.round(startMs), endTime: Math.round(endMs), buckets: BUCKETS },
      };
      return {
        queryKey: keyOf(organization.id, 'listReadings', given),
        queryFn: (): Promise<Answer> => call('listReadings', given),
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 60_000,
        placeholderData: (previous: Answer | undefined) => previous,
      };
    }),
    combine,
  });
}

function combined(
  variables: readonly Variable[],
  results: readonly UseQueryResult<Answer, Error>[],
): History {
  const numbers: NumberHistory[] = [];
  const states: StateHistory[] = [];
  for (const [index, variable] of variables.entries()) {
    const answer = results[index]?.data;
    if (!answer || !isBuckets(answer)) continue;
    const { bucketMs, items } = answer;
    if (variable.type === 'NUMBER') {
      numbers.push({ variable, bucketMs, buckets: items as readonly Bucket[] });
    } else {
      states.push({ variable, segments: items as readonly Segment[] });
    }
  }
  return {
    numbers,
    states,
    isPending: results.some(({ isPending }) => isPending),
    error: results.find(({ error }) => error)?.error ?? null,
    refetch: () => {
      for (const { refetch } of results) void refetch();
    },
  };
}
