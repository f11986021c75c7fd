import type { Clock } from '../runtime/index.ts';
import type { OnlineVariable } from './online-variable.ts';
import type { Presence } from './presence.ts';

interface RecordedPresenceDeps {
  readonly clock: Clock;
  readonly presence: Pick<Presence, 'flush'>;
  readonly onlineVariable: Pick<OnlineVariable, 'recorded'>;
}

/** Brings the presence in the database up to date, for statements that filter and sort by it. */
export interface RecordedPresence {
  /** Which Devices are online. */
  states(): Promise<void>;
  /** When Devices were last seen; at most a second behind. */
  lastSeen(): Promise<void>;
}

/** With more searches than this, each flush would write the same Devices again. */
const MIN_FLUSH_INTERVAL_MS = 1_000;

export function createRecordedPresence(deps: RecordedPresenceDeps): RecordedPresence {
  const { clock, presence, onlineVariable } = deps;
  let flushedAt = Number.NEGATIVE_INFINITY;
  let flushing = Promise.resolve();
  return {
    states: () => onlineVariable.recorded(),
    lastSeen() {
      if (clock.elapsed() - flushedAt >= MIN_FLUSH_INTERVAL_MS) {
        flushedAt = clock.elapsed();
        flushing = presence.flush();
      }
      return flushing;
    },
  };
}
