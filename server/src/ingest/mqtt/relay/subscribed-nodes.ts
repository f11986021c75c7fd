import type { MessageBatch, SubscriptionReport } from './codec.ts';
import { MessageQueue } from './message-queue.ts';

/** Another node, as one of its starts. */
export interface OtherNode {
  readonly nodeId: string;
  readonly epoch: number;
  /** Messages for its subscribers. */
  readonly queue: MessageQueue;
  /** Messages are being sent until it resolves. */
  sending: Promise<void> | undefined;
  /** The node was lost, or has left. */
  isGone: boolean;
}

interface KnownNode extends OtherNode {
  /** With subscribers there; null until it has sent a full report. */
  devices: Set<string> | null;
  reportSequence: number;
  batchSequence: number;
  readonly knownSince: number;
  wasAlive: boolean;
}

/** How long a node that is not among those on the database yet is remembered. */
const MAX_UNLISTED_MS = 15_000;
const NO_NODES: readonly KnownNode[] = [];

/** The other nodes, and the Devices that have subscribers there. */
export class SubscribedNodes {
  readonly #nodes = new Map<number, KnownNode>();
  /** Those with subscribers of any Device: mostly none, which costs a message nothing. */
  #subscribed: readonly KnownNode[] = NO_NODES;

  hasSubscribers(deviceId: string): boolean {
    for (const { devices } of this.#subscribed) if (devices?.has(deviceId)) return true;
    return false;
  }

  /** The nodes with subscribers of a Device. */
  of(deviceId: string): readonly OtherNode[] {
    return this.#subscribed.filter(({ devices }) => devices?.has(deviceId));
  }

  get all(): Iterable<OtherNode> {
    return this.#nodes.values();
  }

  hasReported(epoch: number): boolean {
    return (this.#nodes.get(epoch)?.devices ?? null) !== null;
  }

  /** False when the node has to send a full report first. */
  apply(nodeId: string, report: SubscriptionReport, now: number): boolean {
    const { epoch, sequence, isFull, subscribed, unsubscribed } = report;
    const node = this.#nodeOf(nodeId, epoch, now);
    if (sequence <= node.reportSequence) return true;
    node.reportSequence = sequence;
    if (isFull) node.devices = new Set();
    if (node.devices === null) return false;
    for (const deviceId of subscribed) node.devices.add(deviceId);
    for (const deviceId of unsubscribed) node.devices.delete(deviceId);
    this.#list();
    return true;
  }

  /** True for a batch that did not arrive before. */
  isNew(nodeId: string, { epoch, sequence }: MessageBatch, now: number): boolean {
    const node = this.#nodeOf(nodeId, epoch, now);
    if (sequence <= node.batchSequence) return false;
    node.batchSequence = sequence;
    return true;
  }

  /** Removes nodes that are gone; `listed` are those on the database. */
  removeGone(
    listed: readonly { readonly epoch: number; readonly lostAt: number | null }[],
    now: number,
  ): void {
    for (const node of this.#nodes.values()) {
      const row = listed.find(({ epoch }) => epoch === node.epoch);
      if (row?.lostAt === null) node.wasAlive = true;
      else if (row || node.wasAlive || now - node.knownSince >= MAX_UNLISTED_MS) this.#remove(node);
    }
    this.#list();
  }

  #remove(node: KnownNode): void {
    this.#nodes.delete(node.epoch);
    node.isGone = true;
    node.queue.remove(node.queue.length);
  }

  #nodeOf(nodeId: string, epoch: number, now: number): KnownNode {
    const known = this.#nodes.get(epoch);
    if (known) return known;
    const node: KnownNode = {
      nodeId,
      epoch,
      queue: new MessageQueue(),
      sending: undefined,
      isGone: false,
      devices: null,
      reportSequence: 0,
      batchSequence: 0,
      knownSince: now,
      wasAlive: false,
    };
    this.#nodes.set(epoch, node);
    return node;
  }

  #list(): void {
    const subscribed = [...this.#nodes.values()].filter(({ devices }) => devices?.size);
    this.#subscribed = subscribed.length === 0 ? NO_NODES : subscribed;
  }
}
