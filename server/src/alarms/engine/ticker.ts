import {
  type Clock,
  ClockSteps,
  createStallDetector,
  every,
  isServiceUnavailable,
  type Log,
  type Periodic,
} from '../../runtime/index.ts';
import { runAll, type Transactions } from '../../storage/index.ts';
import { judgeByClock, type Recovery } from '../judgement/index.ts';
import type { ArrivalAlignment } from './arrival-alignment.ts';
import { type Readiness, STALL_MS } from './readiness.ts';
import { type AlarmName, listDue, lockStoredWatches, updateStatements } from './store.ts';
import { type WatchChange, type WatchUpdate, watchUpdateOf } from './watch-update.ts';

export interface TickerDeps {
  readonly storage: Transactions;
  readonly clock: Clock;
  readonly log: Log;
  readonly readiness: Readiness;
  readonly alignment: ArrivalAlignment;
  /** Called with an update and its Devices after it was stored. */
  readonly onStored: (update: WatchUpdate, now: number, deviceIds: readonly string[]) => void;
  readonly failpoint: (name: string) => void;
}

const TICK_MS = 200;
/** How long Devices have after an outage to deliver what they could not. */
const GRACE_MS = 30_000;
const ALARM_BATCH_SIZE = 1_000;
const ROUNDS_PER_TICK = 20;

/**
 * Raises and clears what the clock alone decides. What is due is a row, so it survives everything. The
 * rows follow the clock when it is set: those that are due are aligned with it before they are judged.
 */
export class Ticker {
  readonly #deps: TickerDeps;
  readonly #steps: ClockSteps;
  #periodic: readonly Periodic[] = [];

  constructor(deps: TickerDeps) {
    this.#deps = deps;
    this.#steps = new ClockSteps(deps.clock);
  }

  start(): void {
    const { readiness, log } = this.#deps;
    const onError = (error: unknown) => {
      readiness.failed(error);
      log.debug({ err: error }, 'alarms that are due could not be read; this is tried again');
    };
    const isStalled = createStallDetector(STALL_MS);
    const checkStall = () => {
      if (isStalled()) readiness.lost();
    };
    // A tick that waits for storage must not look like a stall, so stalls are checked apart from it.
    this.#periodic = [
      every(TICK_MS, checkStall, onError),
      every(TICK_MS, () => this.#tick(), onError),
    ];
    for (const each of this.#periodic) each.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#periodic.map((each) => each.stop()));
  }

  async #tick(): Promise<void> {
    const { storage, clock, readiness, alignment } = this.#deps;
    for (let round = 0; round < ROUNDS_PER_TICK; round += 1) {
      const moment = this.#moment();
      const { now, arrivedFrom } = moment;
      const askedAt = performance.now();
      const due = await listDue(storage, now, arrivedFrom, ALARM_BATCH_SIZE);
      readiness.answered(performance.now() - askedAt, clock.now());
      // After the list was made: its watches are judged as aligned.
      await alignment.align(moment);
      if (due.length > 0) await this.#judgeDue(due, now);
      if (due.length < ALARM_BATCH_SIZE) return;
    }
  }

  /** While the grace period after an outage lasts, the clock ends nothing that began before it. */
  #moment() {
    const { readiness, alignment } = this.#deps;
    const { now, elapsed, stepMs } = this.#steps.read();
    if (stepMs !== 0) {
      readiness.shift(stepMs);
      alignment.begin();
    }
    const { readySince, graceMs } = this.#recovery();
    return { now, elapsed, arrivedFrom: now < readySince + graceMs ? readySince : null };
  }

  #recovery(): Recovery {
    return { readySince: this.#deps.readiness.since, graceMs: GRACE_MS };
  }

  /** Stores all together; when that fails each alone, so that one cannot block the others. */
  async #judgeDue(due: readonly AlarmName[], now: number): Promise<void> {
    try {
      await this.#store(due, now);
    } catch (error) {
      // No alarm is to blame: all are tried again.
      if (isServiceUnavailable(error)) throw error;
      const { log } = this.#deps;
      if (due.length === 1)
        log.error({ err: error, due }, 'an alarm that is due could not be judged');
      else for (const one of due) await this.#judgeDue([one], now);
    }
  }

  async #store(due: readonly AlarmName[], now: number): Promise<void> {
    const { storage, onStored, failpoint } = this.#deps;
    failpoint('due');
    await storage.transaction(async (tx) => {
      const changes: WatchChange[] = [];
      for (const { stored } of await lockStoredWatches(tx, due)) {
        const judgement = judgeByClock(stored.watch, stored.terms, now, this.#recovery());
        const { judgedTo, judgedAt } = stored;
        if (judgement) changes.push({ ...judgement, stored, judgedTo, judgedAt });
      }
      if (changes.length === 0) return;
      const update = watchUpdateOf(changes);
      await runAll(tx, updateStatements(update, { now, failpoint }));
      const deviceIds = changes.map(({ stored }) => stored.deviceId);
      tx.afterCommit(() => onStored(update, now, deviceIds));
    });
    failpoint('ticked');
  }
}
