import { type Clock, createRateLimit } from '../runtime/index.ts';
import type { DeviceCache } from '../variables/index.ts';

interface ReloadDeps {
  readonly deviceCache: Pick<DeviceCache, 'invalidate'>;
  readonly clock: Clock;
}

const PER_DEVICE = { limit: 1, windowMs: 1_000, maxKeys: 10_000 };
/** Devices that always send unknown paths must not keep the database busy. */
const PER_NODE = { limit: 100, windowMs: 1_000, maxKeys: 1 };

/** Removes a Device from the device cache, at most once per second; false when it was not. */
export function createReload({ deviceCache, clock }: ReloadDeps): (deviceId: string) => boolean {
  const perDevice = createRateLimit(clock, PER_DEVICE);
  const perNode = createRateLimit(clock, PER_NODE);
  return (deviceId) => {
    if (!perDevice.hit(deviceId).allowed || !perNode.hit('node').allowed) return false;
    deviceCache.invalidate(deviceId);
    return true;
  };
}
