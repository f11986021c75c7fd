import { type Clock, createRateLimit } from '../runtime/index.ts';
import type { DeviceCache } from '../variables/index.ts';

interface ReloadDeps {
  readonly deviceCache: Pick<DeviceCache, 'invalidate'>;
  readonly clock: Clock;
}

/** One a second, for a Device that always sends unknown paths. */
const STEADY = { limit: 1, windowMs: 1_000, maxKeys: 10_000 };
/** And some more, for a script that creates one Variable after another and sends at once. */
const BURST = { limit: 60, windowMs: 60_000, maxKeys: 10_000 };
/** Devices that always send unknown paths must not keep the database busy. */
const PER_NODE = { limit: 100, windowMs: 1_000, maxKeys: 1 };

/** Removes a Device from the device cache, unless that happens too often; false when it was not. */
export function createReload({ deviceCache, clock }: ReloadDeps): (deviceId: string) => boolean {
  const steady = createRateLimit(clock, STEADY);
  const burst = createRateLimit(clock, BURST);
  const perNode = createRateLimit(clock, PER_NODE);
  return (deviceId) => {
    if (!steady.hit(deviceId).allowed && !burst.hit(deviceId).allowed) return false;
    if (!perNode.hit('node').allowed) return false;
    deviceCache.invalidate(deviceId);
    return true;
  };
}
