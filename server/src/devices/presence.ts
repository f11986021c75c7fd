import type { Clock, Log } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import type { Presence } from './device.ts';
import { saveLastSeen } from './store.ts';

interface Heard {
  readonly id: string;
  readonly lastSeenAt: number | null;
  /** How long it counts as online after that, where it has a say of its own. */
  readonly onlineMinutes?: number | null;
}

/** Who is there: by open sessions, and by when a Device was last heard of. */
export interface PresenceBoard {
  seen(deviceId: string, at: number): void;
  sessionOpened(deviceId: string): void;
  sessionClosed(deviceId: string): void;
  of(device: Heard): Presence;
  forget(deviceId: string): void;
  /**
   * Resolves once what was seen so far, or as many Devices of it as are said, is written, or could
   * not be and is kept for later.
   */
  flush(most?: number): Promise<void>;
}

export interface PresenceDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a Device counts as online after it was heard of, unless it says otherwise. */
  readonly onlineMs: number;
  /** Told when what is said of a Device may have changed. */
  readonly onMoved: (deviceId: string, seenAt: number) => void;
}

const ROWS_AT_ONCE = 5_000;

export function createPresence(deps: PresenceDeps): PresenceBoard {
  const { storage, clock, log, onlineMs, onMoved } = deps;
  const sessions = new Map<string, number>();
  /** What is not written yet. */
  const seenAt = new Map<string, number>();
  let flushing: Promise<void> | undefined;

  function seen(deviceId: string, at: number): void {
    if (at > (seenAt.get(deviceId) ?? 0)) seenAt.set(deviceId, at);
    onMoved(deviceId, at);
  }

  async function write(most: number): Promise<void> {
    const all: { id: string; at: number }[] = [];
    for (const [id, at] of seenAt) if (all.push({ id, at }) >= most) break;
    for (let first = 0; first < all.length; first += ROWS_AT_ONCE) {
      const some = all.slice(first, first + ROWS_AT_ONCE);
      await saveLastSeen(storage, some);
      for (const { id, at } of some) if (seenAt.get(id) === at) seenAt.delete(id);
    }
  }

  return {
    seen,
    sessionOpened(deviceId) {
      sessions.set(deviceId, (sessions.get(deviceId) ?? 0) + 1);
      seen(deviceId, clock.now());
    },
    sessionClosed(deviceId) {
      const left = (sessions.get(deviceId) ?? 0) - 1;
      if (left > 0) sessions.set(deviceId, left);
      else sessions.delete(deviceId);
      seen(deviceId, clock.now());
    },
    of({ id, lastSeenAt, onlineMinutes }) {
      const newest = Math.max(lastSeenAt ?? 0, seenAt.get(id) ?? 0);
      if (newest === 0) return { isOnline: sessions.has(id), lastSeenAt: null };
      const windowMs = onlineMinutes == null ? onlineMs : onlineMinutes * 60_000;
      const isRecent = clock.now() - newest < windowMs;
      return { isOnline: isRecent || sessions.has(id), lastSeenAt: newest };
    },
    forget(deviceId) {
      seenAt.delete(deviceId);
    },
    async flush(most = Number.POSITIVE_INFINITY) {
      while (flushing) await flushing;
      flushing = write(most)
        .catch((error: unknown) => {
          log.debug({ err: error }, 'when Devices were last heard of could not be written yet');
        })
        .finally(() => {
          flushing = undefined;
        });
      await flushing;
    },
  };
}
