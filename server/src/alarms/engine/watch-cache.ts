import { type Clock, createDeferred } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import type { TimedValue } from '../judgement/index.ts';
import { SharedTerms } from './shared-terms.ts';
import { listStoredWatches } from './store.ts';
import {
  type BatchArrival,
  type DeviceWatch,
  type JudgedReading,
  type VariableWatches,
  variableWatchesOf,
} from './variable-watches.ts';
import type { StoredWatch } from './watch-update.ts';

export interface WatchCacheDeps {
  readonly storage: Queries;
  readonly clock: Clock;
  /** The newest reading of each Variable, by the key of its history. */
  readonly latest: (
    refs: readonly { readonly seriesId: number }[],
  ) => Promise<readonly (TimedValue | null)[]>;
  readonly maxDevices?: number;
}

const MAX_DEVICES = 200_000;

/** The watches of Devices in use, in memory. A Device that is busy is not dropped. */
export class WatchCache {
  readonly #deps: WatchCacheDeps;
  readonly #devices = new Map<string, DeviceWatch>();
  readonly #terms = new SharedTerms();

  constructor(deps: WatchCacheDeps) {
    this.#deps = deps;
  }

  get(deviceId: string): DeviceWatch | undefined {
    return this.#devices.get(deviceId);
  }

  /** The Device or its alarms were changed. */
  invalidate(deviceId: string): void {
    const device = this.#devices.get(deviceId);
    if (!device) return;
    device.isInvalid = true;
    if (device.busy === undefined) this.#devices.delete(deviceId);
  }

  invalidateAll(): void {
    for (const deviceId of [...this.#devices.keys()]) this.invalidate(deviceId);
  }

  /** Unless it is busy, or was replaced. */
  drop(device: DeviceWatch): void {
    if (device.busy !== undefined || this.#devices.get(device.deviceId) !== device) return;
    this.#devices.delete(device.deviceId);
  }

  /** Loads Devices; they are busy meanwhile. */
  async load(wanted: readonly JudgedReading['variable'][], arrival: BatchArrival): Promise<void> {
    const loading = wanted.map(({ organizationId, deviceId }): DeviceWatch => {
      return {
        organizationId,
        deviceId,
        variables: null,
        busy: undefined,
        onAwaited: undefined,
        isInvalid: false,
      };
    });
    const loaded = createDeferred<void>();
    for (const device of loading) {
      device.busy = loaded.promise;
      this.#devices.set(device.deviceId, device);
    }
    try {
      await this.fill(loading, arrival);
    } catch (error) {
      for (const device of loading) device.isInvalid = true;
      throw error;
    } finally {
      for (const device of loading) {
        device.busy = undefined;
        if (device.isInvalid) this.drop(device);
      }
      loaded.resolve();
      this.#makeRoom();
    }
  }

  /** Reads what is stored of the Devices into them. */
  async fill(devices: readonly DeviceWatch[], arrival: BatchArrival): Promise<void> {
    const { storage, latest, clock } = this.#deps;
    const alarmsOf = new Map<number, StoredWatch[]>();
    for (const { seriesId, stored } of await listStoredWatches(storage, devices)) {
      const known = alarmsOf.get(seriesId);
      const alarm = { ...stored, terms: this.#terms.of(stored.terms) };
      if (known) known.push(alarm);
      else alarmsOf.set(seriesId, [alarm]);
    }
    const seriesIds = [...alarmsOf.keys()].sort((a, b) => a - b);
    const refs = seriesIds.map((seriesId) => ({ seriesId }));
    const newest = refs.length === 0 ? [] : await latest(refs);
    const moment = { now: clock.now(), arrivedAt: arrival.at };
    const byDevice = new Map<string, VariableWatches[]>();
    for (const [index, seriesId] of seriesIds.entries()) {
      const alarms = alarmsOf.get(seriesId) ?? [];
      const deviceId = alarms[0]?.deviceId ?? '';
      const variables = byDevice.get(deviceId) ?? [];
      variables.push(variableWatchesOf(seriesId, alarms, newest[index] ?? null, moment));
      byDevice.set(deviceId, variables);
    }
    // A copy has no spare room, which is most of an array that has grown to a few elements.
    for (const device of devices) device.variables = byDevice.get(device.deviceId)?.slice() ?? null;
  }

  #makeRoom(): void {
    const max = this.#deps.maxDevices ?? MAX_DEVICES;
    for (const device of this.#devices.values()) {
      if (this.#devices.size <= max) return;
      this.drop(device);
    }
  }
}
