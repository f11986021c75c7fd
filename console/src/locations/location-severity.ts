import type { Severity } from '@fieldwatch/contract';
import type { AlarmEvent, Location } from '../service/index.ts';

type Place = Pick<Location, 'id' | 'parentId'>;
type Trouble = Pick<AlarmEvent, 'severity' | 'locationId'> & {
  readonly assetIds: readonly string[];
};

/**
 * The most severe active alarm at each Location, of its Devices, its Assets and its child Locations.
 * The events must be sorted by severity, most severe first.
 */
export function severityByLocation(
  locations: readonly Place[],
  assets: readonly { readonly id: string; readonly locationId: string | null }[],
  events: readonly Trouble[],
): ReadonlyMap<string, Severity> {
  const parents = new Map(locations.map(({ id, parentId }) => [id, parentId]));
  const locationIdByAsset = new Map(assets.map(({ id, locationId }) => [id, locationId]));
  const worst = new Map<string, Severity>();
  for (const { severity, locationId, assetIds } of events) {
    for (const first of [locationId, ...assetIds.map((id) => locationIdByAsset.get(id) ?? null)]) {
      let at = first;
      // An earlier event is at least as severe, here and for all ancestors.
      while (at !== null && !worst.has(at)) {
        worst.set(at, severity);
        at = parents.get(at) ?? null;
      }
    }
  }
  return worst;
}

export interface Branch {
  readonly location: Location;
  readonly depth: number;
}

const byName = (a: Location, b: Location) =>
  a.name.localeCompare(b.name, undefined, { numeric: true });

/** Locations in tree order: children below their parent, sorted by name. */
export function inTreeOrder(locations: readonly Location[]): readonly Branch[] {
  const ids = new Set(locations.map(({ id }) => id));
  const parentOf = ({ parentId }: Location) =>
    parentId !== null && ids.has(parentId) ? parentId : null;
  const branches = (parent: string | null, depth: number): Branch[] =>
    locations
      .filter((location) => parentOf(location) === parent)
      .toSorted(byName)
      .flatMap((location) => [{ location, depth }, ...branches(location.id, depth + 1)]);
  return branches(null, 0);
}
