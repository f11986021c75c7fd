import type { Reading } from '../readings/index.ts';
import type { Clock, Log } from '../runtime/index.ts';
import { createAdmission } from './admission.ts';
import { isUnavailable, retryWhileUnavailable } from './retry.ts';

export interface BatchLimits {
  /** A batch is not made larger than this: when all of it crosses, everybody waits for it. */
  readonly maxBatchReadings: number;
  /** How long readings wait for company while another batch is being written, or many come in. */
  readonly lingerMs: number;
  /** Over this much in memory, who brings more waits. A number weighs 1, a text by its length. */
  readonly maxHeldWeight: number;
  readonly maxWaiting: number;
  readonly waitMs: number;
  /** How long a reading may wait for storage to come back. */
  readonly retryTimeoutMs: number;
}

export const BATCH_LIMITS: BatchLimits = {
  maxBatchReadings: 2_000,
  lingerMs: 4,
  maxHeldWeight: 400_000,
  maxWaiting: 20_000,
  waitMs: 20_000,
  retryTimeoutMs: 15_000,
};

/** Resolves when the readings are durable. A batch that is tried again arrived at the same time. */
export type CommitBatch = (
  readings: readonly Reading[],
  options: { readonly arrivedAt: number },
) => Promise<void>;

interface GroupCommitDeps {
  readonly commit: CommitBatch;
  readonly onCommitted: (readings: readonly Reading[]) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: BatchLimits;
}

/** Makes one commit of what comes in together. */
export interface GroupCommit {
  /** Waits until there is room for more; undefined when there is now. */
  enter(): Promise<void> | undefined;
  leave(): void;
  commit(readings: readonly Reading[], settled: Settled): void;
}

/** Told that readings are durable, or why they are not. */
export type Settled = (error?: unknown) => void;

interface Item {
  readonly readings: readonly Reading[];
  readonly weight: number;
  /** By the monotonic clock. */
  readonly since: number;
  readonly settled: Settled;
}

const MAX_IN_FLIGHT = 2;
/** After a batch of so many readings more are about to come: they are worth a wait. */
const MANY_READINGS = 60;

export function createGroupCommit(deps: GroupCommitDeps): GroupCommit {
  const { clock, limits = BATCH_LIMITS } = deps;
  const admission = createAdmission(limits);
  let queue: Item[] = [];
  let queuedReadings = 0;
  let inFlight = 0;
  let hasCompany = false;
  let isDue = false;
  let linger: NodeJS.Timeout | undefined;

  function schedule(): void {
    if (isDue || queue.length === 0 || inFlight === MAX_IN_FLIGHT) return;
    const isAlone = inFlight === 0 && !hasCompany;
    if (isAlone || queuedReadings >= limits.maxBatchReadings) {
      isDue = true;
      // What else comes in with this turn of the event loop goes along.
      setImmediate(flush);
    } else {
      linger ??= setTimeout(flush, limits.lingerMs);
    }
  }

  function flush(): void {
    isDue = false;
    clearTimeout(linger);
    linger = undefined;
    if (inFlight === MAX_IN_FLIGHT || queue.length === 0) return;
    const before = queuedReadings;
    const batch = nextBatch();
    hasCompany = before - queuedReadings >= MANY_READINGS;
    inFlight += 1;
    void write(deps, batch, clock.now()).finally(() => {
      inFlight -= 1;
      for (const { weight } of batch) admission.release(weight);
      schedule();
    });
    schedule();
  }

  function nextBatch(): Item[] {
    const { length, readings } = firstOf(queue, limits.maxBatchReadings);
    const batch = queue.slice(0, length);
    queue = queue.slice(length);
    queuedReadings -= readings;
    return batch;
  }

  function add(readings: readonly Reading[], settled: Settled): void {
    const weight = weightOf(readings);
    queue.push({ readings, weight, since: clock.elapsed(), settled });
    queuedReadings += readings.length;
    admission.hold(weight);
  }

  return {
    enter: admission.enter,
    leave: admission.leave,
    commit(readings, settled) {
      eachPart(readings, limits.maxBatchReadings, settled, add);
      schedule();
    },
  };
}

/** How many of them make one batch, and how many readings that are. */
function firstOf(queue: readonly Item[], most: number) {
  let length = 0;
  let readings = 0;
  for (const item of queue) {
    if (length > 0 && readings + item.readings.length > most) break;
    readings += item.readings.length;
    length += 1;
  }
  return { length, readings };
}

/** A large message is written in parts, and is durable when all of them are. */
function eachPart(
  readings: readonly Reading[],
  most: number,
  settled: Settled,
  add: (part: readonly Reading[], settled: Settled) => void,
): void {
  if (readings.length <= most) {
    add(readings, settled);
    return;
  }
  let left = Math.ceil(readings.length / most);
  let failure: unknown;
  for (let at = 0; at < readings.length; at += most) {
    add(readings.slice(at, at + most), (error) => {
      failure ??= error;
      left -= 1;
      if (left === 0) settled(failure);
    });
  }
}

function weightOf(readings: readonly Reading[]): number {
  let weight = readings.length;
  for (const { value } of readings) if (typeof value === 'string') weight += value.length >> 4;
  return weight;
}

/** A batch that storage refuses is halved until the message that it refuses stands alone. */
async function write(
  deps: GroupCommitDeps,
  batch: readonly Item[],
  arrivedAt: number,
): Promise<void> {
  const readings: Reading[] = [];
  for (const item of batch) for (const reading of item.readings) readings.push(reading);
  const since = batch[0]?.since ?? 0;
  try {
    await commitPatiently(deps, readings, { since, arrivedAt });
  } catch (error) {
    if (batch.length === 1 || isUnavailable(error)) {
      settleAll(deps.log, batch, error);
      return;
    }
    const half = batch.length >> 1;
    await write(deps, batch.slice(0, half), arrivedAt);
    await write(deps, batch.slice(half), arrivedAt);
    return;
  }
  settleAll(deps.log, batch, undefined);
  try {
    deps.onCommitted(readings);
  } catch (error) {
    deps.log.error({ err: error }, 'committed readings could not be announced');
  }
}

/** Who fails at being told must not keep it from the others. */
function settleAll(log: Log, batch: readonly Item[], error: unknown): void {
  for (const { settled } of batch) {
    try {
      settled(error);
    } catch (fault) {
      log.error({ err: fault }, 'what became of a message could not be told');
    }
  }
}

/** Trying again is safe when the outcome is unknown: the same reading twice is one. */
async function commitPatiently(
  { commit, clock, limits = BATCH_LIMITS }: GroupCommitDeps,
  readings: readonly Reading[],
  { since, arrivedAt }: { readonly since: number; readonly arrivedAt: number },
): Promise<void> {
  await retryWhileUnavailable(() => commit(readings, { arrivedAt }), {
    ...{ clock, since, timeoutMs: limits.retryTimeoutMs },
  });
}
