import type { Asset } from '../service/index.ts';

export interface Branch {
  readonly asset: Asset;
  readonly depth: number;
  readonly children: readonly Branch[];
}

/**
 * Assets below their parent, siblings in the order given. An Asset whose parent is not in the list is at the top
 * level, so that a search shows all results.
 */
export function treeOf(assets: readonly Asset[]): readonly Branch[] {
  const ids = new Set(assets.map(({ id }) => id));
  const below = new Map<string, Asset[]>();
  for (const asset of assets) {
    const parent = asset.parentId !== null && ids.has(asset.parentId) ? asset.parentId : '';
    below.set(parent, [...(below.get(parent) ?? []), asset]);
  }
  const branches = (parentId: string, depth: number): Branch[] =>
    (below.get(parentId) ?? []).map((asset) => ({
      asset,
      depth,
      children: branches(asset.id, depth + 1),
    }));
  return branches('', 0);
}

/** All Assets below one. */
export function belowOf({ children }: Branch): readonly Asset[] {
  return children.flatMap((child) => [child.asset, ...belowOf(child)]);
}

/** The visible branches in display order, without the children of collapsed ones. */
export function visible(branches: readonly Branch[], closed: ReadonlySet<string>): Branch[] {
  return branches.flatMap((branch) => [
    branch,
    ...(closed.has(branch.asset.id) ? [] : visible(branch.children, closed)),
  ]);
}
