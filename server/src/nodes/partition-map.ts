import type { Owners } from './assignment.ts';
import { PARTITION_COUNT, partitionOf } from './partition.ts';

/** A change of the partitions that this node acts for. */
export interface OwnershipChange {
  readonly gained: ReadonlySet<number>;
  /** Those of the gained ones that no other node handed over: their Devices were interrupted. */
  readonly taken: ReadonlySet<number>;
  readonly lost: ReadonlySet<number>;
}

/** Which node acts for a Device. */
export interface Ownership {
  readonly nodeId: string;
  /** The node that acts for the Device; null while it changes hands. */
  ownerOf(deviceId: string): string | null;
  /** The same for a partition. */
  ownerAt(partition: number): string | null;
  /** Whether this node acts for the Device. */
  owns(deviceId: string): boolean;
  /** Whether all partitions belong to this node, which may not act for them yet. */
  readonly isSoleOwner: boolean;
  /** The partitions that this node acts for; null for all of them. */
  readonly partitions: readonly number[] | null;
  /** Called at each change, before anything is done for what was gained. */
  onChange(listener: (change: OwnershipChange) => void): void;
}

/** The owners of partitions as this node knows them. */
export class PartitionMap implements Ownership {
  readonly nodeId: string;
  readonly #listeners: ((change: OwnershipChange) => void)[] = [];
  #owners: Owners = Array<null>(PARTITION_COUNT).fill(null);
  #draining: ReadonlySet<number> = new Set();
  #isActive = false;
  /** By partition: the node that acts for it. */
  #acting: Owners = this.#owners;
  #own: readonly number[] = [];

  constructor(nodeId: string) {
    this.nodeId = nodeId;
  }

  get owners(): Owners {
    return this.#owners;
  }

  ownerOf(deviceId: string): string | null {
    return this.ownerAt(partitionOf(deviceId));
  }

  ownerAt(partition: number): string | null {
    return this.#acting[partition] ?? null;
  }

  owns(deviceId: string): boolean {
    // A sole node acts for all, and is asked for every message.
    if (this.#own.length === PARTITION_COUNT) return true;
    return this.#acting[partitionOf(deviceId)] === this.nodeId;
  }

  get isSoleOwner(): boolean {
    return this.#owners.every((owner) => owner === this.nodeId);
  }

  get partitions(): readonly number[] | null {
    return this.#own.length === PARTITION_COUNT ? null : this.#own;
  }

  /** Whether this node owns partitions that it no longer acts for. */
  get isDraining(): boolean {
    return this.#draining.size > 0;
  }

  onChange(listener: (change: OwnershipChange) => void): void {
    this.#listeners.push(listener);
  }

  /** The owners as they are stored. */
  update(owners: Owners): void {
    const before = this.#owners;
    this.#owners = owners;
    this.#apply((partition) => (before[partition] ?? null) === null);
  }

  /** From now on this node acts for what it owns. */
  activate(): void {
    this.#isActive = true;
    this.#apply(() => true);
  }

  /** This node no longer acts for these of its partitions. */
  drain(partitions: readonly number[]): void {
    this.#draining = new Set(partitions);
    this.#apply(() => false);
  }

  #apply(isTaken: (partition: number) => boolean): void {
    const isOwn = (owner: string | null) => owner === this.nodeId;
    const before = new Set(this.#own);
    this.#acting = this.#owners.map((owner, partition) =>
      isOwn(owner) && (!this.#isActive || this.#draining.has(partition)) ? null : owner,
    );
    this.#own = this.#acting.flatMap((owner, partition) => (isOwn(owner) ? [partition] : []));
    const own = new Set(this.#own);
    const gained = new Set(this.#own.filter((partition) => !before.has(partition)));
    const lost = new Set([...before].filter((partition) => !own.has(partition)));
    if (gained.size === 0 && lost.size === 0) return;
    const taken = new Set([...gained].filter(isTaken));
    for (const listener of this.#listeners) listener({ gained, taken, lost });
  }
}
