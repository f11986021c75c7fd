import type { Severity } from '@fieldwatch/contract';
import type { AlarmEvent, Location } from '../service/index.ts';

type Place = Pick<Location, 'id' | 'parentId'>;
type Trouble = Pick<AlarmEvent, 'severity' | 'locationId'> & {
  readonly assetIds: readonly string[];
};

/**
 * The worst that is open at each Location, of its Devices and of its Assets. What is wrong within a
 * place is wrong at the place around it too. The events come worst first.
 */
export function worstByLocation(
  locations: readonly Place[],
  assets: readonly { readonly id: string; readonly locationId: string | null }[],
  events: readonly Trouble[],
): ReadonlyMap<string, Severity> {
  const parents = new Map(locations.map(({ id, parentId }) => [id, parentId]));
  const places = new Map(assets.map(({ id, locationId }) => [id, locationId]));
  const worst = new Map<string, Severity>();
  for (const { severity, locationId, assetIds } of events) {
    for (const first of [locationId, ...assetIds.map((id) => places.get(id) ?? null)]) {
      let at = first;
      // What is known already is as bad, here and all the way up.
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

/** Locations below those that they are part of, by name, in the order of the page. */
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
