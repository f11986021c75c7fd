import type { Clock, Log } from '../runtime/index.ts';
import type { Transactions } from '../storage/index.ts';
import { deleteExpiredChunks } from './chunks/index.ts';
import type { ReadingsLimits } from './limits.ts';
import { listRetention } from './store.ts';

export interface SweeperDeps {
  readonly storage: Transactions;
  readonly clock: Clock;
  readonly log: Log;
  readonly isClockTrusted: () => boolean;
  readonly limits: ReadingsLimits;
}

const CHUNKS_A_STEP = 1_000;
const DAY_MS = 86_400_000;

/** Deletes history that its organization keeps no longer: chunks all of whose readings are too old. */
export class Sweeper {
  readonly #deps: SweeperDeps;
  #isStopped = false;
  #underWay: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: SweeperDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { log, limits } = this.#deps;
    this.#timer = setInterval(() => {
      this.#underWay ??= this.sweep()
        .catch((error: unknown) => log.warn({ err: error }, 'old history could not be deleted'))
        .finally(() => {
          this.#underWay = undefined;
        });
    }, limits.sweepEveryMs).unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#underWay;
  }

  async sweep(): Promise<void> {
    const { storage, clock, isClockTrusted } = this.#deps;
    if (!isClockTrusted()) return;
    const now = clock.now();
    for (const { organizationId, ...kept } of await listRetention(storage)) {
      const before = expiryOf(kept, now);
      for (let deleted = CHUNKS_A_STEP; deleted === CHUNKS_A_STEP && !this.#isStopped; ) {
        deleted = await deleteExpiredChunks(storage, organizationId, before, CHUNKS_A_STEP);
      }
    }
  }
}

/**
 * History that ends before this is deleted. It counts from the clock, and from one day after the
 * newest reading of a Device where that is earlier: a wrong clock then deletes nothing.
 */
function expiryOf(
  { retentionDays, newestAt }: { readonly retentionDays: number; readonly newestAt: number },
  now: number,
): number {
  return Math.min(now, newestAt + DAY_MS) - retentionDays * DAY_MS;
}
