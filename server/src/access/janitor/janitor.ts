import type { Clock, Log } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { deletePerished, PERISHABLES, type Perishable } from './store.ts';

export interface JanitorDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
}

/** Removes what has run out: nothing depends on it any more, it only takes room. */
export interface Janitor {
  /** Resolves with the number of rows that were removed. */
  sweep(now: number): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

const EVERY_MS = 10 * 60_000;
const BATCH_SIZE = 1_000;
const MAX_BATCHES = 100;
const DAY_MS = 24 * 60 * 60 * 1000;

/** How long rows are kept after the time in their column; others are not. */
const KEPT_MS: Readonly<Partial<Record<Perishable, number>>> = {
  idempotency_keys: DAY_MS,
  known_addresses: 180 * DAY_MS,
};

export function createJanitor({ storage, clock, log }: JanitorDeps): Janitor {
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | null = null;
  let stopping = false;

  async function sweepTable(table: Perishable, before: number): Promise<number> {
    let total = 0;
    for (let batch = 0; batch < MAX_BATCHES && !stopping; batch += 1) {
      const removed = await deletePerished(storage, table, before, BATCH_SIZE);
      total += removed;
      if (removed < BATCH_SIZE) break;
    }
    return total;
  }

  async function sweep(now: number): Promise<number> {
    let total = 0;
    for (const table of Object.keys(PERISHABLES) as Perishable[]) {
      total += await sweepTable(table, now - (KEPT_MS[table] ?? 0));
    }
    return total;
  }

  async function round(): Promise<void> {
    try {
      const removed = await sweep(clock.now());
      if (removed > 0) log.debug({ removed }, 'removed what had run out');
    } catch (error) {
      log.warn({ err: error }, 'what has run out could not be removed; trying again later');
    }
    sweeping = null;
  }

  return {
    sweep,
    start() {
      stopping = false;
      timer ??= setInterval(() => {
        sweeping ??= round();
      }, EVERY_MS);
    },
    async stop() {
      stopping = true;
      clearInterval(timer);
      timer = undefined;
      await sweeping;
    },
  };
}
