import type { DeviceEntry } from './cached-device.ts';

export interface EntryLimits {
  /** After so many sweeps without use an entry is dropped. */
  readonly idleSweeps: number;
  readonly maxDevices: number;
  /** Of all Devices together. */
  readonly maxVariables: number;
  /** Ids that are known to be no Device's. */
  readonly maxUnknown: number;
}

export const ENTRY_LIMITS: EntryLimits = {
  idleSweeps: 15,
  maxDevices: 250_000,
  maxVariables: 2_000_000,
  maxUnknown: 10_000,
};

/** What is known of a Device. */
export interface Slot {
  /** Undefined once it has loaded. */
  loading: Promise<DeviceEntry | null> | undefined;
  /** Undefined while it loads, and from when it is dropped on. */
  entry: DeviceEntry | undefined;
  /** Sweeps that there had been when it was last used. */
  usedIn: number;
}

/** Devices in use, as many as the limits allow. */
export interface Slots {
  /** How often it was swept. */
  readonly sweeps: number;
  open(deviceId: string, loading: Slot['loading']): Slot;
  /** False when the slot was dropped meanwhile. What is no Device's is dropped. */
  settle(deviceId: string, slot: Slot, entry: DeviceEntry | null): boolean;
  used(deviceId: string): Slot | undefined;
  /** Drops the slot of a Device; where one is given, only if it still is that. */
  drop(deviceId: string, slot?: Slot): void;
  dropAll(): void;
  /** Drops what was not used for a while. */
  sweep(): void;
}

export function createSlots(limits: EntryLimits): Slots {
  const slots = new Map<string, Slot>();
  let variables = 0;
  let sweeps = 0;

  function drop(deviceId: string, slot = slots.get(deviceId)): void {
    if (!slot || slots.get(deviceId) !== slot) return;
    slots.delete(deviceId);
    variables -= slot.entry?.variables.size ?? 0;
    slot.entry = undefined;
  }

  function makeRoom(): void {
    for (const [deviceId, slot] of slots) {
      if (slots.size <= limits.maxDevices && variables <= limits.maxVariables) return;
      drop(deviceId, slot);
    }
  }

  return {
    get sweeps() {
      return sweeps;
    },
    open(deviceId, loading) {
      const slot: Slot = { loading, entry: undefined, usedIn: sweeps };
      slots.set(deviceId, slot);
      return slot;
    },
    settle(deviceId, slot, entry) {
      slot.loading = undefined;
      if (slots.get(deviceId) !== slot) return false;
      if (entry === null) {
        drop(deviceId, slot);
      } else {
        slot.entry = entry;
        variables += entry.variables.size;
        makeRoom();
      }
      return true;
    },
    used(deviceId) {
      const slot = slots.get(deviceId);
      if (slot) slot.usedIn = sweeps;
      return slot;
    },
    drop,
    dropAll() {
      for (const [deviceId, slot] of slots) drop(deviceId, slot);
    },
    sweep() {
      sweeps += 1;
      const oldest = sweeps - limits.idleSweeps;
      for (const [deviceId, slot] of slots) if (slot.usedIn < oldest) drop(deviceId, slot);
    },
  };
}
