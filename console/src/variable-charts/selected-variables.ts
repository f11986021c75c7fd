import { useQueries } from '@tanstack/react-query';
import { useCallback } from 'react';
import { keyOf, useCall, type Variable } from '../service/index.ts';
import { useSession } from '../session/index.ts';

/** The selected Variables that exist, in the order of selection. */
export function useSelectedVariables(ids: readonly string[]): readonly Variable[] {
  const call = useCall();
  const { organization } = useSession();
  const combine = useCallback(
    (results: readonly { data: Variable | undefined }[]) =>
      results.flatMap(({ data }) => (data ? [data] : [])),
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
