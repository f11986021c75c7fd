import { setTimeout as sleep } from 'node:timers/promises';
import { createDeferred, type Moment, momentOf } from '../runtime/index.ts';
import {
  type BatchPart,
  type BatchSteps,
  commitBatch,
  commitPart,
  commitWhole,
  type Deferral,
} from './commit-batch.ts';
import type { BatchItem } from './group-commit.ts';

/** A part that waits for its turn. */
interface WaitingPart {
  readonly part: BatchPart;
  readonly arrived: Moment;
  readonly complete: () => void;
}

/** Messages of one batch that wait for the part of their Devices. */
interface HeldMessages {
  readonly items: readonly BatchItem[];
  readonly complete: () => void;
}

/** What waits for one part. */
type Hold = HeldMessages[];

export interface DeferredCommitsDeps extends BatchSteps {
  readonly maxBatchReadings: number;
  /** Since when the oldest reading waits for a batch, by the monotonic clock. */
  readonly queuedSince: () => number;
}

/** Readings that wait for a batch for so long show that the processors are busy. */
const BEHIND_MS = 40;
const PAUSE_MS = 10;
/** A server that is always behind commits its parts all the same. */
const MAX_PAUSES = 4;

/**
 * Commits parts of batches in which many alarms change, one after the other, beside the batches of
 * all other Devices.
 *
 * Invariant: a Device of a part is held from the judgement of its batch on. Its later messages wait
 * here, in order, and are judged and committed after the part, so that no batch waits for a part. Once
 * none is left, the Device is held no longer.
 *
 * Parts wait for nothing but storage, and a limited time for other readings that queue: they are
 * judged, and no two have the same Device. A part whose Device another change waits for comes first. A part that fails is judged and committed again outside
 * of this queue, because judging may wait for a Device whose part is in the queue.
 */
export class DeferredCommits {
  readonly #deps: DeferredCommitsDeps;
  readonly #waiting: WaitingPart[] = [];
  /** The Devices that are held; each by one part. */
  readonly #holds = new Map<string, Hold>();
  #turn: Promise<unknown> = Promise.resolve();
  #isRunning = false;

  constructor(deps: DeferredCommitsDeps) {
    this.#deps = deps;
  }

  /** Commits a batch. Resolves with the messages that others need not wait for. */
  commit(batch: readonly BatchItem[], arrived: Moment) {
    return commitBatch(this.#deps, batch, arrived, {
      inTurn: (work) => this.#inTurn(work),
      divide: (items) => this.#divide(items),
      defer: (part) => this.#defer(part, arrived),
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  #divide(items: readonly BatchItem[]): ReturnType<Deferral['divide']> {
    if (this.#holds.size === 0) return { ready: items, held: [] };
    const ready: BatchItem[] = [];
    const heldBy = new Map<Hold, BatchItem[]>();
    for (const item of items) {
      const hold = this.#holds.get(deviceIdOf(item));
      if (hold === undefined) ready.push(item);
      else heldBy.set(hold, [...(heldBy.get(hold) ?? []), item]);
    }
    const held = [...heldBy].map(([hold, messages]) => {
      const { promise: completed, resolve: complete } = createDeferred<void>();
      hold.push({ items: messages, complete });
      return { items: messages, completed };
    });
    return { ready, held };
  }

  #defer(part: BatchPart, arrived: Moment): Promise<void> {
    const completed = this.#enqueue(part, arrived);
    const deviceIds = new Set(part.items.map(deviceIdOf));
    const hold: Hold = [];
    for (const deviceId of deviceIds) this.#holds.set(deviceId, hold);
    void completed.then(() => this.#release(hold, deviceIds));
    return completed;
  }

  /** Commits the held messages, those that join them meanwhile included, and ends the hold. */
  async #release(hold: Hold, deviceIds: ReadonlySet<string>): Promise<void> {
    while (hold.length > 0) {
      const held = hold.splice(0, countOf(hold, this.#deps.maxBatchReadings));
      const arrived = momentOf(this.#deps.clock);
      const items = held.flatMap((each) => each.items);
      const deferred = await commitBatch(this.#deps, items, arrived, {
        inTurn: (work) => this.#inTurn(work),
        divide: (ready) => ({ ready, held: [] }),
        defer: (part) => this.#enqueue(part, arrived),
      });
      await Promise.all(deferred.map(({ completed }) => completed));
      for (const { complete } of held) complete();
    }
    for (const deviceId of deviceIds) this.#holds.delete(deviceId);
  }

  /** Resolves when the messages of the part are completed. */
  #enqueue(part: BatchPart, arrived: Moment): Promise<void> {
    const { promise, resolve } = createDeferred<void>();
    const waiting = { part, arrived, complete: resolve };
    this.#waiting.push(waiting);
    void part.awaited.then(() => this.#advance(waiting));
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  #advance(waiting: WaitingPart): void {
    const at = this.#waiting.indexOf(waiting);
    if (at > 0) this.#waiting.unshift(...this.#waiting.splice(at, 1));
  }

  /** The work of a part takes processors from the batches of other Devices. */
  async #yieldToOthers(): Promise<void> {
    const { clock, queuedSince } = this.#deps;
    for (let pauses = 0; pauses < MAX_PAUSES; pauses += 1) {
      if (clock.elapsed() - queuedSince() < BEHIND_MS) return;
      await sleep(PAUSE_MS);
    }
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const { part, arrived, complete } = next;
      await this.#yieldToOthers();
      try {
        await commitPart(this.#deps, part);
        complete();
      } catch {
        void commitWhole(this.#deps, part.items, arrived).then(complete);
      }
    }
    this.#isRunning = false;
  }
}

function deviceIdOf({ readings }: BatchItem): string {
  return readings[0]?.variable.deviceId ?? '';
}

/** How many groups of held messages form a batch. */
function countOf(hold: Hold, maxReadings: number): number {
  let readings = 0;
  const last = hold.findIndex(({ items }) => {
    for (const item of items) readings += item.readings.length;
    return readings >= maxReadings;
  });
  return last < 0 ? hold.length : last + 1;
}
