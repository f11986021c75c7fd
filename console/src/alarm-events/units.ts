import { useQueries } from '@tanstack/react-query';
import { useCallback } from 'react';
import { batchesOf, keyOf, MAX_IDS_PER_REQUEST, type Reply, useCall } from '../service/index.ts';
import { useSession } from '../session/index.ts';

/** The units of Variables by their ids; a Variable that is not loaded yet has none. */
export type Units = ReadonlyMap<string, string | null>;

/** The units of the Variables of a list of alarms, in as few requests as possible. */
export function useUnits(variableIds: readonly string[]): Units {
  const call = useCall();
  const { organization } = useSession();
  const combine = useCallback(
    (results: readonly { data: Reply<'searchVariables'> | undefined }[]): Units =>
      new Map(
        results.flatMap(({ data }) =>
          (data?.items ?? []).map(({ id, unit }) => [id, unit] as const),
        ),
      ),
    [],
  );
  return useQueries({
    queries: batchesOf(variableIds).map((ids) => {
      const input = { body: { ids: [...ids], take: MAX_IDS_PER_REQUEST } };
      return {
        queryKey: keyOf(organization.id, 'searchVariables', input),
        queryFn: (): Promise<Reply<'searchVariables'>> => call('searchVariables', input),
        staleTime: 60_000,
      };
    }),
    combine,
  });
}
