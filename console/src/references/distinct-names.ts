import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { type Device, keyOf, useCall, type Variable } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { distinctNames } from './variable-names.ts';

/**
 * The Variables with names that tell them apart on one chart, once their Devices are loaded. The name
 * of an only Device is left out, unless `isDeviceNamed`.
 */
export function useDistinctNames(
  variables: readonly Variable[],
  isDeviceNamed = false,
): readonly Variable[] {
  const call = useCall();
  const { organization } = useSession();
  const combine = useCallback(
    (results: readonly { data: Device | undefined }[]) =>
      new Map(results.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : []))),
    [],
  );
  const all = [...new Set(variables.map(({ deviceId }) => deviceId))];
  const deviceIds = all.length > 1 || isDeviceNamed ? all : [];
  const names = useQueries({
    queries: deviceIds.map((deviceId) => ({
      queryKey: keyOf(organization.id, 'retrieveDevice', { deviceId }),
      queryFn: (): Promise<Device> => call('retrieveDevice', { deviceId }),
      staleTime: 60_000,
    })),
    combine,
  });
  return useMemo(
    () => distinctNames(variables, names, isDeviceNamed),
    [variables, names, isDeviceNamed],
  );
}
