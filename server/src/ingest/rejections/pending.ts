import { DeviceColumn, type DeviceIndex, DeviceQueue } from '../../presence/index.ts';
import {
  addOlderCounts,
  addOutcome,
  type DeviceCounts,
  emptyCounts,
  type MessageOutcome,
  type RejectionCounts,
} from './counts.ts';

/** Counts that are not written yet, by the indexes of their Devices. */
export interface Pending {
  add(index: number, outcome: MessageOutcome): void;
  /** Removes and returns the counts of at most `maxDevices` Devices, those queued longest first. */
  take(maxDevices: number): DeviceCounts[];
  /** Adds back counts that could not be written. */
  putBack(counts: DeviceCounts): void;
}

/** The limit for unmatched paths of all Devices; further paths are dropped until these are written. */
const MAX_PATHS = 10_000;

export function createPending(deviceIndex: DeviceIndex): Pending {
  const queued = new DeviceQueue();
  const accepted = new DeviceColumn();
  /** Only for Devices with rejected readings, which are few. */
  const countsByIndex = new Map<number, RejectionCounts>();
  let paths = 0;

  function add(index: number, count: number): void {
    accepted.set(index, accepted.get(index) + count);
    queued.add(index);
  }

  function updateCounts(index: number, change: (counts: RejectionCounts) => void): void {
    const counts = countsByIndex.get(index) ?? emptyCounts(deviceIndex.idAt(index));
    countsByIndex.set(index, counts);
    const before = counts.unmatched.size;
    change(counts);
    paths += counts.unmatched.size - before;
  }

  function takeCounts(index: number): DeviceCounts {
    const counts = countsByIndex.get(index) ?? emptyCounts(deviceIndex.idAt(index));
    countsByIndex.delete(index);
    paths -= counts.unmatched.size;
    const taken = { ...counts, accepted: accepted.get(index) };
    accepted.set(index, 0);
    return taken;
  }

  return {
    add(index, outcome) {
      add(index, outcome.accepted);
      if (outcome.rejected.length === 0) return;
      updateCounts(index, (counts) => addOutcome(counts, outcome, paths < MAX_PATHS));
    },
    take: (maxDevices) => queued.take(maxDevices).map(takeCounts),
    putBack(older) {
      const index = deviceIndex.indexOf(older.deviceId);
      add(index, older.accepted);
      if (older.lastRejected.length === 0) return;
      updateCounts(index, (counts) => addOlderCounts(counts, older));
    },
  };
}
