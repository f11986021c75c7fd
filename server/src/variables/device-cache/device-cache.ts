import type { DeviceIndex } from '../../presence/index.ts';
import { BoundedMap, isUuid } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import {
  type CacheEntries,
  type CacheEntry,
  createCacheEntries,
  DEVICE_CACHE_LIMITS,
  type DeviceCacheLimits,
} from './cache-entries.ts';
import type { CachedDevice } from './cached-device.ts';
import { createLoader } from './loader.ts';

/**
 * A cache of Devices and their Variables. A Device is loaded on first use, in one query with others
 * that are requested at the same time. Ids may be in upper or lower case.
 */
export interface DeviceCache {
  /** Null when there is no such Device. Concurrent calls share one load. */
  get(deviceId: string): Promise<CachedDevice | null>;
  /** The Device if it is in the cache. */
  peek(deviceId: string): CachedDevice | undefined;
  /** For a caller that needs the same Device repeatedly. */
  handle(deviceId: string): DeviceHandle;
  /** Called when the Device or one of its Variables has changed: the next `get` reloads it. */
  invalidate(deviceId: string): void;
  invalidateAll(): void;
  /** Evicts Devices that were not used for a while. Called every minute. */
  evictIdle(): void;
}

/** Returns one Device repeatedly, without a search while it stays in the cache. */
export interface DeviceHandle {
  readonly deviceId: string;
  peek(): CachedDevice | undefined;
  get(): Promise<CachedDevice | null>;
}

interface DeviceCacheDeps {
  readonly storage: Queries;
  readonly deviceIndex: DeviceIndex;
  readonly limits?: DeviceCacheLimits;
}

export function createDeviceCache({
  storage,
  deviceIndex,
  limits = DEVICE_CACHE_LIMITS,
}: DeviceCacheDeps): DeviceCache {
  const loader = createLoader(storage, deviceIndex);
  const entries = createCacheEntries(limits);
  // The server generates all ids, so an id without a Device will not get one elsewhere.
  const unknown = new BoundedMap<string, true>(limits.maxUnknown);

  function complete(deviceId: string, entry: CacheEntry, device: CachedDevice | null): void {
    const isCurrent = entries.complete(deviceId, entry, device);
    if (isCurrent && device === null) unknown.set(deviceId, true);
  }

  function load(requestedId: string): Promise<CachedDevice | null> {
    const deviceId = flatCopy(requestedId);
    const loading = loader.load(deviceId);
    const entry = entries.add(deviceId, loading);
    loading.then(
      (device) => complete(deviceId, entry, device),
      () => entries.delete(deviceId, entry),
    );
    return loading;
  }

  async function get(id: string): Promise<CachedDevice | null> {
    const deviceId = id.toLowerCase();
    const entry = entries.use(deviceId);
    if (entry) return entry.device ?? entry.loading ?? null;
    return !isUuid(deviceId) || unknown.has(deviceId) ? null : load(deviceId);
  }

  return {
    peek: (deviceId) => entries.use(deviceId.toLowerCase())?.device,
    get,
    handle: (deviceId) => new Handle(deviceId.toLowerCase(), entries, get),
    invalidate(deviceId) {
      unknown.delete(deviceId);
      entries.delete(deviceId);
    },
    invalidateAll() {
      unknown.clear();
      entries.clear();
    },
    evictIdle: entries.evictIdle,
  };
}

/** The id may be a slice of a topic, which would stay in memory with it. */
function flatCopy(id: string): string {
  return Buffer.from(id, 'latin1').toString('latin1');
}

class Handle implements DeviceHandle {
  readonly deviceId: string;
  readonly #entries: CacheEntries;
  readonly #get: DeviceCache['get'];
  #entry: CacheEntry | undefined;

  constructor(deviceId: string, entries: CacheEntries, get: DeviceCache['get']) {
    this.deviceId = deviceId;
    this.#entries = entries;
    this.#get = get;
  }

  peek(): CachedDevice | undefined {
    const entry = this.#entry;
    if (entry?.device !== undefined) {
      entry.lastUsedRound = this.#entries.round;
      return entry.device;
    }
    this.#entry = this.#entries.use(this.deviceId);
    return this.#entry?.device;
  }

  get(): Promise<CachedDevice | null> {
    return this.#get(this.deviceId);
  }
}
