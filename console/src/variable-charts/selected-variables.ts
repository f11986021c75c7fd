import { useQueries } from '@tanstack/react-query';
import { useCallback } from 'react';
import { keyOf, useCall, type Variable } from '../service/index.ts';
import { useSession } from '../session/index.ts';

export interface SelectedVariables {
  /** Those that exist, in the order of selection. */
  readonly variables: readonly Variable[];
  /** Whether any of them is being loaded. */
  readonly isPending: boolean;
}

export function useSelectedVariables(ids: readonly string[]): SelectedVariables {
  const call = useCall();
  const { organization } = useSession();
  const combine = useCallback(
    (results: readonly { data: Variable | undefined; isPending: boolean }[]) => ({
      variables: results.flatMap(({ data }) => (data ? [data] : [])),
      isPending: results.some(({ isPending }) => isPending),
    }),
    [],
  );
  return useQueries({
    queries: ids.map((variableId) => ({
      queryKey: keyOf(organization.id, 'retrieveVariable', { variableId }),
      queryFn: (): Promise<Variable> => call('retrieveVariable', { variableId }),
      staleTime: 60_000,
    })),
    combine,
  });
}
