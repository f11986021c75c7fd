import type { Clock, Log } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import { Column, type Placed, type Places, Waiting } from './device-index.ts';
import { saveLastSeen } from './store.ts';

/** What is known of a Device's being there, at the moment of asking. */
export interface Presence {
  readonly isOnline: boolean;
  readonly lastSeenAt: number | null;
}

interface Heard {
  readonly id: string;
  readonly lastSeenAt: number | null;
  /** How long it counts as online after that, where it has a say of its own. */
  readonly onlineMinutes?: number | null;
}

/** Who is there: by open sessions, and by when readings last came from a Device. */
export interface PresenceBoard {
  /** A reading came. */
  seen(device: Placed, at: number): void;
  sessionOpened(device: Placed): void;
  sessionClosed(device: Placed): void;
  of(device: Heard): Presence;
  /** Since when it counts as online for as long as its window is; null when it is not. */
  onlineSince(device: Heard): number | null;
  /**
   * Resolves once what was seen so far, or as many Devices of it as are said, is written, or could
   * not be and is kept for later.
   */
  flush(most?: number): Promise<void>;
}

export interface PresenceDeps {
  readonly places: Places;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a Device counts as online after a reading, unless it says otherwise. */
  readonly onlineMs: number;
  /** Told when what is said of a Device may have changed. */
  readonly onMoved: (device: Placed, seenAt: number) => void;
  /** Told when a session began or ended. */
  readonly onSession: (device: Placed, at: number) => void;
}

const ROWS_AT_ONCE = 5_000;
/** Behind all places: nothing is known there. */
const NOWHERE = Number.MAX_SAFE_INTEGER;

export function createPresence(deps: PresenceDeps): PresenceBoard {
  const { places, clock, onlineMs, onMoved, onSession } = deps;
  const sessions = new Map<number, number>();
  const readings = createLastReadings(deps);
  /** By their sessions, which count for as long as they last. */
  const metAt = new Column();

  function meet(device: Placed, more: number): void {
    const count = (sessions.get(device.place) ?? 0) + more;
    if (count > 0) sessions.set(device.place, count);
    else sessions.delete(device.place);
    const now = clock.now();
    metAt.set(device.place, now);
    onSession(device, now);
  }

  function readAtOf({ id, lastSeenAt }: Heard): number {
    return Math.max(lastSeenAt ?? 0, readings.at(places.find(id) ?? NOWHERE));
  }

  function onlineSince(device: Heard): number | null {
    const now = clock.now();
    if (sessions.has(places.find(device.id) ?? NOWHERE)) return now;
    const { onlineMinutes } = device;
    const windowMs = onlineMinutes == null ? onlineMs : onlineMinutes * 60_000;
    const readAt = readAtOf(device);
    return readAt > 0 && now - readAt < windowMs ? readAt : null;
  }

  return {
    seen(device, at) {
      readings.note(device.place, at);
      onMoved(device, at);
    },
    sessionOpened: (device) => meet(device, 1),
    sessionClosed: (device) => meet(device, -1),
    onlineSince,
    of(device) {
      const newest = Math.max(readAtOf(device), metAt.get(places.find(device.id) ?? NOWHERE));
      return {
        isOnline: onlineSince(device) !== null,
        lastSeenAt: newest === 0 ? null : newest,
      };
    },
    flush: readings.flush,
  };
}

/** When readings last came, by place; written behind. */
function createLastReadings({ places, storage, log }: PresenceDeps) {
  const seenAt = new Column();
  const unwritten = new Waiting();
  let flushing: Promise<void> | undefined;

  async function write(most: number): Promise<void> {
    const due = unwritten.take(most);
    for (let first = 0; first < due.length; first += ROWS_AT_ONCE) {
      const some = due.slice(first, first + ROWS_AT_ONCE);
      try {
        await saveLastSeen(storage.background, some.map(rowAt));
      } catch (error) {
        log.debug({ err: error }, 'when Devices were last heard of could not be written yet');
        for (const place of due.slice(first)) unwritten.add(place);
        return;
      }
    }
  }

  function rowAt(place: number) {
    return { id: places.idAt(place), at: seenAt.get(place) };
  }

  return {
    at: (place: number) => seenAt.get(place),
    note(place: number, at: number): void {
      if (at <= seenAt.get(place)) return;
      seenAt.set(place, at);
      unwritten.add(place);
    },
    async flush(most = Number.POSITIVE_INFINITY): Promise<void> {
      while (flushing) await flushing;
      flushing = write(most).finally(() => {
        flushing = undefined;
      });
      await flushing;
    },
  };
}
