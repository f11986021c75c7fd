import type { Ownership } from '../nodes/index.ts';
import { type Clock, every, type Log, type Periodic } from '../runtime/index.ts';
import type { Transactions } from '../storage/index.ts';
import type { ChunkChanges } from './chunks/index.ts';
import type { ReadingsLimits } from './limits.ts';
import { deleteExpiredChunks, type KnownSeries, listKnown, listRetention } from './store.ts';

export interface RetentionDeps {
  readonly storage: Transactions;
  readonly clock: Clock;
  readonly log: Log;
  readonly isClockTrusted: () => boolean;
  readonly ownership: Pick<Ownership, 'partitions'>;
  readonly limits: ReadingsLimits;
  readonly changes: ChunkChanges;
}

const CHUNKS_PER_STATEMENT = 1_000;
const DAY_MS = 86_400_000;

/**
 * Deletes chunks all of whose readings are older than their organization keeps history. Compaction
 * trims those of which a part is, and the flush that would carry readings over leaves them out.
 */
export class Retention {
  readonly #deps: RetentionDeps;
  #isStopped = false;
  readonly #rounds: Periodic;
  /** The newest reading of each organization that keeps history for a while, as of the last round. */
  #newestAt: ReadonlyMap<string, number> = new Map();

  constructor(deps: RetentionDeps) {
    this.#deps = deps;
    this.#rounds = every(
      deps.limits.retentionEveryMs,
      () => this.deleteExpired(),
      (error) => deps.log.warn({ err: error }, 'retention failed; trying again later'),
    );
  }

  start(): void {
    this.#rounds.start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#rounds.stop();
  }

  /** For readings that are in no chunk. A longer retention counts from its change on. */
  readonly expiryOf: ExpiryOf = ({ organizationId, retentionDays }) => {
    const { clock, isClockTrusted } = this.#deps;
    const newestAt = this.#newestAt.get(organizationId);
    if (retentionDays === null || newestAt === undefined || !isClockTrusted()) return -Infinity;
    return expiryOf({ retentionDays, newestAt }, clock.now());
  };

  /** The same for chunks, of many series; series that are kept for ever may be left out. */
  async expiriesOf(seriesIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    if (this.#newestAt.size === 0) return new Map();
    const known = await listKnown(this.#deps.storage, seriesIds);
    return new Map(known.map((series) => [series.seriesId, this.expiryOf(series)]));
  }

  async deleteExpired(): Promise<void> {
    const { storage, clock, isClockTrusted, ownership, changes } = this.#deps;
    if (!isClockTrusted()) return;
    const all = await listRetention(storage);
    this.#newestAt = new Map(all.map(({ organizationId, newestAt }) => [organizationId, newestAt]));
    // One node does it for all: it is rare, and goes by organization.
    if (ownership.partitions?.includes(0) === false) return;
    const now = clock.now();
    for (const { organizationId, ...kept } of all) {
      const before = expiryOf(kept, now);
      for (
        let deleted = CHUNKS_PER_STATEMENT;
        deleted === CHUNKS_PER_STATEMENT && !this.#isStopped;
      ) {
        deleted = await changes.during(() =>
          deleteExpiredChunks(storage, organizationId, before, CHUNKS_PER_STATEMENT),
        );
      }
    }
  }
}

/** The time before which readings of a series are kept no longer; -Infinity where they all are. */
export type ExpiryOf = (series: Pick<KnownSeries, 'organizationId' | 'retentionDays'>) => number;

/**
 * The time before which history is deleted. It is derived from the clock, or from one day after the
 * newest reading where that is earlier, so that a clock ahead of time deletes nothing.
 */
function expiryOf(
  { retentionDays, newestAt }: { readonly retentionDays: number; readonly newestAt: number },
  now: number,
): number {
  return Math.min(now, newestAt + DAY_MS) - retentionDays * DAY_MS;
}
