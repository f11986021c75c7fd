import type { Places } from '../../presence/index.ts';
import type { Queries } from '../../storage/index.ts';
import { type DeviceEntry, entryOf } from './cached-device.ts';
import { findEntries } from './store.ts';

/** Loads Devices, many in one query while many are asked for. */
export interface Loader {
  /** Null when there is no such Device. What is asked for after a change is read after it. */
  load(deviceId: string): Promise<DeviceEntry | null>;
}

interface Asked {
  readonly loading: Promise<DeviceEntry | null>;
  resolve(entry: DeviceEntry | null): void;
  reject(error: unknown): void;
}

const MOST_AT_ONCE = 1_000;
const QUERIES_AT_ONCE = 2;

export function createLoader(storage: Queries, places: Places): Loader {
  /** Not in a query yet. */
  let asked = new Map<string, Asked>();
  let queries = 0;
  let isDue = false;

  function schedule(): void {
    if (isDue || asked.size === 0 || queries === QUERIES_AT_ONCE) return;
    isDue = true;
    // What else is asked for in this turn of the event loop goes along.
    setImmediate(() => {
      isDue = false;
      queries += 1;
      void answer(nextOf()).finally(() => {
        queries -= 1;
        schedule();
      });
      schedule();
    });
  }

  function nextOf(): ReadonlyMap<string, Asked> {
    const all = [...asked];
    asked = new Map(all.slice(MOST_AT_ONCE));
    return new Map(all.slice(0, MOST_AT_ONCE));
  }

  async function answer(some: ReadonlyMap<string, Asked>): Promise<void> {
    try {
      const rows = await findEntries(storage, [...some.keys()]);
      const found = new Map(rows.map((row) => [row.deviceId, row]));
      for (const [deviceId, { resolve }] of some) {
        const row = found.get(deviceId);
        resolve(row ? entryOf(row, places) : null);
      }
    } catch (error) {
      for (const { reject } of some.values()) reject(error);
    }
  }

  return {
    load(deviceId) {
      const known = asked.get(deviceId);
      if (known) return known.loading;
      const { promise, ...settle } = deferred<DeviceEntry | null>();
      asked.set(deviceId, { loading: promise, ...settle });
      schedule();
      return promise;
    },
  };
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
