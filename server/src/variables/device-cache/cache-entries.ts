import type { CachedDevice } from './cached-device.ts';

export interface DeviceCacheLimits {
  /** A Device that was not used in so many rounds of eviction is evicted. */
  readonly maxIdleRounds: number;
  readonly maxDevices: number;
  /** The limit for the Variables of all Devices together. */
  readonly maxVariables: number;
  /** The limit for ids that are known to belong to no Device. */
  readonly maxUnknown: number;
}

export const DEVICE_CACHE_LIMITS: DeviceCacheLimits = {
  maxIdleRounds: 15,
  maxDevices: 250_000,
  maxVariables: 2_000_000,
  maxUnknown: 10_000,
};

export interface CacheEntry {
  /** Undefined once the Device has loaded. */
  loading: Promise<CachedDevice | null> | undefined;
  /** Undefined while the Device loads and after the entry was deleted. */
  device: CachedDevice | undefined;
  /** The round of eviction in which the entry was last used. */
  lastUsedRound: number;
}

/** The entries of the device cache, within its limits. */
export interface CacheEntries {
  /** How many rounds of eviction there were. */
  readonly round: number;
  add(deviceId: string, loading: CacheEntry['loading']): CacheEntry;
  /** False when the entry was deleted while it loaded. An entry without a Device is deleted. */
  complete(deviceId: string, entry: CacheEntry, device: CachedDevice | null): boolean;
  /** The entry of the Device, which counts as used. */
  use(deviceId: string): CacheEntry | undefined;
  /** Deletes the entry of a Device; where one is given, only if it is still the current one. */
  delete(deviceId: string, entry?: CacheEntry): void;
  clear(): void;
  evictIdle(): void;
}

export function createCacheEntries(limits: DeviceCacheLimits): CacheEntries {
  const entries = new Map<string, CacheEntry>();
  let variables = 0;
  let round = 0;

  function remove(deviceId: string, entry = entries.get(deviceId)): void {
    if (!entry || entries.get(deviceId) !== entry) return;
    entries.delete(deviceId);
    variables -= entry.device?.variables.size ?? 0;
    entry.device = undefined;
  }

  function evictOldest(): void {
    for (const [deviceId, entry] of entries) {
      if (entries.size <= limits.maxDevices && variables <= limits.maxVariables) return;
      remove(deviceId, entry);
    }
  }

  return {
    get round() {
      return round;
    },
    add(deviceId, loading) {
      const entry: CacheEntry = { loading, device: undefined, lastUsedRound: round };
      entries.set(deviceId, entry);
      return entry;
    },
    complete(deviceId, entry, device) {
      entry.loading = undefined;
      if (entries.get(deviceId) !== entry) return false;
      if (device === null) {
        remove(deviceId, entry);
      } else {
        entry.device = device;
        variables += device.variables.size;
        evictOldest();
      }
      return true;
    },
    use(deviceId) {
      const entry = entries.get(deviceId);
      if (entry) entry.lastUsedRound = round;
      return entry;
    },
    delete: remove,
    clear() {
      for (const [deviceId, entry] of entries) remove(deviceId, entry);
    },
    evictIdle() {
      round += 1;
      const oldest = round - limits.maxIdleRounds;
      for (const [deviceId, entry] of entries) {
        if (entry.lastUsedRound < oldest) remove(deviceId, entry);
      }
    },
  };
}
