import type { Permission } from '@fieldwatch/contract';
import { matchesQuickHash } from '../access/index.ts';
import type { Caller, FindDeviceCaller } from '../http/index.ts';
import { type Clock, createRateLimit, Failure } from '../runtime/index.ts';
import type { DeviceEntries, DeviceEntry } from '../variables/index.ts';

interface DeviceCallersDeps {
  readonly entries: DeviceEntries;
  readonly clock: Clock;
}

const FAILURES = { limit: 600, windowMs: 60_000, maxKeys: 10_000 };
const PERMISSIONS: ReadonlySet<Permission> = new Set(['WriteReadings'] as const);

/** Tells which Device sent its credentials. */
export function createFindDeviceCaller({ entries, clock }: DeviceCallersDeps): FindDeviceCaller {
  const failures = createRateLimit(clock, FAILURES);

  /** Counted once the password was found wrong, so that the failures of others shut nobody out. */
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
    const entry = await entries.get(id.toLowerCase());
    if (entry === null) return null;
    const isRight = matchesQuickHash(entry.passwordHash, secret);
    if (!isRight || !entry.takesReadings) throw failure(entry.deviceId, address);
    return deviceCaller(entry);
  };
}

function deviceCaller({ deviceId, organizationId }: DeviceEntry): Caller {
  return {
    kind: 'DEVICE',
    id: deviceId,
    name: deviceId,
    sessionId: null,
    permissionsIn: (id) => (id === organizationId ? PERMISSIONS : undefined),
  };
}
