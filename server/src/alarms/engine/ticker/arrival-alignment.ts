import type { Ownership } from '../../../nodes/index.ts';
import { type Clock, type Log, MIN_STEP_MS, type Moment } from '../../../runtime/index.ts';
import type { Transactions } from '../../../storage/index.ts';
import { alignArrivals, listMisaligned } from './store.ts';

export interface ArrivalAlignmentDeps {
  readonly storage: Transactions;
  readonly clock: Clock;
  readonly log: Log;
  readonly runId: string;
  readonly ownership: Pick<Ownership, 'partitions'>;
  /** Called when stored watches have changed. */
  readonly onAligned: () => void;
}

/** A smaller difference is slewing and no step of the clock. */
const TOLERANCE_MS = MIN_STEP_MS / 2;
const ALIGNED_BATCH_SIZE = 1_000;
/** A batch that arrived before the step may be stored so long after it. */
const ALIGNING_MS = 60_000;

/**
 * Holds and clearings last as long by the clock as they do in truth: when the clock is set, the
 * arrivals that they are counted from move with it. The monotonic clock says where to, for what this
 * run of the server has stored.
 */
export class ArrivalAlignment {
  readonly #deps: ArrivalAlignmentDeps;
  /** By the monotonic clock. A start aligns too: the clock may have been set while it was down. */
  #until: number;
  #isAligned = false;

  constructor(deps: ArrivalAlignmentDeps) {
    this.#deps = deps;
    this.#until = deps.clock.elapsed();
  }

  /** The clock was set, or this node acts for Devices that it did not act for before. */
  begin(): void {
    this.#until = this.#deps.clock.elapsed() + ALIGNING_MS;
    this.#isAligned = false;
  }

  /** Until this has succeeded nothing may be judged by the clock. */
  async align({ now, elapsed }: Moment): Promise<void> {
    const { storage, log, runId, ownership, onAligned } = this.#deps;
    if (this.#isAligned && elapsed > this.#until) return;
    const moment = { runId, now, elapsed: Math.round(elapsed) };
    const { partitions } = ownership;
    const limits = { toleranceMs: TOLERANCE_MS, max: ALIGNED_BATCH_SIZE, partitions };
    for (let count = limits.max; count === limits.max; ) {
      const names = await listMisaligned(storage, moment, limits);
      count = names.length;
      if (count === 0) break;
      await storage.transaction((tx) => alignArrivals(tx, names, moment));
      onAligned();
      log.info({ count }, 'pending alarms were aligned with the clock, which was set');
    }
    this.#isAligned = true;
  }
}
