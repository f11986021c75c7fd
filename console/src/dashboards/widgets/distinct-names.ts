import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { type Device, keyOf, useCall, type Variable } from '../../service/index.ts';
import { useSession } from '../../session/index.ts';

/** The Variables that share their name with another one. */
function namesakesIn(variables: readonly Variable[]): readonly Variable[] {
  return variables.filter(({ id, name }) =>
    variables.some((other) => other.name === name && other.id !== id),
  );
}

/**
 * The Variables with distinct names: those with a shared name get the name of their Device, once it is
 * loaded. Where all share one name, the name of the Device alone distinguishes them.
 */
export function useDistinctNames(variables: readonly Variable[]): readonly Variable[] {
  const call = useCall();
  const { organization } = useSession();
  const combine = useCallback(
    (results: readonly { data: Device | undefined }[]) =>
      new Map(results.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : []))),
    [],
  );
  const deviceIds = [...new Set(namesakesIn(variables).map(({ deviceId }) => deviceId))];
  const names = useQueries({
    queries: deviceIds.map((deviceId) => ({
      queryKey: keyOf(organization.id, 'retrieveDevice', { deviceId }),
      queryFn: (): Promise<Device> => call('retrieveDevice', { deviceId }),
      staleTime: 60_000,
    })),
    combine,
  });
  return useMemo(() => {
    const namesakes = new Set(namesakesIn(variables));
    const isOneName = names.size > 1 && new Set(variables.map(({ name }) => name)).size === 1;
    return variables.map((variable) => {
      const device = namesakes.has(variable) ? names.get(variable.deviceId) : undefined;
      if (device === undefined) return variable;
      return { ...variable, name: isOneName ? device : `${device}, ${variable.name}` };
    });
  }, [variables, names]);
}
