import { type Clock, type Log, temporarilyUnavailable } from '../runtime/index.ts';
import type { SessionLocks, Storage, Transaction } from '../storage/index.ts';
import { movesOf, type Owners } from './assignment.ts';
import { EpochEnded } from './epoch-ended.ts';
import { Heartbeat } from './heartbeat.ts';
import { holdIdentity } from './identity.ts';
import { Lease } from './lease.ts';
import { type Ownership, PartitionMap } from './partition-map.ts';
import type { NodeReport } from './report.ts';
import { SharedWork } from './shared-work.ts';
import { Steadiness } from './steadiness.ts';
import * as store from './store.ts';
import { WorkInTurn } from './work-in-turn.ts';

/*
 * The membership of this node: its lease, the partitions that it owns, and taking over from nodes
 * that are gone.
 *
 * Invariants
 *   A. A node acts for a partition only while it owns it and its lease is held. The lease is extended
 *      by the database's clock; the node counts it by its monotonic clock from before it asked, and
 *      stops a second early.
 *   B. Whatever a node commits for its Devices carries its epoch (`require_epoch`). Whoever takes
 *      over ends the epoch first, and so waits for the commits that carry it. A node that was halted
 *      and wakes cannot commit under the old one, whatever it believes.
 *   C. Journals without a living writer are in the history before their partitions get a new owner:
 *      it finds every reading that was acknowledged.
 *   D. A node alone lets its lease end. One that joins announces itself, and for a lease time takes
 *      over from no other that has sessions: within it the other renews.
 *   E. After an interruption of its renewals a node takes over from no other for a lease time: the
 *      others had the same interruption, and are about to renew.
 *   F. The memory of a node has readings of its own partitions only: a node that starts takes all
 *      partitions before it replays journals into memory, or writes these to the history. Whatever a
 *      node hands over is in the history before.
 *   G. A node that has handed partitions over, or tried to, acts for none of them before it has read
 *      the owners again: a renewal that was in progress may have read them as they were before.
 */

export interface MembershipHooks {
  /** Flushes the journals of writers that are gone. False when another node is doing it. */
  adoptJournals(): Promise<boolean>;
  /** Ends what is in flight for these partitions and flushes it: another node owns them next. */
  drain(partitions: readonly number[]): Promise<void>;
  /** Another node has taken over from this one: it can commit nothing more. */
  fenced(): void;
}

export interface MembershipDeps {
  readonly storage: Pick<Storage, 'openSessionLocks' | 'nodes'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly node: store.NewNode;
  readonly hooks: MembershipHooks;
  /** What operators see of this node, as of now. */
  readonly report: () => NodeReport;
}

export class Membership {
  readonly #deps: MembershipDeps;
  readonly #heartbeat: Heartbeat;
  #incarnation: store.Incarnation;
  #locks: SessionLocks | undefined;
  /** All nodes, as of the last renewal. */
  #nodes: readonly store.NodeRow[] = [];
  readonly #map: PartitionMap;
  readonly lease: Lease;
  readonly #steadiness = new Steadiness();
  readonly #renewal = new SharedWork(() => this.#renewOnce());
  readonly #moves = new WorkInTurn(() => this.#move());
  #isActive = false;
  #isFenced = false;

  constructor(deps: MembershipDeps) {
    this.#deps = deps;
    this.#incarnation = { id: deps.node.id, epoch: 0 };
    this.#map = new PartitionMap(deps.node.id);
    this.lease = new Lease(deps.clock);
    this.#heartbeat = new Heartbeat(
      () => (this.#isAlone ? undefined : this.refresh()),
      (error) => deps.log.debug({ err: error }, 'the lease of this node could not be renewed'),
    );
  }

  get incarnation(): store.Incarnation {
    return this.#incarnation;
  }

  get nodes(): readonly store.NodeRow[] {
    return this.#nodes;
  }

  get ownership(): Ownership {
    return this.#map;
  }

  get owners(): Owners {
    return this.#map.owners;
  }

  /** Resolves while the lease is held. Once it has ended, renews it, or rejects. */
  async ready(): Promise<void> {
    if (!this.lease.isHeld) await this.renew();
  }

  /** Resolves while no other node can have taken over. A node alone renews no lease for that. */
  async confirm(): Promise<void> {
    if (!this.#isAlone) await this.lease.confirm(() => this.renew());
  }

  /** Whether other nodes are alive, as of the last renewal. */
  get hasPeers(): boolean {
    return this.#nodes.some(({ id, lostAt }) => id !== this.#incarnation.id && lostAt === null);
  }

  /** Enters this node, and refuses the id of one that is alive. From now on it can commit. */
  async join(): Promise<void> {
    await this.#claim();
    const { storage, node } = this.#deps;
    const { id } = node;
    const epoch = await storage.nodes.transaction(async (tx) => {
      await store.lockNode(tx, id);
      await store.announceChange(tx);
      const entered = { id, epoch: await store.insertNode(tx, node) };
      await store.takeAllPartitions(tx, entered);
      return entered.epoch;
    });
    this.#incarnation = { id, epoch };
    await this.renew();
    this.#heartbeat.start();
  }

  /** From now on this node acts for its partitions, and takes others. */
  async start(): Promise<void> {
    this.#map.activate();
    await this.#setReady(true);
    await this.#moves.run();
  }

  /** Hands all partitions over to the other nodes, if there are any. */
  readonly retire = async (): Promise<void> => {
    await this.#setReady(false);
    await this.#moves.run();
  };

  async #setReady(isReady: boolean): Promise<void> {
    await this.#change((tx) => store.setReady(tx, this.#incarnation, isReady));
    this.#isActive = true;
    await this.#renewal.runAgain();
  }

  async #claim(): Promise<void> {
    const { storage, node } = this.#deps;
    this.#locks = await holdIdentity(storage, node.id, (locks) => {
      if (this.#locks === locks) this.#locks = undefined;
    });
  }

  /**
   * Whether no other node could take over. A lease then is extended only when a commit needs it, so
   * that an idle installation writes nothing. A node that joins announces itself.
   */
  get #isAlone(): boolean {
    return !this.hasPeers && this.#map.isSoleOwner && this.#locks !== undefined;
  }

  /** Extends the lease, and learns of the others. Concurrent calls share one renewal. */
  renew(): Promise<void> {
    return this.#renewal.run();
  }

  /** Renews, and moves partitions in the background: again when the next node may be gone. */
  async refresh(): Promise<void> {
    await this.renew();
    const others = this.#nodes.filter(({ id }) => id !== this.#incarnation.id);
    this.#heartbeat.beatIn(this.#steadiness.msToTakeover(others, this.#deps.clock.elapsed()));
    if (!this.#locks) await this.#claim();
    if (this.#moves.isQueued) return;
    this.#moves
      .run()
      .catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, 'partitions could not be moved'),
      );
  }

  async #renewOnce(): Promise<void> {
    const { storage, clock, hooks } = this.#deps;
    const askedAt = clock.elapsed();
    this.#steadiness.asked(askedAt);
    const [isRenewed, nodes, owners] = await storage.nodes.transaction((tx) =>
      Promise.all([
        store.renewLease(tx, this.#incarnation, this.#deps.report()),
        store.listNodes(tx),
        store.listOwners(tx),
      ]),
    );
    if (!isRenewed) {
      if (!this.#isFenced) hooks.fenced();
      this.#isFenced = true;
      this.lease.end();
      void this.#heartbeat.stop();
      throw new EpochEnded();
    }
    this.#steadiness.renewed(askedAt);
    this.lease.renewed(askedAt);
    this.#nodes = nodes;
    this.#map.update(owners);
  }

  /** Brings the partitions closer to an even distribution, and those of lost nodes into it. */
  async #move(): Promise<void> {
    const { clock, hooks } = this.#deps;
    if (!this.#isActive) return;
    // The outcome of a former move is unknown when the renewal after it has failed.
    if (this.#map.isDraining) await this.#endDraining();
    const { id } = this.#incarnation;
    for (const node of this.#nodes) {
      if (node.id === id) continue;
      if (this.#steadiness.mayTakeOver(node, clock.elapsed())) await this.#takeOver(node);
      else if (node.lostAt !== null && this.#map.owners.includes(node.id)) await this.#free(node);
    }
    const ready = this.#nodes.filter((node) => node.lostAt === null && node.isReady);
    const readyIds = ready.map((node) => node.id);
    const { take, handOver } = movesOf(id, readyIds, this.#map.owners);
    if (take.length > 0 && (await hooks.adoptJournals())) {
      await this.#change((tx) => store.takePartitions(tx, this.#incarnation, take));
    }
    for (const [to, partitions] of handOver) await this.#handOver(to, partitions);
    if (take.length > 0) await this.#renewal.runAgain();
  }

  /** Fences a node that is gone, and frees its partitions when its journal is in the history. */
  async #takeOver({ id, epoch }: store.Incarnation): Promise<void> {
    const { storage, log } = this.#deps;
    // A node that was halted may have left a transaction open, which the end of the epoch waits for.
    await store.endSessions(storage.nodes, { id, epoch });
    const lost = await storage.nodes.transaction((tx) => store.endEpoch(tx, { id, epoch }));
    if (lost === undefined) return;
    log.warn({ nodeId: id }, 'a node is lost; its partitions are taken over');
    await this.#free(lost);
  }

  async #free(lost: store.Incarnation): Promise<void> {
    const { storage, hooks } = this.#deps;
    if (!(await store.isLost(storage.nodes, lost))) return;
    // Its locks are free only without the sessions that it may have opened before its epoch ended.
    const areEnded = await store.endSessions(storage.nodes, lost);
    if (!areEnded) throw temporarilyUnavailable('Sessions of a lost node did not end.');
    // Another node that flushes its journal frees its partitions, and announces that.
    if (!(await hooks.adoptJournals())) return;
    await this.#change(async (tx) => {
      await store.freePartitions(tx, lost.id);
      await store.deleteLongLost(tx);
    });
    await this.#renewal.runAgain();
  }

  async #handOver(to: string, partitions: readonly number[]): Promise<void> {
    this.#map.drain(partitions);
    try {
      await this.#deps.hooks.drain(partitions);
      await this.#change((tx) => store.movePartitions(tx, this.#incarnation, { to, partitions }));
    } finally {
      await this.#endDraining();
    }
  }

  /** Acts again for what it was about to hand over and still owns. */
  async #endDraining(): Promise<void> {
    await this.#renewal.runAgain();
    this.#map.drain([]);
  }

  /** Changes nodes or partitions, and lets every node look at them at once. */
  #change(work: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.#deps.storage.nodes.transaction(async (tx) => {
      await work(tx);
      await store.announceChange(tx);
    });
  }

  /** Gives all partitions up and leaves. */
  readonly stop = async (): Promise<void> => {
    this.#isActive = false;
    await this.#heartbeat.stop();
    await this.#moves.settled();
    await this.#renewal.settled();
    if (this.#incarnation.epoch > 0) await this.#leave();
    await this.#locks?.end();
  };

  async #leave(): Promise<void> {
    this.lease.end();
    try {
      await this.#change((tx) => store.deleteNode(tx, this.#incarnation));
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'this node could not leave; its lease ends by itself');
    }
  }
}
