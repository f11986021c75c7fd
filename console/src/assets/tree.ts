import type { Asset } from '../service/index.ts';

export interface Branch {
  readonly asset: Asset;
  readonly depth: number;
  readonly children: readonly Branch[];
}

const byName = (a: Asset, b: Asset) => a.name.localeCompare(b.name, undefined, { numeric: true });

/**
 * Assets below those that they are part of, by name. One whose parent is not among them stands at the
 * top, so that a search shows all it found.
 */
export function treeOf(assets: readonly Asset[]): readonly Branch[] {
  const ids = new Set(assets.map(({ id }) => id));
  const below = new Map<string, Asset[]>();
  for (const asset of assets) {
    const parent = asset.parentId !== null && ids.has(asset.parentId) ? asset.parentId : '';
    below.set(parent, [...(below.get(parent) ?? []), asset]);
  }
  const branches = (parentId: string, depth: number): Branch[] =>
    (below.get(parentId) ?? []).toSorted(byName).map((asset) => ({
      asset,
      depth,
      children: branches(asset.id, depth + 1),
    }));
  return branches('', 0);
}

/** The branches that are seen, in the order of the page; what a closed one holds is left out. */
export function visible(branches: readonly Branch[], closed: ReadonlySet<string>): Branch[] {
  return branches.flatMap((branch) => [
    branch,
    ...(closed.has(branch.asset.id) ? [] : visible(branch.children, closed)),
  ]);
}
