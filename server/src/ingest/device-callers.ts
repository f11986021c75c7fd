import type { Permission } from '@fieldwatch/contract';
import { matchesQuickHash } from '../access/index.ts';
import type { Caller, FindDeviceCaller } from '../http/index.ts';
import { type Clock, createRateLimit, Failure } from '../runtime/index.ts';
import type { CachedDevice, DeviceCache } from '../variables/index.ts';

interface DeviceCallersDeps {
  readonly deviceCache: DeviceCache;
  readonly clock: Clock;
}

const FAILURES = { limit: 600, windowMs: 60_000, maxKeys: 10_000 };
const PERMISSIONS: ReadonlySet<Permission> = new Set(['WriteReadings'] as const);

/** Finds the Device whose credentials a request presents. */
export function createFindDeviceCaller({
  deviceCache,
  clock,
}: DeviceCallersDeps): FindDeviceCaller {
  const failures = createRateLimit(clock, FAILURES);

  /** Counts wrong passwords only, so that failures of one client do not block another. */
  function failure(deviceId: string, address: string): Failure {
    const { allowed, resetSeconds } = failures.hit(`${address} ${deviceId}`);
    if (allowed) {
      const detail = 'The password of the Device is wrong, or the Device is inactive or archived.';
      return new Failure('UNAUTHENTICATED', detail);
    }
    const tooMany = 'Too many failures of this Device from this address.';
    return new Failure('TOO_MANY_REQUESTS', tooMany, { retryAfterSeconds: resetSeconds });
  }

  return async ({ id, secret }, address) => {
    const device = await deviceCache.get(id.toLowerCase());
    if (device === null) return null;
    const isRight = matchesQuickHash(device.passwordHash, secret);
    if (!isRight || !device.takesReadings) throw failure(device.deviceId, address);
    return deviceCaller(device);
  };
}

function deviceCaller({ deviceId, organizationId }: CachedDevice): Caller {
  return {
    kind: 'DEVICE',
    id: deviceId,
    name: deviceId,
    sessionId: null,
    permissionsIn: (id) => (id === organizationId ? PERMISSIONS : undefined),
  };
}
