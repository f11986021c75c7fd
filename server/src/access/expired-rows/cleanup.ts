import { type Clock, every, type Log } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { deleteExpiredRows, EXPIRING_TABLES, type ExpiringTable } from './store.ts';

export interface ExpiredRowCleanupDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
}

/** Deletes rows that have expired: nothing depends on them, they only take space. */
export interface ExpiredRowCleanup {
  /** Resolves with the number of deleted rows. */
  deleteExpired(now: number): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

const INTERVAL_MS = 10 * 60_000;
const BATCH_SIZE = 1_000;
const MAX_BATCHES = 100;
const DAY_MS = 24 * 60 * 60 * 1000;

/** How long rows are kept after the time in their column, where they are kept at all. */
const RETENTION_MS: Readonly<Partial<Record<ExpiringTable['deleteFrom'], number>>> = {
  idempotency_keys: DAY_MS,
  known_addresses: 180 * DAY_MS,
};

export function createExpiredRowCleanup({
  storage,
  clock,
  log,
}: ExpiredRowCleanupDeps): ExpiredRowCleanup {
  let isStopping = false;

  async function cleanTable(table: ExpiringTable, before: number): Promise<number> {
    let total = 0;
    for (let batch = 0; batch < MAX_BATCHES && !isStopping; batch += 1) {
      const removed = await deleteExpiredRows(storage, table, before, BATCH_SIZE);
      total += removed;
      if (removed < BATCH_SIZE) break;
    }
    return total;
  }

  async function deleteExpired(now: number): Promise<number> {
    let total = 0;
    for (const table of EXPIRING_TABLES) {
      total += await cleanTable(table, now - (RETENTION_MS[table.deleteFrom] ?? 0));
    }
    return total;
  }

  const cleanups = every(
    INTERVAL_MS,
    async () => {
      const removed = await deleteExpired(clock.now());
      if (removed > 0) log.debug({ removed }, 'expired rows deleted');
    },
    (error) => log.warn({ err: error }, 'expired rows could not be deleted; trying again later'),
  );

  return {
    deleteExpired,
    start() {
      isStopping = false;
      cleanups.start();
    },
    async stop() {
      isStopping = true;
      await cleanups.stop();
    },
  };
}
