import type { Membership, Peers } from '../../../nodes/index.ts';
import { createDeferred, type Deferred, endsWithin, type Log } from '../../../runtime/index.ts';
import { encodeReport } from './codec.ts';

/** The subscribers at this node. */
export interface LocalSubscribers {
  /** The Devices that have any. */
  devices(): Iterable<string>;
  has(deviceId: string): boolean;
}

export interface SubscriptionReportsDeps {
  readonly peers: Pick<Peers, 'call'>;
  readonly membership: Pick<Membership, 'nodes' | 'hasPeers' | 'incarnation'>;
  readonly local: LocalSubscribers;
  readonly log: Log;
}

export const REPORT = 'report-subscriptions';
export const ACCEPTED = Buffer.from([1]);
export const FULL_REPORT_NEEDED = Buffer.from([0]);
const CALL_TIMEOUT_MS = 5_000;
/** How long an acknowledgement of a subscription waits for the other nodes. */
const MAX_ANNOUNCE_MS = 1_000;
const MAX_DEVICES_PER_REPORT = 100_000;

/** Another node, and what it knows of the subscribers here. */
interface InformedNode {
  /** The version of the subscribers that it knows. */
  version: number;
  /** Devices that have changed since its last report; null when it needs a full one. */
  changed: Set<string> | null;
  isCalling: boolean;
}

/**
 * Reports the Devices that have subscribers here to every other node: all of them at first, then
 * those that changed. One report at a time is in flight to a node. After one whose outcome is unknown
 * the next is a full one.
 */
export class SubscriptionReports {
  readonly #deps: SubscriptionReportsDeps;
  /** By epoch: each start of a node has to be informed. */
  readonly #informed = new Map<number, InformedNode>();
  readonly #waiting = new Set<{ readonly version: number; readonly announced: Deferred<void> }>();
  #version = 0;
  #sequence = 0;
  #isScheduled = false;

  constructor(deps: SubscriptionReportsDeps) {
    this.#deps = deps;
  }

  /** The Device has its first subscriber at this node, or lost its last one. */
  changed(deviceId: string): void {
    if (!this.#deps.membership.hasPeers && this.#informed.size === 0) return;
    this.#version += 1;
    for (const { changed } of this.#informed.values()) changed?.add(deviceId);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.send();
    });
  }

  /**
   * Undefined when every other node knows the subscribers of this one. Otherwise resolves when they
   * do, or do not answer in time.
   */
  announced(): Promise<void> | undefined {
    const version = this.#version;
    if (!this.#deps.membership.hasPeers || this.#knownVersion() >= version) return undefined;
    const announced = createDeferred<void>();
    const waiting = { version, announced };
    this.#waiting.add(waiting);
    return endsWithin(MAX_ANNOUNCE_MS, announced.promise).then(
      () => void this.#waiting.delete(waiting),
    );
  }

  /** Sends what the other nodes do not know yet; called again and again, so that it is retried. */
  send(): void {
    const others = this.#others();
    const epochs = new Set(others.map(({ epoch }) => epoch));
    for (const epoch of this.#informed.keys()) if (!epochs.has(epoch)) this.#informed.delete(epoch);
    for (const { id, epoch } of others) {
      const node = this.#informed.get(epoch) ?? { version: -1, changed: null, isCalling: false };
      this.#informed.set(epoch, node);
      if (!node.isCalling && node.version !== this.#version) void this.#report(id, node);
    }
    this.#release();
  }

  #others() {
    const { nodes, incarnation } = this.#deps.membership;
    return nodes.filter(({ id, lostAt }) => id !== incarnation.id && lostAt === null);
  }

  /** The version of the subscribers that every other node knows. */
  #knownVersion(): number {
    const versions = this.#others().map(({ epoch }) => this.#informed.get(epoch)?.version ?? -1);
    return Math.min(this.#version, ...versions);
  }

  async #report(nodeId: string, node: InformedNode): Promise<void> {
    const { peers, membership, local, log } = this.#deps;
    const version = this.#version;
    const isFull = node.changed === null;
    const devices = [...(node.changed ?? local.devices())];
    const reported = devices.slice(0, MAX_DEVICES_PER_REPORT);
    node.changed = new Set(devices.slice(MAX_DEVICES_PER_REPORT));
    const isAll = node.changed.size === 0;
    this.#sequence += 1;
    const body = encodeReport({
      epoch: membership.incarnation.epoch,
      sequence: this.#sequence,
      isFull,
      subscribed: reported.filter((deviceId) => local.has(deviceId)),
      unsubscribed: reported.filter((deviceId) => !local.has(deviceId)),
    });
    node.isCalling = true;
    try {
      const answer = await peers.call(nodeId, REPORT, body, CALL_TIMEOUT_MS);
      if (answer.equals(FULL_REPORT_NEEDED)) node.changed = null;
      else if (isAll) node.version = version;
    } catch (error) {
      log.debug({ err: error, nodeId }, 'subscriptions could not be reported; will retry');
      node.version = -1;
      node.changed = null;
      return;
    } finally {
      node.isCalling = false;
    }
    this.send();
  }

  #release(): void {
    if (this.#waiting.size === 0) return;
    const known = this.#knownVersion();
    for (const { version, announced } of this.#waiting) if (version <= known) announced.resolve();
  }
}
