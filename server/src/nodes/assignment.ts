import { PARTITION_COUNT } from './partition.ts';

/** Which node each partition belongs to: by its number; null for one that is free. */
export type Owners = readonly (string | null)[];

/** What one node does to get closer to an even distribution. */
export interface Moves {
  /** Free partitions that it takes. */
  readonly take: readonly number[];
  /** Partitions of its own that it hands over, and to whom. */
  readonly handOver: ReadonlyMap<string, readonly number[]>;
}

/** How many partitions each node is to own: as many as the others, or one more. */
export function sharesOf(nodeIds: readonly string[]): ReadonlyMap<string, number> {
  const sorted = nodeIds.toSorted();
  const least = Math.floor(PARTITION_COUNT / sorted.length);
  const extra = PARTITION_COUNT % sorted.length;
  return new Map(sorted.map((id, index) => [id, index < extra ? least + 1 : least]));
}

/**
 * The moves of a node, given the nodes that partitions may be given to and the owners. Every node
 * decides by the same rules, so that each partition moves at most once: a node takes free partitions
 * up to its share, and one that owns more than its share hands the rest over to those that will still
 * have too few when all free partitions are taken. A node that stops has no share.
 */
export function movesOf(self: string, nodeIds: readonly string[], owners: Owners): Moves {
  if (nodeIds.length === 0) return { take: [], handOver: new Map() };
  const shares = new Map([
    ...sharesOf(nodeIds),
    ...(nodeIds.includes(self) ? [] : [[self, 0] as const]),
  ]);
  const owned = new Map([...shares.keys()].map((id) => [id, [] as number[]]));
  const free: number[] = [];
  for (const [partition, owner] of owners.entries()) {
    if (owner === null) free.push(partition);
    else owned.get(owner)?.push(partition);
  }
  const take: number[] = [];
  const missing = new Map<string, number>();
  for (const [id, share] of shares) {
    const wanted = Math.max(0, share - (owned.get(id)?.length ?? 0));
    const taken = free.splice(0, wanted);
    if (id === self) take.push(...taken);
    missing.set(id, wanted - taken.length);
  }
  return { take, handOver: handOvers(self, shares, owned, missing) };
}

/** Those with too many give to those with too few, in the order of their ids. */
function handOvers(
  self: string,
  shares: ReadonlyMap<string, number>,
  owned: ReadonlyMap<string, readonly number[]>,
  missing: Map<string, number>,
): ReadonlyMap<string, readonly number[]> {
  const handOver = new Map<string, readonly number[]>();
  for (const [id, share] of shares) {
    const surplus = owned.get(id)?.slice(share) ?? [];
    for (const [receiver, count] of missing) {
      const given = surplus.splice(0, count);
      if (given.length === 0) continue;
      missing.set(receiver, count - given.length);
      if (id === self) handOver.set(receiver, given);
    }
  }
  return handOver;
}
