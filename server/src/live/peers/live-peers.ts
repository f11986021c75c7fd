import type { LiveDevice } from '@fieldwatch/contract';
import type { Membership, Peers } from '../../nodes/index.ts';
import {
  type Clock,
  createDeferred,
  type Deferred,
  endsWithin,
  every,
  type Log,
  type Periodic,
} from '../../runtime/index.ts';
import type { LiveReading } from '../announcement.ts';
import type { PresenceOf } from '../hub/index.ts';
import type { LiveLimits } from '../limits.ts';
import type { LiveNews } from '../news.ts';
import { decodeFollow, decodeNews, encodeFollow, encodeNews, type Follows } from './follow.ts';
import { type Follower, Followers } from './followers.ts';

/*
 * Streams of this node follow Devices of all nodes. Each node notifies the others of what its streams
 * follow: the whole of it at each change, when a node joins, and again every few seconds. The node
 * that acts for a Device sends what is followed, in batches, one at a time to a node.
 */

export interface LivePeersDeps {
  readonly peers: Pick<Peers, 'serve' | 'call'>;
  readonly membership: Pick<Membership, 'nodes' | 'hasPeers' | 'incarnation'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: LiveLimits;
  readonly presenceOf: PresenceOf;
  /** What the streams of this node follow. */
  readonly follows: () => Follows;
  readonly onNews: (news: LiveNews) => void;
}

const FOLLOW = 'follow-live';
const ANNOUNCE = 'announce-live';
const CALL_TIMEOUT_MS = 5_000;
const TICK_MS = 250;
const REPEAT_MS = 5_000;
/** How long a stream waits for the other nodes before it begins. */
const MAX_FOLLOW_MS = 1_000;
const BATCH_MS = 50;
const NOTHING = Buffer.alloc(0);

/** Another node, and what it knows of the streams here. */
interface FollowedNode {
  /** The version of the follows that it has. */
  version: number;
  calledAt: number;
  isCalling: boolean;
}

export class LivePeers {
  readonly #deps: LivePeersDeps;
  readonly #followers: Followers;
  readonly #ticks: Periodic;
  /** By epoch: each start of a node has to be notified. */
  readonly #followed = new Map<number, FollowedNode>();
  /** Nodes that a batch is under way to, or is about to be sent to. */
  readonly #sending = new Set<string>();
  #version = 0;
  #sequence = 0;
  #waiting: Deferred<void>[] = [];

  constructor(deps: LivePeersDeps) {
    const { peers, clock, log } = deps;
    this.#deps = deps;
    this.#followers = new Followers({ ...deps, onNews: (follower) => this.#sendSoon(follower) });
    this.#ticks = every(
      TICK_MS,
      () => this.#tick(),
      (error) => log.error({ err: error }, 'live streams of other nodes could not be followed'),
    );
    peers.serve(FOLLOW, async (body, callerId) => {
      this.#followers.follow(callerId, decodeFollow(body), clock.elapsed());
      return NOTHING;
    });
    peers.serve(ANNOUNCE, async (body) => {
      for (const news of decodeNews(body)) deps.onNews(news);
      return NOTHING;
    });
  }

  get isFollowed(): boolean {
    return this.#followers.isFollowed;
  }

  announceReadings(readings: readonly LiveReading[]): void {
    for (const reading of readings) this.#followers.announceReading(reading);
  }

  deviceSeen(organizationId: string, deviceId: string, at: number): void {
    this.#followers.deviceSeen(organizationId, deviceId, at);
  }

  deviceChanged(organizationId: string, device: LiveDevice): void {
    this.#followers.deviceChanged(organizationId, device);
  }

  /** Streams have opened or closed, or follow something else. */
  followsChanged(): void {
    this.#version += 1;
    if (this.#deps.membership.hasPeers) setImmediate(() => this.#notifyAll());
  }

  /** Resolves when the other nodes know what the streams follow, or do not answer in time. */
  async followed(): Promise<void> {
    if (!this.#deps.membership.hasPeers || this.#areAllNotified()) return;
    const notified = createDeferred<void>();
    this.#waiting.push(notified);
    await endsWithin(MAX_FOLLOW_MS, notified.promise);
    this.#waiting = this.#waiting.filter((each) => each !== notified);
  }

  start(): void {
    this.#ticks.start();
  }

  stop(): Promise<void> {
    return this.#ticks.stop();
  }

  #others() {
    const { membership } = this.#deps;
    return membership.nodes.filter(
      ({ id, lostAt }) => id !== membership.incarnation.id && lostAt === null,
    );
  }

  #areAllNotified(): boolean {
    return this.#others().every(
      ({ epoch }) => this.#followed.get(epoch)?.version === this.#version,
    );
  }

  #tick(): void {
    if (this.#deps.membership.hasPeers) this.#notifyAll();
    if (this.isFollowed) this.#followers.expire(this.#deps.clock.elapsed());
  }

  #notifyAll(): void {
    const others = this.#others();
    const epochs = new Set(others.map(({ epoch }) => epoch));
    for (const epoch of this.#followed.keys()) if (!epochs.has(epoch)) this.#followed.delete(epoch);
    for (const { id, epoch } of others) {
      const node = this.#followed.get(epoch) ?? { version: 0, calledAt: 0, isCalling: false };
      this.#followed.set(epoch, node);
      if (!node.isCalling && this.#isDue(node)) void this.#notify(id, node);
    }
    this.#release();
  }

  /** Repeated while there are streams: the other node drops what is not repeated. */
  #isDue({ version, calledAt }: FollowedNode): boolean {
    if (version !== this.#version) return true;
    const isOld = this.#deps.clock.elapsed() - calledAt >= REPEAT_MS;
    return isOld && this.#deps.follows().size > 0;
  }

  async #notify(nodeId: string, node: FollowedNode): Promise<void> {
    const { peers, membership, clock, log } = this.#deps;
    const version = this.#version;
    this.#sequence += 1;
    const { epoch } = membership.incarnation;
    const call = { epoch, sequence: this.#sequence, follows: this.#deps.follows() };
    node.isCalling = true;
    node.calledAt = clock.elapsed();
    try {
      await peers.call(nodeId, FOLLOW, encodeFollow(call), CALL_TIMEOUT_MS);
      node.version = version;
    } catch (error) {
      log.debug(
        { err: error, nodeId },
        'a node could not be notified of what streams follow; will retry',
      );
      node.version = -1;
      return;
    } finally {
      node.isCalling = false;
    }
    if (version !== this.#version) this.#notifyAll();
    else this.#release();
  }

  #release(): void {
    if (this.#waiting.length === 0 || !this.#areAllNotified()) return;
    for (const notified of this.#waiting.splice(0)) notified.resolve();
  }

  #sendSoon(follower: Follower): void {
    const { nodeId } = follower;
    if (this.#sending.has(nodeId)) return;
    this.#sending.add(nodeId);
    setTimeout(() => void this.#send(follower), BATCH_MS).unref();
  }

  async #send(follower: Follower): Promise<void> {
    const { peers, log } = this.#deps;
    const { nodeId, waiting } = follower;
    const news = waiting.take();
    try {
      await peers.call(nodeId, ANNOUNCE, encodeNews(news), CALL_TIMEOUT_MS);
    } catch (error) {
      log.debug({ err: error, nodeId }, 'live values could not be sent to a node; will retry');
      if (this.#followers.has(follower)) waiting.putBack(news);
    }
    this.#sending.delete(nodeId);
    if (!waiting.isEmpty) this.#sendSoon(follower);
  }
}
