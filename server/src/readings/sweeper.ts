import type { Clock, Log } from '../runtime/index.ts';
import type { Transactions } from '../storage/index.ts';
import type { ReadingsLimits } from './limits.ts';
import { deleteExpiredChunks } from './store.ts';

export interface SweeperDeps {
  readonly storage: Transactions;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: ReadingsLimits;
}

const CHUNKS_A_STEP = 1_000;

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
    const { storage, clock } = this.#deps;
    for (let deleted = CHUNKS_A_STEP; deleted === CHUNKS_A_STEP && !this.#isStopped; ) {
      deleted = await deleteExpiredChunks(storage, clock.now(), CHUNKS_A_STEP);
    }
  }
}
