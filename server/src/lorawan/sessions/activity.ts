import { type Clock, every, isoDateTime, type Log, type Periodic } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import { type ActivityRow, saveActivity } from './store.ts';

const WRITE_MS = 5_000;
const MINUTE_MS = 60_000;

interface Counted {
  readonly organizationId: string;
  readonly id: string;
  lastAt: number;
  /** The times of the events of the last minute. */
  times: number[];
}

export interface ActivityDeps {
  readonly storage: Queries;
  readonly clock: Clock;
  readonly log: Log;
}

/** Counts the events of networks, and writes the counts behind. */
export class Activity {
  readonly #deps: ActivityDeps;
  readonly #counted = new Map<string, Counted>();
  readonly #writes: Periodic;

  constructor(deps: ActivityDeps) {
    this.#deps = deps;
    this.#writes = every(
      WRITE_MS,
      () => this.#write(),
      (error) => deps.log.debug({ err: error }, 'the activity of LoRaWAN networks was not stored'),
    );
  }

  note({ organizationId, id }: { readonly organizationId: string; readonly id: string }): void {
    const lastAt = this.#deps.clock.now();
    const counted = this.#counted.get(id) ?? { organizationId, id, lastAt, times: [] };
    counted.lastAt = lastAt;
    counted.times.push(lastAt);
    this.#counted.set(id, counted);
  }

  start(): void {
    this.#writes.start();
  }

  async stop(): Promise<void> {
    await this.#writes.stop();
  }

  /** A network without events for a minute is written once more, with none. */
  async #write(): Promise<void> {
    const now = this.#deps.clock.now();
    const rows: ActivityRow[] = [];
    for (const counted of this.#counted.values()) {
      counted.times = counted.times.filter((at) => at > now - MINUTE_MS);
      const { organizationId, id, lastAt, times } = counted;
      const lastEventAt = isoDateTime(lastAt);
      rows.push({ organizationId, id, lastEventAt, eventsPerMinute: times.length });
      if (times.length === 0) this.#counted.delete(id);
    }
    if (rows.length > 0) await saveActivity(this.#deps.storage, rows);
  }
}
