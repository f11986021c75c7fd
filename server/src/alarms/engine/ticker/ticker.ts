import { type Ownership, PARTITION_COUNT } from '../../../nodes/index.ts';
import {
  type Clock,
  type ClockMoment,
  ClockSteps,
  createStallDetector,
  every,
  isServiceUnavailable,
  type Log,
  type Periodic,
} from '../../../runtime/index.ts';
import { runAll, type Transactions } from '../../../storage/index.ts';
import { judgeByClock, type Recovery } from '../../judgement/index.ts';
import type { ResolveConflict } from '../conflicts.ts';
import { type Readiness, STALL_MS } from '../readiness.ts';
import { type AlarmName, lockStoredWatches, updateStatements } from '../store.ts';
import { type WatchChange, type WatchUpdate, watchUpdateOf } from '../watch-update.ts';
import type { ArrivalAlignment } from './arrival-alignment.ts';
import { hasPending, listDue } from './store.ts';

export interface TickerDeps {
  readonly storage: Transactions;
  readonly clock: Clock;
  readonly log: Log;
  readonly readiness: Readiness;
  readonly ownership: Pick<Ownership, 'partitions'>;
  readonly alignment: ArrivalAlignment;
  readonly resolveConflict: ResolveConflict;
  /** Called with an update and its Devices after it was stored. */
  readonly onStored: (update: WatchUpdate, now: number, deviceIds: readonly string[]) => void;
  readonly failpoint: (name: string) => void;
}

const TICK_MS = 200;
/** How often it is checked whether anything is pending; what is stored here needs no check. */
const TICKS_PER_CHECK = 5;
/** How long Devices have after an outage to deliver what they could not. */
const GRACE_MS = 30_000;
const ALARM_BATCH_SIZE = 1_000;
const ROUNDS_PER_TICK = 20;

/** Watches that are judged together. */
interface Scope {
  readonly partitions: readonly number[] | null;
  /** Since when their Devices could deliver readings. */
  readonly readySince: number;
}

interface JudgedMoment {
  readonly now: number;
  readonly recovery: Recovery;
}

/**
 * Raises and clears what the clock alone decides. What is due is a row, so it survives everything. The
 * rows follow the clock when it is set: those that are due are aligned with it before they are judged.
 */
export class Ticker {
  readonly #deps: TickerDeps;
  readonly #steps: ClockSteps;
  #periodic: readonly Periodic[] = [];
  /** When this node took partitions from one that was gone, by partition. */
  readonly #takenAt = new Map<number, number>();
  #tickCount = 0;
  /** Nothing was pending at the last check, and nothing has been stored here since. */
  #isIdle = false;
  /** How often something that may be pending was stored. */
  #changes = 0;
  #lastTickAt: number;

  constructor(deps: TickerDeps) {
    this.#deps = deps;
    this.#lastTickAt = deps.clock.elapsed();
    this.#steps = new ClockSteps(deps.clock);
  }

  /** When the last tick ended that did not fail, by the monotonic clock; at first, of the start. */
  get lastTickAt(): number {
    return this.#lastTickAt;
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
      every(TICK_MS, () => this.#tickOnce(), onError),
    ];
    this.#lastTickAt = this.#deps.clock.elapsed();
    for (const each of this.#periodic) each.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#periodic.map((each) => each.stop()));
  }

  /** Something was stored that may be pending, or this node acts for more Devices. */
  changed(): void {
    this.#changes += 1;
    this.#isIdle = false;
  }

  /** The Devices of these partitions could not deliver readings: their node was gone. */
  taken(partitions: ReadonlySet<number>): void {
    const now = this.#deps.clock.now();
    for (const partition of partitions) this.#takenAt.set(partition, now);
  }

  async #tickOnce(): Promise<void> {
    await this.#tick();
    this.#lastTickAt = this.#deps.clock.elapsed();
  }

  async #tick(): Promise<void> {
    const moment = this.#moment();
    this.#deps.readiness.checkBatches(moment.elapsed, moment.now);
    this.#tickCount += 1;
    if (this.#tickCount % TICKS_PER_CHECK === 0) await this.#check();
    if (this.#isIdle) return;
    for (const scope of this.#scopes(moment.now)) {
      for (let round = 0; round < ROUNDS_PER_TICK; round += 1) {
        const count = await this.#judgeScope(scope, round === 0 ? moment : this.#moment());
        if (count < ALARM_BATCH_SIZE) break;
      }
    }
  }

  async #check(): Promise<void> {
    const { storage, ownership } = this.#deps;
    const changes = this.#changes;
    const isPending = await this.#answer(() => hasPending(storage, ownership.partitions));
    this.#isIdle = !isPending && changes === this.#changes;
  }

  /** The answer of storage to a question, which also says that readings can be stored. */
  async #answer<T>(ask: () => Promise<T>): Promise<T> {
    const { clock, readiness } = this.#deps;
    const askedAt = performance.now();
    const answer = await ask();
    readiness.answered(performance.now() - askedAt, clock.now());
    return answer;
  }

  /** Judges some of the watches that are due. Returns how many there were. */
  async #judgeScope({ partitions, readySince }: Scope, moment: ClockMoment): Promise<number> {
    const { storage, alignment, readiness } = this.#deps;
    const { now } = moment;
    const recovery = { readySince, graceMs: GRACE_MS };
    // While the grace period after an outage lasts, the clock ends nothing that began before it.
    const arrivedFrom = now < readySince + GRACE_MS ? readySince : null;
    const due = await this.#answer(() =>
      listDue(storage, now, { partitions, arrivedFrom }, ALARM_BATCH_SIZE),
    );
    // The list may have taken long, and what another node stored meanwhile is not in the future.
    const listed = this.#moment();
    // The clock was set meanwhile, or this answer is the first after an outage: the list was made
    // without regard to that, and the next tick begins with it.
    if (listed.stepMs !== 0 || readiness.since > readySince) return 0;
    // After the list was made: its watches are judged as aligned.
    await alignment.align(listed);
    if (due.length > 0) await this.#judgeDue(due, { now, recovery });
    return due.length;
  }

  /** The partitions of this node; those apart that it took lately, since when they are served. */
  #scopes(now: number): readonly Scope[] {
    const { readiness, ownership } = this.#deps;
    const { partitions } = ownership;
    const { since } = readiness;
    for (const [partition, at] of this.#takenAt) {
      if (at <= since || now >= at + GRACE_MS) this.#takenAt.delete(partition);
    }
    if (this.#takenAt.size === 0) return [{ partitions, readySince: since }];
    const own = partitions ?? Array.from({ length: PARTITION_COUNT }, (_, index) => index);
    return [
      { partitions: own.filter((each) => !this.#takenAt.has(each)), readySince: since },
      {
        partitions: own.filter((each) => this.#takenAt.has(each)),
        readySince: Math.max(...this.#takenAt.values()),
      },
    ];
  }

  #moment(): ClockMoment {
    const { readiness, alignment } = this.#deps;
    const { now, elapsed, stepMs } = this.#steps.read();
    if (stepMs !== 0) {
      readiness.shift(stepMs);
      for (const [partition, at] of this.#takenAt) this.#takenAt.set(partition, at + stepMs);
      alignment.begin();
    }
    return { now, elapsed, stepMs };
  }

  /** Stores all together; when that fails each alone, so that one cannot block the others. */
  async #judgeDue(due: readonly AlarmName[], moment: JudgedMoment): Promise<void> {
    try {
      await this.#store(due, moment);
    } catch (error) {
      // No alarm is to blame: all are tried again.
      if (isServiceUnavailable(error)) throw error;
      const { log, resolveConflict } = this.#deps;
      if (due.length > 1) for (const one of due) await this.#judgeDue([one], moment);
      else if (!(await resolveConflict(error, due)))
        log.error({ err: error, due }, 'an alarm that is due could not be judged');
    }
  }

  async #store(due: readonly AlarmName[], { now, recovery }: JudgedMoment): Promise<void> {
    const { storage, onStored, failpoint } = this.#deps;
    failpoint('due');
    await storage.transaction(async (tx) => {
      const changes: WatchChange[] = [];
      for (const { stored } of await lockStoredWatches(tx, due)) {
        const judgement = judgeByClock(stored.watch, stored.terms, now, recovery);
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
