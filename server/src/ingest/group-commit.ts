import type { Reading } from '../readings/index.ts';
import { type Clock, type Moment, momentOf } from '../runtime/index.ts';
import { type AdmissionLimits, createAdmission } from './admission.ts';

export interface BatchLimits extends AdmissionLimits {
  /**
   * The maximum size of a batch: all of its messages wait for the whole batch. Batches are as large
   * only when commits take long, and more readings in each are then the way to keep up.
   */
  readonly maxBatchReadings: number;
  /**
   * From this size on, a batch whose sender awaits the outcome is committed without a wait: in a
   * larger one each reading would cost hardly less.
   */
  readonly minEagerReadings: number;
  /** How long fewer readings wait for others while a batch is being written, or after a large one. */
  readonly lingerMs: number;
  /** How long a message waits for storage to become available. */
  readonly retryTimeoutMs: number;
}

export const BATCH_LIMITS: BatchLimits = {
  maxBatchReadings: 32_000,
  minEagerReadings: 4_000,
  lingerMs: 4,
  maxHeldWeight: 400_000,
  maxWaiting: 20_000,
  waitMs: 20_000,
  retryTimeoutMs: 15_000,
};

/** The readings of one message in a batch, or a part of them. */
export interface BatchItem {
  readonly readings: readonly Reading[];
  readonly weight: number;
  /** When the readings were added, by the monotonic clock. */
  readonly since: number;
  readonly done: Done;
}

/** Called when readings are durable, or with the reason why they are not. */
export type Done = (error?: unknown) => void;

interface GroupCommitDeps {
  readonly clock: Clock;
  readonly limits: BatchLimits;
  /**
   * Commits a batch and completes its items, but for those that others need not wait for: of these
   * it resolves with promises. Must not reject.
   */
  readonly process: (
    batch: readonly BatchItem[],
    arrived: Moment,
  ) => Promise<{ readonly deferred: readonly Promise<void>[] }>;
}

/** Forms batches of readings that arrive together, and bounds the readings in memory. */
export interface GroupCommit {
  /** Waits for admission; undefined when there is room now. */
  enter(): Promise<void> | undefined;
  leave(): void;
  /** A sender that awaits the outcome sends nothing meanwhile: others get no time to join it. */
  add(readings: readonly Reading[], done: Done, isAwaited?: boolean): void;
  /** Since when the oldest reading waits, by the monotonic clock; infinite when none does. */
  oldestSince(): number;
  /** Resolves when everything that was added before is processed. */
  settled(): Promise<void>;
}

const MAX_IN_FLIGHT = 2;
/** After a batch of this size more readings are likely to arrive, and are worth a wait. */
const LARGE_BATCH_READINGS = 60;

export function createGroupCommit({ clock, limits, process }: GroupCommitDeps): GroupCommit {
  const admission = createAdmission(limits);
  const queue = createQueue();
  /** The batches in progress, and since when the first item of each waits. */
  const inFlight = new Map<Promise<void>, number>();
  const deferring = createDeferring();
  let wasLarge = false;
  /** Whether a sender waits for the next batch. */
  let isAwaited = false;
  let isScheduled = false;
  let linger: NodeJS.Timeout | undefined;

  function schedule(): void {
    if (isScheduled || queue.items.length === 0 || inFlight.size === MAX_IN_FLIGHT) return;
    const isDue = inFlight.size === 0 && (isAwaited || !wasLarge);
    const eagerFrom = isAwaited ? limits.minEagerReadings : limits.maxBatchReadings;
    if (isDue || queue.readings() >= eagerFrom) {
      isScheduled = true;
      // Readings of the same turn of the event loop join the batch.
      setImmediate(processNext);
    } else {
      linger ??= setTimeout(processNext, limits.lingerMs);
    }
  }

  function processNext(): void {
    isScheduled = false;
    clearTimeout(linger);
    linger = undefined;
    if (inFlight.size === MAX_IN_FLIGHT || queue.items.length === 0) return;
    const { batch, readings } = queue.takeBatch(limits.maxBatchReadings);
    wasLarge = readings >= LARGE_BATCH_READINGS;
    isAwaited &&= queue.items.length > 0;
    const processed = process(batch, momentOf(clock)).then(({ deferred }) => {
      inFlight.delete(processed);
      deferring.add(batch, deferred, () => {
        for (const { weight } of batch) admission.release(weight);
      });
      schedule();
    });
    inFlight.set(processed, sinceOf(batch));
    schedule();
  }

  function enqueue(readings: readonly Reading[], done: Done): void {
    const weight = weightOf(readings);
    queue.push({ readings, weight, since: clock.elapsed(), done });
    admission.hold(weight);
  }

  return {
    enter: admission.enter,
    leave: admission.leave,
    add(readings, done, awaited = false) {
      isAwaited ||= awaited;
      eachPart(readings, limits.maxBatchReadings, done, enqueue);
      schedule();
    },
    oldestSince: () =>
      Math.min(sinceOf(queue.items), ...inFlight.values(), deferring.oldestSince()),
    async settled() {
      const last = queue.items.at(-1);
      for (; last && queue.items.includes(last); await Promise.race(inFlight.keys()))
        if (inFlight.size === 0) processNext();
      await Promise.all(inFlight.keys());
      await deferring.settled();
    },
  };
}

/** The batches of which only deferred items are left. */
function createDeferring() {
  const batches = new Map<Promise<unknown>, number>();
  return {
    add(batch: readonly BatchItem[], deferred: readonly Promise<void>[], done: () => void): void {
      if (deferred.length === 0) {
        done();
        return;
      }
      const completed = Promise.all(deferred).then(() => {
        batches.delete(completed);
        done();
      });
      batches.set(completed, sinceOf(batch));
    },
    oldestSince: () => Math.min(Number.POSITIVE_INFINITY, ...batches.values()),
    settled: () => Promise.all(batches.keys()),
  };
}

function sinceOf([first]: readonly BatchItem[]): number {
  return first?.since ?? Number.POSITIVE_INFINITY;
}

/** The items that are in no batch yet. */
function createQueue() {
  const items: BatchItem[] = [];
  let readings = 0;
  return {
    items: items as readonly BatchItem[],
    readings: () => readings,
    push(item: BatchItem): void {
      items.push(item);
      readings += item.readings.length;
    },
    /** Takes the first batch, and says how many readings it has. */
    takeBatch(maxReadings: number) {
      let length = 0;
      let taken = 0;
      for (const item of items) {
        if (length > 0 && taken + item.readings.length > maxReadings) break;
        taken += item.readings.length;
        length += 1;
      }
      readings -= taken;
      return { batch: items.splice(0, length), readings: taken };
    },
  };
}

/** Splits a large message into parts; it is done when all of them are. */
function eachPart(
  readings: readonly Reading[],
  maxReadings: number,
  done: Done,
  enqueue: (part: readonly Reading[], done: Done) => void,
): void {
  if (readings.length <= maxReadings) {
    enqueue(readings, done);
    return;
  }
  let left = Math.ceil(readings.length / maxReadings);
  let failure: unknown;
  for (let at = 0; at < readings.length; at += maxReadings) {
    enqueue(readings.slice(at, at + maxReadings), (error) => {
      failure ??= error;
      left -= 1;
      if (left === 0) done(failure);
    });
  }
}

function weightOf(readings: readonly Reading[]): number {
  let weight = readings.length;
  for (const { value } of readings) if (typeof value === 'string') weight += value.length >> 4;
  return weight;
}
