import { type Device, useRead, type Variable } from '../service/index.ts';

const LOOK_MS = 3_000;

interface Progress {
  /** The first Device, if there is one. */
  readonly device: Device | null;
  /** Whether a reading of the Device has arrived. */
  readonly hasArrived: boolean;
  /** Its first Variable. */
  readonly variable: Variable | null;
}

/** The completed steps of a new organization; undefined until they are loaded. */
export function useProgress(): Progress | undefined {
  const devices = useRead('listDevices', { query: { take: 1 } }, { refetchIntervalMs: LOOK_MS });
  const device = devices.data?.items[0] ?? null;
  const deviceId = device?.id ?? '';
  const variables = useRead(
    'listDeviceVariables',
    { deviceId, query: { take: 1 } },
    { enabled: device !== null, refetchIntervalMs: LOOK_MS },
  );
  const unmatched = useRead(
    'listUnmatchedPaths',
    { deviceId, query: { take: 1 } },
    { enabled: device !== null, refetchIntervalMs: LOOK_MS },
  );
  if (!devices.data) return undefined;
  return {
    device,
    hasArrived: (unmatched.data?.count ?? 0) > 0 || device?.lastSeenDateTime != null,
    variable: variables.data?.items[0] ?? null,
  };
}
