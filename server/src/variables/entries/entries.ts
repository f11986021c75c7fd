import { type Clock, isUuid } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { DeviceEntry } from './entry.ts';
import { createLoader } from './loader.ts';

/** Devices in use, each loaded on first use, together with others that are asked for meanwhile. */
export interface DeviceEntries {
  /** Null when there is no such Device. Who asks while it loads shares the load. */
  get(deviceId: string): Promise<DeviceEntry | null>;
  /** The entry if it is at hand. */
  peek(deviceId: string): DeviceEntry | undefined;
  /** The Device or a Variable of it has changed: the next `get` loads anew. */
  forget(deviceId: string): void;
  /** Anything may have changed. */
  forgetAll(): void;
  /** Drops what was not used for a while. */
  sweep(): void;
}

export interface EntryLimits {
  readonly idleMs: number;
  readonly maxDevices: number;
  /** Of all Devices together. */
  readonly maxVariables: number;
  /** Ids that are known to be no Device's. */
  readonly maxUnknown: number;
}

export const ENTRY_LIMITS: EntryLimits = {
  idleMs: 15 * 60_000,
  maxDevices: 250_000,
  maxVariables: 2_000_000,
  maxUnknown: 10_000,
};

interface EntriesDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly limits?: EntryLimits;
}

interface Slot {
  readonly loading: Promise<DeviceEntry | null>;
  entry: DeviceEntry | undefined;
  usedAt: number;
}

export function createDeviceEntries({
  storage,
  clock,
  limits = ENTRY_LIMITS,
}: EntriesDeps): DeviceEntries {
  const loader = createLoader(storage);
  const slots = new Map<string, Slot>();
  // Ids are given out by us, so one that is no Device's stays that.
  const unknown = new Set<string>();
  let variables = 0;

  function drop(deviceId: string, slot: Slot | undefined): void {
    if (!slot || slots.get(deviceId) !== slot) return;
    slots.delete(deviceId);
    variables -= slot.entry?.variables.size ?? 0;
  }

  function makeRoom(): void {
    for (const [deviceId, slot] of slots) {
      if (slots.size <= limits.maxDevices && variables <= limits.maxVariables) return;
      drop(deviceId, slot);
    }
  }

  function settle(deviceId: string, slot: Slot, entry: DeviceEntry | null): void {
    if (slots.get(deviceId) !== slot) return;
    if (entry === null) {
      drop(deviceId, slot);
      addBounded(unknown, deviceId, limits.maxUnknown);
      return;
    }
    slot.entry = entry;
    variables += entry.variables.size;
    makeRoom();
  }

  function load(deviceId: string): Promise<DeviceEntry | null> {
    const loading = loader.load(deviceId);
    const slot: Slot = { loading, entry: undefined, usedAt: clock.now() };
    slots.set(deviceId, slot);
    loading.then(
      (entry) => settle(deviceId, slot, entry),
      () => drop(deviceId, slot),
    );
    return loading;
  }

  function used(deviceId: string): Slot | undefined {
    const slot = slots.get(deviceId);
    if (slot) slot.usedAt = clock.now();
    return slot;
  }

  return {
    peek: (deviceId) => used(deviceId)?.entry,
    async get(deviceId) {
      const slot = used(deviceId);
      if (slot) return slot.entry ?? slot.loading;
      return !isUuid(deviceId) || unknown.has(deviceId) ? null : load(deviceId);
    },
    forget(deviceId) {
      unknown.delete(deviceId);
      drop(deviceId, slots.get(deviceId));
    },
    forgetAll() {
      unknown.clear();
      slots.clear();
      variables = 0;
    },
    sweep() {
      const oldest = clock.now() - limits.idleMs;
      for (const [deviceId, slot] of slots) if (slot.usedAt < oldest) drop(deviceId, slot);
    },
  };
}

/** The oldest make room. */
function addBounded(ids: Set<string>, id: string, most: number): void {
  for (const oldest of ids) {
    if (ids.size < most) break;
    ids.delete(oldest);
  }
  ids.add(id);
}
