import type { Ownership } from '../../nodes/index.ts';
import { PeerUnreachable, partitionOf } from '../../nodes/index.ts';
import { type Clock, type Log, temporarilyUnavailable } from '../../runtime/index.ts';
import { type AdmissionLimits, createAdmission } from '../admission.ts';
import type { ForwardedTime } from '../forwarded-times.ts';
import { type Completion, type DeviceMessage, retained, undecoded } from '../message.ts';
import type { ForwardedMessage } from './codec.ts';
import { OfferedTimes } from './offered-times.ts';
import { complete, isFinal, MOVED, type Outcome, UNKNOWN } from './outcome.ts';
import { type BatchSizeLimits, PartitionQueues } from './partition-queues.ts';
import type { Receive } from './receive.ts';

/*
 * Forwards messages to the nodes that act for their Devices.
 *
 * Invariant: the messages of a partition are stored in the order in which this node received them,
 * also when the partition changes hands. Each partition has a queue. Those of all partitions with
 * the same owner form a batch; while it is in flight, no other message of these partitions is sent.
 * A second batch, of other partitions, may be in flight to the same owner: it prepares the one while
 * it commits the other.
 *
 * - The owner answers that it does not act for the Device, or is not reached: the messages go back
 *   to the front of their queues, and are sent to whoever is the owner then.
 * - The connection breaks, so that the outcome is unknown: they are sent again, with the time that
 *   they had. A reading that was stored after all is the same one.
 * - The time of a message may be in use at the owner, which readings without a `timestamp` get: it
 *   answers with another one, and the message is sent again with that.
 * - No node acts for the partition: its messages wait, for a limited time.
 * - The partition comes to this node: what waits is stored here before anything that arrives later
 *   (`holds`).
 */

export interface ForwardingLimits extends AdmissionLimits, BatchSizeLimits {
  /** How long messages wait for others while a batch is in flight to their owner. */
  readonly lingerMs: number;
  /** How long a message waits for a node that takes it. */
  readonly timeoutMs: number;
}

export const FORWARDING_LIMITS: ForwardingLimits = {
  maxHeldWeight: 16 * 1024 * 1024,
  maxWaiting: 20_000,
  waitMs: 20_000,
  maxBatchMessages: 4_096,
  maxBatchBytes: 1024 * 1024,
  lingerMs: 4,
  timeoutMs: 15_000,
};

export interface ForwardingDeps {
  readonly ownership: Ownership;
  readonly clock: Clock;
  readonly log: Log;
  /** Passes messages to another node, which stores them. Rejects when it is not reached. */
  readonly send: (nodeId: string, messages: readonly ForwardedMessage[]) => ReturnType<Receive>;
  /** Stores messages of partitions that have come to this node meanwhile. */
  readonly receive: Receive;
  readonly limits?: ForwardingLimits;
}

/** A message in the queue of its partition. */
interface Item extends ForwardedMessage {
  readonly completion: Completion;
  readonly partition: number;
  readonly weight: number;
  time: ForwardedTime;
  /** When it was submitted, by the monotonic clock. */
  readonly since: number;
}

/** What a message costs beside its payload. */
const ITEM_WEIGHT = 256;
const RETRY_MS = 50;
const MAX_BATCHES_PER_NODE = 2;

/** Messages that were sent to a node and are not answered yet. */
interface BatchInFlight {
  readonly owner: string;
  readonly oldestSince: number;
}

export class Forwarding {
  readonly #deps: ForwardingDeps;
  readonly #limits: ForwardingLimits;
  readonly #admission: ReturnType<typeof createAdmission>;
  readonly #offered = new OfferedTimes();
  readonly #queues: PartitionQueues<Item>;
  /** Partitions with messages in flight. */
  readonly #inFlight = new Set<number>();
  readonly #batches = new Set<BatchInFlight>();
  #pending = 0;
  #forwarded = 0;
  #timer: NodeJS.Timeout | undefined;
  #isScheduled = false;

  constructor(deps: ForwardingDeps) {
    this.#deps = deps;
    this.#limits = deps.limits ?? FORWARDING_LIMITS;
    this.#admission = createAdmission(this.#limits);
    this.#queues = new PartitionQueues(this.#limits);
    deps.ownership.onChange(() => this.#schedule());
  }

  /** Whether earlier messages of the partition of a Device wait here. */
  holds(deviceId: string): boolean {
    if (this.#pending === 0) return false;
    const partition = partitionOf(deviceId);
    return this.#inFlight.has(partition) || this.#queues.has(partition);
  }

  /** Messages that other nodes have taken since the start. */
  get forwarded(): number {
    return this.#forwarded;
  }

  /** Since when the oldest message waits, by the monotonic clock; infinite when none does. */
  get oldestSince(): number {
    const inFlight = Array.from(this.#batches, ({ oldestSince }) => oldestSince);
    return Math.min(this.#queues.oldestSince(), ...inFlight);
  }

  /** Undefined when the message is queued; otherwise it waits for memory, and its sender with it. */
  submit(message: DeviceMessage, completion: Completion): Promise<void> | undefined {
    const admitted = this.#admission.enter();
    if (admitted !== undefined) return this.#submitLater(admitted, message, completion);
    this.#enqueue(message, completion);
    this.#admission.leave();
    return undefined;
  }

  async #submitLater(
    admitted: Promise<void>,
    submitted: DeviceMessage,
    completion: Completion,
  ): Promise<void> {
    const message = retained(submitted);
    try {
      await admitted;
      this.#enqueue(message, completion);
    } catch (error) {
      completion.failed(error);
    } finally {
      this.#admission.leave();
    }
  }

  #enqueue(message: DeviceMessage, completion: Completion): void {
    const { suffix, receivedAt, showsPresence = true } = message;
    const { deviceId } = message.device;
    const payload = undecoded(message.payload);
    const partition = partitionOf(deviceId);
    const bytes = payload instanceof Uint8Array ? payload.length : JSON.stringify(payload).length;
    const item: Item = {
      deviceId,
      suffix,
      // The bytes of a connection are reused once its message was submitted.
      payload: payload instanceof Uint8Array ? Buffer.from(payload) : payload,
      receivedAt,
      showsPresence,
      time: { at: this.#offered.next(deviceId, receivedAt), isFixed: false },
      completion,
      partition,
      weight: bytes + ITEM_WEIGHT,
      since: this.#deps.clock.elapsed(),
    };
    this.#queues.push(item);
    this.#pending += 1;
    this.#admission.hold(item.weight);
    this.#schedule();
  }

  /** Messages of the same turn of the event loop are sent together. */
  #schedule(): void {
    if (this.#isScheduled || this.#pending === 0) return;
    this.#isScheduled = true;
    setImmediate(() => this.#dispatch());
  }

  #dispatch(): void {
    clearTimeout(this.#timer);
    this.#isScheduled = false;
    const { timeoutMs, lingerMs } = this.#limits;
    const now = this.#deps.clock.elapsed();
    for (const item of this.#queues.takeBefore(now - timeoutMs))
      this.#complete(item, { kind: 'FAILED', error: unreached() });
    let isDeferred = false;
    for (const [owner, partitions] of this.#waitingByOwner()) {
      const isDue = this.#mayTake(owner, now - this.#queues.oldestSince(partitions));
      if (isDue) void this.#send(owner, this.#queues.takeBatch(partitions));
      isDeferred ||= !isDue;
    }
    if (this.#pending === 0) return;
    // What is deferred is looked at after the linger time, however many messages arrive until then.
    this.#isScheduled = isDeferred;
    this.#timer = setTimeout(() => this.#dispatch(), isDeferred ? lingerMs : RETRY_MS);
  }

  /** Partitions whose messages may be sent, in the order of their turns. */
  #waitingByOwner(): Map<string, number[]> {
    const waiting = new Map<string, number[]>();
    for (const partition of this.#queues.partitions) {
      const owner = this.#deps.ownership.ownerAt(partition);
      if (owner === null || this.#inFlight.has(partition)) continue;
      const partitions = waiting.get(owner);
      if (partitions) partitions.push(partition);
      else waiting.set(owner, [partition]);
    }
    return waiting;
  }

  /** Whether a batch is sent to a node, whose oldest message waits for so long. */
  #mayTake(owner: string, waitedMs: number): boolean {
    let batches = 0;
    for (const batch of this.#batches) if (batch.owner === owner) batches += 1;
    if (batches === 0) return true;
    return batches < MAX_BATCHES_PER_NODE && waitedMs >= this.#limits.lingerMs;
  }

  async #send(owner: string, items: readonly Item[]): Promise<void> {
    const { ownership, send, receive } = this.#deps;
    const partitions = new Set(items.map(({ partition }) => partition));
    for (const partition of partitions) this.#inFlight.add(partition);
    const batch = { owner, oldestSince: oldestOf(items) };
    this.#batches.add(batch);
    ascend(items);
    const isOwn = owner === ownership.nodeId;
    const outcomes = await (isOwn ? receive(items) : send(owner, items)).catch((error: unknown) => {
      this.#deps.log.debug({ err: error, nodeId: owner }, 'messages could not be forwarded');
      return items.map(() => (error instanceof PeerUnreachable ? MOVED : UNKNOWN));
    });
    this.#batches.delete(batch);
    for (const partition of partitions) this.#inFlight.delete(partition);
    const back = items.filter((item, index) => !this.#complete(item, outcomes[index] ?? UNKNOWN));
    this.#queues.putBack(back);
    if (!isOwn) this.#forwarded += items.length - back.length;
    if (back.length === 0) this.#dispatch();
  }

  /** False when the message has to be sent again. */
  #complete(item: Item, outcome: Outcome): boolean {
    if (outcome.kind === 'RETIMED') item.time = { at: outcome.at, isFixed: true };
    if (outcome.kind === 'UNKNOWN') item.time = { ...item.time, isFixed: true };
    if (!isFinal(outcome)) return false;
    this.#pending -= 1;
    this.#admission.release(item.weight);
    try {
      complete(item.completion, outcome);
    } catch (error) {
      this.#deps.log.error({ err: error }, 'could not acknowledge a message');
    }
    return true;
  }

  /** Fails what still waits. */
  stop(): void {
    clearTimeout(this.#timer);
    for (const item of this.#queues.takeBefore(Number.POSITIVE_INFINITY))
      this.#complete(item, { kind: 'FAILED', error: unreached() });
  }
}

/** The times of messages of a Device ascend, also after one of them got a later time. */
function ascend(items: readonly Item[]): void {
  const last = new Map<string, number>();
  for (const item of items) {
    const { deviceId, time } = item;
    const after = last.get(deviceId);
    if (after !== undefined && time.at <= after && !time.isFixed)
      item.time = { at: after + 1, isFixed: false };
    last.set(deviceId, Math.max(after ?? item.time.at, item.time.at));
  }
}

function oldestOf(items: readonly Item[]): number {
  return items.reduce((oldest, { since }) => Math.min(oldest, since), Number.POSITIVE_INFINITY);
}

function unreached() {
  return temporarilyUnavailable('The node that stores the readings of this Device is not reached.');
}
