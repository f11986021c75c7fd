import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import {
  type Annotation,
  changeAnnotations,
  presenceAnnotations,
  type Range,
} from '../charts/index.ts';
import {
  type Device,
  keyOf,
  type Reply,
  useCall,
  useReadColumns,
  type Variable,
} from '../service/index.ts';
import { useSession } from '../session/index.ts';

/** Of each record; older changes of one record are rarely looked for. */
const MAX_CHANGES = 100;
const MAX_RECORDS = 24;
const FRESH_MS = 60_000;
const NONE: readonly never[] = [];

/** The configuration changes of records, by id, where the user may read the audit log. */
export function useChanges(ids: readonly string[], isShown: boolean): readonly Annotation[] {
  const call = useCall();
  const { may, organization } = useSession();
  const readIds = isShown && may('ReadAuditLog') ? ids.slice(0, MAX_RECORDS) : NONE;
  const combine = useCallback(
    (results: readonly { data: Reply<'listAuditLog'> | undefined }[]) =>
      changeAnnotations(results.flatMap(({ data }) => data?.items ?? [])),
    [],
  );
  return useQueries({
    queries: readIds.map((resourceId) => {
      const input = { query: { resourceId, take: MAX_CHANGES } };
      return {
        queryKey: keyOf(organization.id, 'listAuditLog', input),
        queryFn: (): Promise<Reply<'listAuditLog'>> => call('listAuditLog', input),
        staleTime: FRESH_MS,
      };
    }),
    combine,
  });
}

/** When the Devices of the Variables went offline and came online. */
export function usePresenceChanges(
  variables: readonly Variable[],
  { startMs, endMs }: Range,
  isShown: boolean,
): readonly Annotation[] {
  const call = useCall();
  const { organization } = useSession();
  const deviceIds = isShown ? [...new Set(variables.map(({ deviceId }) => deviceId))] : [];
  const combine = useCallback(
    (results: readonly { data: Device | undefined }[]) =>
      results.flatMap(({ data }) => (data ? [data] : [])),
    [],
  );
  const devices = useQueries({
    queries: deviceIds.map((deviceId) => ({
      queryKey: keyOf(organization.id, 'retrieveDevice', { deviceId }),
      queryFn: (): Promise<Device> => call('retrieveDevice', { deviceId }),
      staleTime: FRESH_MS,
    })),
    combine,
  });
  const { data } = useReadColumns(
    'listManyReadings',
    {
      query: {
        ids: devices.map(({ onlineVariableId }) => onlineVariableId),
        startTime: Math.max(0, Math.round(startMs)),
        endTime: Math.round(endMs),
        buckets: 1,
      },
    },
    { enabled: devices.length > 0, keepsPrevious: true, staleMs: FRESH_MS, cacheMs: FRESH_MS },
  );
  return useMemo(() => {
    const names = new Map(devices.map((each) => [each.onlineVariableId, each.name]));
    return (data?.items ?? []).flatMap((history) => {
      const device = names.get(history.variableId);
      if (device === undefined || !('startTime' in history.columns)) return [];
      const { startTime, value } = history.columns;
      const segments = startTime.map((at, index) => ({ startTime: at, value: value[index] }));
      return presenceAnnotations(device, segments);
    });
  }, [devices, data]);
}
