import { type Clock, createDeferred, type Moment } from '../../runtime/index.ts';
import { ArrivalClock } from './arrival-clock.ts';
import type { BatchJudgement, JudgedPart } from './batch-judgement.ts';
import { type ChangedPart, partsOf } from './changed-parts.ts';
import { type ResolveConflict, unresolved } from './conflicts.ts';
import type { Readiness } from './readiness.ts';
import { updateStatements } from './store.ts';
import { findStored, type IsStored } from './stored-readings.ts';
import {
  type BatchArrival,
  type DeviceWatch,
  type Judged,
  type JudgedReading,
  judgeWatchedReadings,
  type WatchedReading,
  watchesOn,
} from './variable-watches.ts';
import type { WatchCache } from './watch-cache.ts';
import { type WatchUpdate, watchUpdateOf } from './watch-update.ts';

export interface BatchJudgeDeps {
  readonly cache: WatchCache;
  readonly clock: Clock;
  /** The run of this server, to which its monotonic clock belongs. */
  readonly runId: string;
  readonly isStored: IsStored;
  readonly readiness: Readiness;
  readonly resolveConflict: ResolveConflict;
  readonly onClockStep: () => void;
  /** Called with an update after it was stored. */
  readonly onStored: (update: WatchUpdate, now: number) => void;
  readonly failpoint: (name: string) => void;
}

const MAX_ATTEMPTS = 10;
/** So many changes take PostgreSQL some 30 ms, for which other readings of their commit wait. */
const MAX_CHANGES_PER_COMMIT = 100;

/** A batch, or a part of one, from its judgement until it is stored or refused. */
interface OpenBatch {
  readonly watchedReadings: readonly WatchedReading[];
  /** The Devices whose alarms change, until the batch is stored or refused. */
  readonly devices: ReadonlySet<DeviceWatch>;
  readonly arrival: BatchArrival;
  /** Resolves when another batch waits for one of the Devices. */
  readonly awaited: Promise<void>;
  readonly release: () => void;
}

/**
 * Judges each batch of readings on the cached watches of its Devices, before it is committed.
 *
 * Invariant: readings and the changes of alarms that they cause are stored in one transaction, and
 * each change is judged on the stored state that it replaces. Judging is optimistic: it uses the
 * state in memory without locks, and the statements require the revisions that were read. Storage
 * refuses the transaction when one of them was changed. These interleavings are survived:
 *
 * - Two batches of this server: batches are judged one after the other, in order. A batch with a
 *   busy Device waits until the earlier batch is stored or refused.
 * - A batch is committed in parts: each has other Devices, which stay busy until their part is stored
 *   or refused. Every reading is judged once, in the order of the batch, before the first commit.
 * - An edit of an alarm, the clock, or another server changes an alarm between judgement and commit:
 *   the commit is refused, the Devices are read again, and the same batch is judged on what is
 *   stored now. Its Devices stay busy meanwhile.
 * - A Device is invalidated while it is busy: it is dropped once the batch is stored or refused, so
 *   that the next batch reads it again.
 * - A Device is invalidated while the batch waits for its history: it is no longer in the cache, so
 *   that another batch would read it beside this one. It is read again before it is judged.
 * - The clock is set while Devices or their history are read: what was read is compared with an
 *   arrival by the other setting, so it is read again.
 * - The commit fails, or its outcome is unknown: all Devices of the batch are dropped, so that the
 *   retry is judged on what is stored. A reading that was stored after all is recognized by its time
 *   and value (`findStored`) and not judged twice.
 * - The process ends between any two steps: memory holds nothing that is not stored.
 */
export class BatchJudge {
  readonly #deps: BatchJudgeDeps;
  readonly #cache: WatchCache;
  readonly #arrivalClock: ArrivalClock;
  /** Batches are judged in the order in which they come. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: BatchJudgeDeps) {
    this.#deps = deps;
    this.#cache = deps.cache;
    const { clock } = deps;
    this.#arrivalClock = new ArrivalClock({ clock, onStep: () => this.#clockWasSet() });
  }

  /** Judges a batch that is committed as a whole. Batches are judged in the order of the calls. */
  async judge(readings: readonly JudgedReading[], arrived: Moment): Promise<BatchJudgement> {
    const [part] = await this.#inTurn(readings, arrived, Number.POSITIVE_INFINITY);
    if (part === undefined) throw new Error('a batch has at least one part');
    return part.judgement;
  }

  /**
   * Judges a batch that may be committed in parts: where many alarms change, each part has the
   * changes of a few Devices, and the first one has the Devices without a change.
   */
  judgeInParts(
    readings: readonly JudgedReading[],
    arrived: Moment,
  ): Promise<readonly JudgedPart[]> {
    return this.#inTurn(readings, arrived, MAX_CHANGES_PER_COMMIT);
  }

  async #inTurn(
    readings: readonly JudgedReading[],
    arrived: Moment,
    maxChanges: number,
  ): Promise<readonly JudgedPart[]> {
    const { clock, runId, readiness } = this.#deps;
    // A batch that is retried arrived at its first attempt, by both clocks.
    const arrival = { at: arrived.now, runId, elapsed: Math.round(arrived.elapsed) };
    const batchEnded = readiness.batchBegun(clock.elapsed());
    const turn = this.#turn.then(() => this.#judge(readings, arrival, maxChanges, batchEnded));
    this.#turn = turn.catch(batchEnded);
    const open = await turn;
    try {
      return open.map(({ part, batch }) => ({
        deviceIds: part.deviceIds,
        awaited: batch.awaited,
        judgement: this.#judgement(batch, part.changes, 1),
      }));
    } catch (error) {
      for (const { batch } of open) this.#abandon(batch, error);
      throw error;
    }
  }

  /** Judges in memory. Devices whose alarms change are busy until their part is stored or refused. */
  async #judge(
    readings: readonly JudgedReading[],
    given: BatchArrival,
    maxChanges: number,
    batchEnded: () => void,
  ) {
    const { arrival, watchedReadings } = await this.#unjudged(readings, given);
    const judged = judgeWatchedReadings(watchedReadings, arrival);
    const parts = partsOf(watchedReadings, judged, maxChanges);
    let unfinished = parts.length;
    const partEnded = () => {
      unfinished -= 1;
      if (unfinished === 0) batchEnded();
    };
    return parts.map((part) => ({ part, batch: this.#opened(part, given, partEnded) }));
  }

  #opened(part: ChangedPart, arrival: BatchArrival, partEnded: () => void): OpenBatch {
    const { watchedReadings, devices } = part;
    const busy = devices.size > 0 ? createDeferred<void>() : undefined;
    const { promise: awaited, resolve: onAwaited } = createDeferred<void>();
    for (const device of devices) {
      device.busy = busy?.promise;
      device.onAwaited = onAwaited;
    }
    const release = () => {
      partEnded();
      for (const device of devices) {
        device.busy = undefined;
        device.onAwaited = undefined;
      }
      for (const { device } of watchedReadings) if (device.isInvalid) this.#cache.drop(device);
      busy?.resolve();
    };
    return { watchedReadings, devices, arrival, awaited, release };
  }

  #judgement(batch: OpenBatch, changes: Judged['changes'], attempt: number): BatchJudgement {
    const { clock, failpoint, onStored } = this.#deps;
    if (changes.length === 0) {
      // Without a change of an alarm there is no conflict: every error is final.
      const refused = (error: unknown) => Promise.reject(this.#abandon(batch, error));
      return { statements: null, stored: batch.release, refused };
    }
    // Made when it is needed: the parts of a large batch need theirs one after the other.
    let made: WatchUpdate | undefined;
    const updateOf = () => {
      made ??= watchUpdateOf(changes);
      return made;
    };
    const now = clock.now();
    failpoint('judged');
    return {
      statements: () => updateStatements(updateOf(), { now, failpoint }),
      stored: () => {
        try {
          failpoint('committed');
          onStored(updateOf(), now);
        } catch (error) {
          throw this.#abandon(batch, error);
        }
        batch.release();
      },
      refused: (error) => this.#refused(batch, changes, error, attempt),
    };
  }

  async #refused(
    batch: OpenBatch,
    changes: Judged['changes'],
    error: unknown,
    attempt: number,
  ): Promise<BatchJudgement> {
    try {
      const names = changes.map(({ stored }) => stored);
      if (!(await this.#deps.resolveConflict(error, names))) throw error;
      if (attempt === MAX_ATTEMPTS) throw unresolved();
      return this.#judgement(batch, await this.#judgeAgain(batch), attempt + 1);
    } catch (final) {
      throw this.#abandon(batch, final);
    }
  }

  /** Ends a batch that is not stored. */
  #abandon({ watchedReadings, release }: OpenBatch, error: unknown): unknown {
    this.#deps.readiness.failed(error);
    for (const { device } of watchedReadings) device.isInvalid = true;
    release();
    return error;
  }

  /** How far readings have been judged is remembered by the clock, so the cache ends with a step of it. */
  #clockWasSet(): void {
    this.#cache.invalidateAll();
    this.#deps.onClockStep();
  }

  /** The readings of watched Variables, with all that their judgement needs. */
  async #unjudged(readings: readonly JudgedReading[], given: BatchArrival) {
    for (;;) {
      const arrival = this.#arrivalClock.aligned(given);
      const watchedReadings = await this.#watchedReadings(readings, arrival);
      await findStored(watchedReadings, arrival.at, this.#deps.isStored);
      const isCurrent = !watchedReadings.some(({ device }) => device.isInvalid);
      if (isCurrent && this.#arrivalClock.isAligned(arrival)) return { arrival, watchedReadings };
    }
  }

  /** The readings of watched Variables, once their watches are in memory. */
  async #watchedReadings(
    readings: readonly JudgedReading[],
    arrival: BatchArrival,
  ): Promise<WatchedReading[]> {
    for (;;) {
      const watchedReadings: WatchedReading[] = [];
      const missing = new Map<string, JudgedReading['variable']>();
      let busy: Promise<void> | undefined;
      let device: DeviceWatch | undefined;
      for (const reading of readings) {
        const { deviceId, seriesId } = reading.variable;
        if (deviceId !== device?.deviceId) device = this.#cache.get(deviceId);
        if (device === undefined) missing.set(deviceId, reading.variable);
        else if (device.variables !== null) {
          const watches = watchesOn(device, seriesId);
          if (watches) watchedReadings.push({ device, watches, reading, isStored: false });
          busy ??= device.busy;
          device.onAwaited?.();
        }
      }
      if (busy !== undefined) await busy;
      else if (missing.size > 0) await this.#cache.load([...missing.values()], arrival);
      else return watchedReadings;
    }
  }

  /** Judges a batch on what is stored now. No other batch has these Devices: they are busy. */
  async #judgeAgain({ watchedReadings, devices, arrival: given }: OpenBatch) {
    let arrival: BatchArrival;
    do {
      arrival = this.#arrivalClock.aligned(given);
      await this.#cache.fill([...devices], arrival);
    } while (!this.#arrivalClock.isAligned(arrival));
    const own = watchedReadings.flatMap(({ device, reading, isStored }) => {
      const watches = devices.has(device) && watchesOn(device, reading.variable.seriesId);
      return watches ? [{ device, watches, reading, isStored }] : [];
    });
    return judgeWatchedReadings(own, arrival).changes;
  }
}
