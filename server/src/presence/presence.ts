import { type Ownership, PARTITION_COUNT, partitionOf } from '../nodes/index.ts';
import type { Clock, Log } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import { DeviceColumn, type DeviceIndex, DeviceQueue, type IndexedDevice } from './device-index.ts';
import { saveLastSeen } from './store.ts';

/** Whether a Device is online and when it was last seen, at the time of the call. */
export interface DevicePresence {
  readonly isOnline: boolean;
  readonly lastSeenAt: number | null;
}

/** The stored state of a Device that its presence follows from. */
interface StoredPresence {
  readonly id: string;
  readonly lastSeenAt: number | null;
  /** Whether the Device was last reported as online. */
  readonly isOnline: boolean;
  /** How long the Device counts as online after a reading; absent or null for the default. */
  readonly onlineMinutes?: number | null;
  /** The same as learned from its messages, where it has no window of its own. */
  readonly learnedOnlineMinutes?: number | null;
}

/**
 * What a network server reported of a Device. It outlasts a restart, because it is stored with the
 * Device.
 */
export interface ReportedConnection {
  /** When the network server last lost the Device; a later reading shows that it is back. */
  readonly disconnectedAt: number | null;
  /** Until when the Device is not taken for lost, because its network server cannot be asked. */
  readonly heldUntil: number | null;
}

/**
 * Which Devices are online: by their open sessions, and by the times of their last readings. The node
 * that acts for a Device knows both. The others go by what that node has stored.
 */
export interface Presence {
  readingSeen(device: IndexedDevice, at: number): void;
  /** The first session of a Device that this node acts for opened, or its last one closed. */
  sessionChanged(device: IndexedDevice, at: number): void;
  /** A reading was acknowledged before the start, later than the Device was last seen as stored. */
  replayed(index: number, at: number): void;
  /** The stored report of a Device that this node acts for was read. */
  connectionRead(index: number, reported: ReportedConnection): void;
  of(device: StoredPresence): DevicePresence;
  /**
   * The time from which the online window of a Device that this node acts for counts; null when it
   * is offline.
   */
  onlineSince(device: StoredPresence): number | null;
  /**
   * Resolves once the last-seen times of all Devices, or of at most `maxDevices`, are written, or
   * could not be written and are queued again.
   */
  flush(maxDevices?: number): Promise<void>;
}

/** Receives each event that can change the presence of a Device. */
export interface PresenceListener {
  readingSeen(device: IndexedDevice, at: number): void;
  /** A session of the Device opened or closed. */
  sessionChanged(device: IndexedDevice, at: number): void;
}

export interface PresenceDeps {
  readonly deviceIndex: DeviceIndex;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a Device counts as online after a reading, unless it has a window of its own. */
  readonly onlineMs: number;
  readonly listener: PresenceListener;
  readonly ownership: Ownership;
  readonly sessions: ConnectedDevices;
}

/** Which Devices have an open MQTT session. */
export interface ConnectedDevices {
  /** At any node, of a Device that this node acts for. */
  isConnected(deviceId: string): boolean;
  isConnectedHere(deviceId: string): boolean;
}

/**
 * After a start, and after a node has come to act for a Device, its sessions get this long to
 * reconnect and to be reported. Until then a Device that was online counts as connected.
 */
export const RECONNECT_MS = 30_000;

const LAST_SEEN_BATCH_SIZE = 5_000;
/** Greater than every index: all columns are 0 there. */
const UNKNOWN_INDEX = Number.MAX_SAFE_INTEGER;

export function createPresence(deps: PresenceDeps): Presence {
  const { deviceIndex, clock, onlineMs, listener, ownership, sessions } = deps;
  const lastReadings = createLastReadings(deps);
  const sessionChangedAt = new DeviceColumn();
  const disconnectedAt = new DeviceColumn();
  const heldUntil = new DeviceColumn();
  /** By partition: when this node came to act for it. */
  const gainedAt = new Float64Array(PARTITION_COUNT);
  ownership.onChange(({ gained }) => {
    for (const partition of gained) gainedAt[partition] = clock.now();
  });

  function indexOf(id: string): number {
    return deviceIndex.find(id) ?? UNKNOWN_INDEX;
  }

  function lastReadingAt({ id, lastSeenAt }: StoredPresence): number {
    return Math.max(lastSeenAt ?? 0, lastReadings.at(indexOf(id)));
  }

  /** Until when a Device may reconnect, whose last session this node did not see close. */
  function reconnectBy({ id, isOnline }: StoredPresence): number {
    const since = gainedAt[partitionOf(id)] as number;
    return isOnline && sessionChangedAt.get(indexOf(id)) < since ? since + RECONNECT_MS : 0;
  }

  function onlineSince(device: StoredPresence): number | null {
    const now = clock.now();
    if (sessions.isConnected(device.id)) return now;
    const onlineMinutes = device.onlineMinutes ?? device.learnedOnlineMinutes;
    const windowMs = onlineMinutes == null ? onlineMs : onlineMinutes * 60_000;
    const readAt = lastReadingAt(device);
    const lostAt = disconnectedAt.get(indexOf(device.id));
    if (lostAt > 0 && readAt <= lostAt) return null;
    const heldBy = Math.max(reconnectBy(device), heldUntil.get(indexOf(device.id)));
    const since = Math.max(readAt, heldBy - windowMs);
    return since > 0 && now - since < windowMs ? since : null;
  }

  function seenAt(device: StoredPresence): number | null {
    const at = Math.max(lastReadingAt(device), sessionChangedAt.get(indexOf(device.id)));
    return at === 0 ? null : at;
  }

  return {
    readingSeen(device, at) {
      lastReadings.note(device.index, at);
      listener.readingSeen(device, at);
    },
    sessionChanged(device, at) {
      sessionChangedAt.set(device.index, at);
      listener.sessionChanged(device, at);
    },
    replayed: lastReadings.note,
    connectionRead(index, reported) {
      disconnectedAt.set(index, reported.disconnectedAt ?? 0);
      heldUntil.set(index, reported.heldUntil ?? 0);
    },
    onlineSince,
    of(device) {
      const isOnline = ownership.owns(device.id)
        ? onlineSince(device) !== null
        : device.isOnline || sessions.isConnectedHere(device.id);
      return { isOnline, lastSeenAt: seenAt(device) };
    },
    flush: lastReadings.flush,
  };
}

/** The time of the last reading of each Device, by its index; written behind. */
function createLastReadings({ deviceIndex, storage, log }: PresenceDeps) {
  const seenAt = new DeviceColumn();
  const unwritten = new DeviceQueue();
  let flushing: Promise<void> | undefined;

  async function write(maxDevices: number): Promise<void> {
    const due = unwritten.take(maxDevices);
    for (let first = 0; first < due.length; first += LAST_SEEN_BATCH_SIZE) {
      const batch = due.slice(first, first + LAST_SEEN_BATCH_SIZE);
      try {
        await saveLastSeen(storage.background, batch.map(rowAt));
      } catch (error) {
        log.debug({ err: error }, 'could not write last-seen times of Devices; will retry');
        for (const index of due.slice(first)) unwritten.add(index);
        return;
      }
    }
  }

  function rowAt(index: number) {
    return { id: deviceIndex.idAt(index), at: seenAt.get(index) };
  }

  return {
    at: (index: number) => seenAt.get(index),
    note(index: number, at: number): void {
      if (at <= seenAt.get(index)) return;
      seenAt.set(index, at);
      unwritten.add(index);
    },
    async flush(maxDevices = Number.POSITIVE_INFINITY): Promise<void> {
      while (flushing !== undefined) await flushing;
      flushing = write(maxDevices).finally(() => {
        flushing = undefined;
      });
      await flushing;
    },
  };
}
