import type { Places } from '../../presence/index.ts';
import { isUuid } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import {
  createSlots,
  ENTRY_LIMITS,
  type EntryLimits,
  type Slot,
  type Slots,
} from './cache-entries.ts';
import type { DeviceEntry } from './cached-device.ts';
import { createLoader } from './loader.ts';

/**
 * Devices in use, each loaded on first use, together with others that are asked for meanwhile. Ids
 * may be written in any case.
 */
export interface DeviceEntries {
  /** Null when there is no such Device. Who asks while it loads shares the load. */
  get(deviceId: string): Promise<DeviceEntry | null>;
  /** The entry if it is at hand. */
  peek(deviceId: string): DeviceEntry | undefined;
  /** For who asks for the same Device again and again. */
  handle(deviceId: string): DeviceHandle;
  /** The Device or a Variable of it has changed: the next `get` loads anew. */
  forget(deviceId: string): void;
  /** Anything may have changed. */
  forgetAll(): void;
  /** Drops what was not used for a while. Called every minute. */
  sweep(): void;
}

/** Finds the entry of one Device again, without a search while nothing of it has changed. */
export interface DeviceHandle {
  readonly deviceId: string;
  peek(): DeviceEntry | undefined;
  get(): Promise<DeviceEntry | null>;
}

interface EntriesDeps {
  readonly storage: Queries;
  readonly places: Places;
  readonly limits?: EntryLimits;
}

export function createDeviceEntries({
  storage,
  places,
  limits = ENTRY_LIMITS,
}: EntriesDeps): DeviceEntries {
  const loader = createLoader(storage, places);
  const slots = createSlots(limits);
  // Ids are given out by us, so one that is no Device's stays that.
  const unknown = new Set<string>();

  function settle(deviceId: string, slot: Slot, entry: DeviceEntry | null): void {
    const isCurrent = slots.settle(deviceId, slot, entry);
    if (isCurrent && entry === null) addBounded(unknown, deviceId, limits.maxUnknown);
  }

  function load(deviceId: string): Promise<DeviceEntry | null> {
    const loading = loader.load(deviceId);
    const slot = slots.open(deviceId, loading);
    loading.then(
      (entry) => settle(deviceId, slot, entry),
      () => slots.drop(deviceId, slot),
    );
    return loading;
  }

  async function get(written: string): Promise<DeviceEntry | null> {
    const deviceId = written.toLowerCase();
    const slot = slots.used(deviceId);
    if (slot) return slot.entry ?? slot.loading ?? null;
    return !isUuid(deviceId) || unknown.has(deviceId) ? null : load(deviceId);
  }

  return {
    peek: (deviceId) => slots.used(deviceId.toLowerCase())?.entry,
    get,
    handle: (deviceId) => new Handle(deviceId.toLowerCase(), slots, get),
    forget(deviceId) {
      unknown.delete(deviceId);
      slots.drop(deviceId);
    },
    forgetAll() {
      unknown.clear();
      slots.dropAll();
    },
    sweep: slots.sweep,
  };
}

class Handle implements DeviceHandle {
  readonly deviceId: string;
  readonly #slots: Slots;
  readonly #get: DeviceEntries['get'];
  #slot: Slot | undefined;

  constructor(deviceId: string, slots: Slots, get: DeviceEntries['get']) {
    this.deviceId = deviceId;
    this.#slots = slots;
    this.#get = get;
  }

  peek(): DeviceEntry | undefined {
    const slot = this.#slot;
    if (slot?.entry !== undefined) {
      slot.usedIn = this.#slots.sweeps;
      return slot.entry;
    }
    this.#slot = this.#slots.used(this.deviceId);
    return this.#slot?.entry;
  }

  get(): Promise<DeviceEntry | null> {
    return this.#get(this.deviceId);
  }
}

/** The oldest make room. */
function addBounded(ids: Set<string>, id: string, most: number): void {
  for (const oldest of ids) {
    if (ids.size < most) break;
    ids.delete(oldest);
  }
  ids.add(id);
}
