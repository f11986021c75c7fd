import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Membership, Peers } from '../../../nodes/index.ts';
import {
  type Clock,
  createDeferred,
  type Deferred,
  endsWithin,
  every,
  type Log,
  type Periodic,
} from '../../../runtime/index.ts';
import { decodeBatch, decodeReport, encodeBatch } from './codec.ts';
import type { Message } from './message.ts';
import { type OtherNode, SubscribedNodes } from './subscribed-nodes.ts';
import {
  ACCEPTED,
  FULL_REPORT_NEEDED,
  type LocalSubscribers,
  REPORT,
  SubscriptionReports,
} from './subscription-reports.ts';

/*
 * Messages for subscribers at other nodes. Every node knows which Devices have subscribers at which
 * other node. The node that a message is published at passes it to those nodes once it is stored.
 *
 * Invariants
 *   A. A subscription is acknowledged when every other node knows it, or did not answer within a
 *      second. A node that starts accepts clients when the others have reported their subscribers.
 *   B. Messages go to a node in the order of their acknowledgements, one batch at a time. A batch
 *      whose outcome is unknown is sent again under its number, and a number is delivered once.
 *   C. A message above QoS 0 is acknowledged when it is in the queues of its subscribers at all
 *      nodes, as it is with one node; a node that does not answer delays that for a limited time.
 */

export interface RelayDeps {
  readonly peers: Pick<Peers, 'serve' | 'call'>;
  readonly membership: Pick<Membership, 'nodes' | 'hasPeers' | 'incarnation'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly local: LocalSubscribers;
  /** Delivers a message of another node to the subscribers here. */
  readonly deliver: (message: Message) => void;
  /** The queue to another node is full: its subscribers miss a message. */
  readonly onDropped: () => void;
}

const PASS = 'pass-messages';
const CALL_TIMEOUT_MS = 2_000;
const PASS_RETRY_MS = 100;
const TICK_MS = 250;
/** How long the acknowledgement of a message waits for the nodes of its subscribers. */
const MAX_HOLD_MS = 5_000;
/** How long a start waits for the reports of the other nodes. */
const MAX_READY_MS = 1_000;
const NOTHING = Buffer.alloc(0);

export class Relay {
  readonly #deps: RelayDeps;
  readonly #nodes = new SubscribedNodes();
  readonly #reports: SubscriptionReports;
  readonly #ticks: Periodic;
  #sequence = 0;
  #ready: Deferred<void> | undefined;
  #isStopped = false;

  constructor(deps: RelayDeps) {
    const { peers, clock, log } = deps;
    this.#deps = deps;
    this.#reports = new SubscriptionReports(deps);
    this.#ticks = every(
      TICK_MS,
      () => this.#tick(),
      (error) => log.error({ err: error }, 'subscriptions of other nodes could not be followed'),
    );
    peers.serve(REPORT, async (body, callerId) => {
      const isAccepted = this.#nodes.apply(callerId, decodeReport(body), clock.elapsed());
      if (this.#haveAllReported()) this.#ready?.resolve();
      return isAccepted ? ACCEPTED : FULL_REPORT_NEEDED;
    });
    peers.serve(PASS, async (body, callerId) => {
      const batch = decodeBatch(body, clock.now());
      if (this.#nodes.isNew(callerId, batch, clock.elapsed()))
        for (const message of batch.messages) deps.deliver(message);
      return NOTHING;
    });
  }

  /** Resolves when the other nodes have reported their subscribers, or do not answer in time. */
  async start(): Promise<void> {
    this.#ticks.start();
    this.#tick();
    if (this.#haveAllReported()) return;
    this.#ready = createDeferred();
    await endsWithin(MAX_READY_MS, this.#ready.promise);
  }

  /** Whether the Device has subscribers at another node. */
  hasSubscribers(deviceId: string): boolean {
    return this.#nodes.hasSubscribers(deviceId);
  }

  /** The Device has its first subscriber at this node, or lost its last one. */
  subscribersChanged(deviceId: string): void {
    this.#reports.changed(deviceId);
  }

  /** Undefined when all nodes know the subscribers here, otherwise resolves when they do. */
  announced(): Promise<void> | undefined {
    return this.#reports.announced();
  }

  /**
   * Passes a message to the other nodes with subscribers of its Device. Resolves when it is there or
   * a node does not answer in time; undefined when nothing is to be awaited.
   */
  pass(message: Message): Promise<void> | undefined {
    const passed: Promise<void>[] = [];
    for (const node of this.#nodes.of(message.deviceId)) {
      const { promise, resolve } = createDeferred<void>();
      if (!node.queue.add({ message, onPassed: () => resolve() })) {
        this.#deps.onDropped();
        continue;
      }
      passed.push(promise);
      this.#sendSoon(node);
    }
    if (message.qos === 0 || passed.length === 0) return undefined;
    return endsWithin(MAX_HOLD_MS, Promise.all(passed)).then(() => undefined);
  }

  /** Passes on what is queued, within a limited time. */
  async stop(limitMs: number): Promise<void> {
    await endsWithin(limitMs, Promise.all([...this.#nodes.all].map(({ sending }) => sending)));
    this.#isStopped = true;
    await this.#ticks.stop();
  }

  #tick(): void {
    const { membership, clock } = this.#deps;
    if (membership.hasPeers) this.#reports.send();
    this.#nodes.removeGone(membership.nodes, clock.elapsed());
  }

  #haveAllReported(): boolean {
    const { nodes, incarnation } = this.#deps.membership;
    return nodes.every(
      ({ id, epoch, lostAt }) =>
        id === incarnation.id || lostAt !== null || this.#nodes.hasReported(epoch),
    );
  }

  #sendSoon(node: OtherNode): void {
    node.sending ??= this.#sendAll(node);
  }

  async #sendAll(node: OtherNode): Promise<void> {
    // Messages that are stored in the same turn of the event loop go together.
    await nextTurn();
    while (node.queue.length > 0) {
      const messages = node.queue.batch();
      this.#sequence += 1;
      await this.#send(node, messages, this.#sequence);
      node.queue.remove(messages.length);
    }
    // In the same turn in which the queue was found empty: the next message begins again.
    node.sending = undefined;
  }

  /** Resolves when the messages are at the node, or the node is gone. */
  async #send(node: OtherNode, messages: readonly Message[], sequence: number): Promise<void> {
    const { peers, membership, clock, log } = this.#deps;
    const { epoch } = membership.incarnation;
    while (!node.isGone && !this.#isStopped) {
      try {
        const body = encodeBatch({ epoch, sequence, messages }, clock.now());
        await peers.call(node.nodeId, PASS, body, CALL_TIMEOUT_MS);
        return;
      } catch (error) {
        const { nodeId } = node;
        log.debug({ err: error, nodeId }, 'messages could not be passed to a node; will retry');
        await sleep(PASS_RETRY_MS, undefined, { ref: false });
      }
    }
  }
}
