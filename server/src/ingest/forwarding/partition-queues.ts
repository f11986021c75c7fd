/** What a queue has to know of a message. */
interface Queued {
  readonly partition: number;
  readonly weight: number;
  /** When it was submitted, by the monotonic clock. */
  readonly since: number;
}

export interface BatchSizeLimits {
  readonly maxBatchMessages: number;
  readonly maxBatchBytes: number;
}

/**
 * The messages that wait, in a queue per partition. Partitions take turns: what does not fit into a
 * batch is in the next one before partitions that were served, however many messages these have.
 */
export class PartitionQueues<Item extends Queued> {
  readonly #limits: BatchSizeLimits;
  /** Only queues with messages, in the order of their turns. */
  readonly #queues = new Map<number, Item[]>();

  constructor(limits: BatchSizeLimits) {
    this.#limits = limits;
  }

  has(partition: number): boolean {
    return this.#queues.has(partition);
  }

  get partitions(): Iterable<number> {
    return this.#queues.keys();
  }

  /** Since when the oldest of these partitions waits; infinite when none does. */
  oldestSince(partitions: Iterable<number> = this.partitions): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const partition of partitions)
      oldest = Math.min(oldest, this.#queues.get(partition)?.[0]?.since ?? oldest);
    return oldest;
  }

  push(item: Item): void {
    const queue = this.#queues.get(item.partition);
    if (queue) queue.push(item);
    else this.#queues.set(item.partition, [item]);
  }

  /** Returns messages to the front of their queues, in their order. */
  putBack(items: readonly Item[]): void {
    for (const item of items.toReversed()) {
      const queue = this.#queues.get(item.partition);
      if (queue) queue.unshift(item);
      else this.#queues.set(item.partition, [item]);
    }
  }

  /** Removes the first messages of these partitions, as many as form a batch. */
  takeBatch(partitions: Iterable<number>): Item[] {
    const { maxBatchMessages, maxBatchBytes } = this.#limits;
    const batch: Item[] = [];
    let bytes = 0;
    const isFull = (item: Item) =>
      batch.length >= maxBatchMessages || (batch.length > 0 && bytes + item.weight > maxBatchBytes);
    for (const partition of partitions) {
      const queue = this.#queues.get(partition) ?? [];
      const end = queue.findIndex((item) => {
        if (isFull(item)) return true;
        batch.push(item);
        bytes += item.weight;
        return false;
      });
      this.#remove(partition, queue, end === -1 ? queue.length : end);
      if (end !== -1) break;
    }
    return batch;
  }

  /** Removes the messages that were submitted before this time. */
  takeBefore(time: number): Item[] {
    const taken: Item[] = [];
    for (const [partition, queue] of [...this.#queues]) {
      const end = queue.findIndex(({ since }) => since >= time);
      const expired = queue.slice(0, end === -1 ? queue.length : end);
      if (expired.length === 0) continue;
      taken.push(...expired);
      this.#remove(partition, queue, expired.length);
    }
    return taken;
  }

  /** A partition that was served has its next turn after the others. */
  #remove(partition: number, queue: Item[], count: number): void {
    if (count === 0) return;
    queue.splice(0, count);
    this.#queues.delete(partition);
    if (queue.length > 0) this.#queues.set(partition, queue);
  }
}
