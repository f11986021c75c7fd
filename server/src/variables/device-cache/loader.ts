import type { DeviceIndex } from '../../presence/index.ts';
import { createDeferred } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import { type CachedDevice, CachedDevices } from './cached-device.ts';
import { findDevices } from './store.ts';

/** Loads Devices, those that are requested at the same time in one query. */
export interface Loader {
  /**
   * Null when there is no such Device. The query starts after the call, so that a Device that is
   * requested after a change is read after it.
   */
  load(deviceId: string): Promise<CachedDevice | null>;
}

interface Request {
  readonly loading: Promise<CachedDevice | null>;
  resolve(device: CachedDevice | null): void;
  reject(error: unknown): void;
}

const LOAD_BATCH_SIZE = 1_000;
const MAX_CONCURRENT_QUERIES = 2;

export function createLoader(storage: Queries, deviceIndex: DeviceIndex): Loader {
  const cachedDevices = new CachedDevices(deviceIndex);
  let queued = new Map<string, Request>();
  let queries = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || queued.size === 0 || queries === MAX_CONCURRENT_QUERIES) return;
    isScheduled = true;
    // Requests of the same turn of the event loop share the query.
    setImmediate(() => {
      isScheduled = false;
      queries += 1;
      void loadBatch(nextBatch()).finally(() => {
        queries -= 1;
        schedule();
      });
      schedule();
    });
  }

  function nextBatch(): ReadonlyMap<string, Request> {
    const all = [...queued];
    queued = new Map(all.slice(LOAD_BATCH_SIZE));
    return new Map(all.slice(0, LOAD_BATCH_SIZE));
  }

  async function loadBatch(batch: ReadonlyMap<string, Request>): Promise<void> {
    try {
      const rows = await findDevices(storage, [...batch.keys()]);
      const found = new Map(rows.map((row) => [row.deviceId, row]));
      for (const [deviceId, { resolve }] of batch) {
        const row = found.get(deviceId);
        resolve(row ? cachedDevices.of(deviceId, row) : null);
      }
    } catch (error) {
      for (const { reject } of batch.values()) reject(error);
    }
  }

  return {
    load(deviceId) {
      const known = queued.get(deviceId);
      if (known) return known.loading;
      const { promise, ...callbacks } = createDeferred<CachedDevice | null>();
      queued.set(deviceId, { loading: promise, ...callbacks });
      schedule();
      return promise;
    },
  };
}
