import type { Clock, Log } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import type { Presence } from './device.ts';
import { Column, type Placed, type Places, Waiting } from './places.ts';
import { saveLastSeen } from './store.ts';

interface Heard {
  readonly id: string;
  readonly lastSeenAt: number | null;
  /** How long it counts as online after that, where it has a say of its own. */
  readonly onlineMinutes?: number | null;
}

/** Who is there: by open sessions, and by when a Device was last heard of. */
export interface PresenceBoard {
  seen(device: Placed, at: number): void;
  sessionOpened(device: Placed): void;
  sessionClosed(device: Placed): void;
  of(device: Heard): Presence;
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
  /** How long a Device counts as online after it was heard of, unless it says otherwise. */
  readonly onlineMs: number;
  /** Told when what is said of a Device may have changed. */
  readonly onMoved: (device: Placed, seenAt: number) => void;
}

const ROWS_AT_ONCE = 5_000;

export function createPresence(deps: PresenceDeps): PresenceBoard {
  const { places, storage, clock, log, onlineMs, onMoved } = deps;
  const sessions = new Map<number, number>();
  const seenAt = new Column();
  const unwritten = new Waiting();
  let flushing: Promise<void> | undefined;

  function seen(device: Placed, at: number): void {
    const { place } = device;
    if (at > seenAt.get(place)) {
      seenAt.set(place, at);
      unwritten.add(place);
    }
    onMoved(device, at);
  }

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
    seen,
    sessionOpened(device) {
      sessions.set(device.place, (sessions.get(device.place) ?? 0) + 1);
      seen(device, clock.now());
    },
    sessionClosed(device) {
      const left = (sessions.get(device.place) ?? 0) - 1;
      if (left > 0) sessions.set(device.place, left);
      else sessions.delete(device.place);
      seen(device, clock.now());
    },
    of({ id, lastSeenAt, onlineMinutes }) {
      const place = places.find(id) ?? -1;
      const newest = Math.max(lastSeenAt ?? 0, place < 0 ? 0 : seenAt.get(place));
      const hasSession = sessions.has(place);
      if (newest === 0) return { isOnline: hasSession, lastSeenAt: null };
      const windowMs = onlineMinutes == null ? onlineMs : onlineMinutes * 60_000;
      const isRecent = clock.now() - newest < windowMs;
      return { isOnline: isRecent || hasSession, lastSeenAt: newest };
    },
    async flush(most = Number.POSITIVE_INFINITY) {
      while (flushing) await flushing;
      flushing = write(most).finally(() => {
        flushing = undefined;
      });
      await flushing;
    },
  };
}
