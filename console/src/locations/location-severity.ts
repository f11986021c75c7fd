import type { Severity } from '@fieldwatch/contract';
import type { AlarmEvent, Location } from '../service/index.ts';
import { byName } from '../ui/index.ts';

type Place = Pick<Location, 'id' | 'parentId'>;
type Trouble = Pick<AlarmEvent, 'severity' | 'locationId'> & {
  readonly assetIds: readonly string[];
};

interface Sited {
  readonly id: string;
  readonly locationId: string | null;
}

/** The Locations that an event concerns: those of its Device and its Assets, and all around them. */
function createPlacesOf(locations: readonly Place[], assets: readonly Sited[]) {
  const parents = new Map(locations.map(({ id, parentId }) => [id, parentId]));
  const locationIdByAsset = new Map(assets.map(({ id, locationId }) => [id, locationId]));
  return ({ locationId, assetIds }: Omit<Trouble, 'severity'>): ReadonlySet<string> => {
    const places = new Set<string>();
    for (const first of [locationId, ...assetIds.map((id) => locationIdByAsset.get(id) ?? null)]) {
      for (let at = first; at !== null && !places.has(at); at = parents.get(at) ?? null) {
        places.add(at);
      }
    }
    return places;
  };
}

/**
 * The most severe active alarm at each Location, of its Devices, its Assets and its child Locations.
 * The events must be sorted by severity, most severe first.
 */
export function severityByLocation(
  locations: readonly Place[],
  assets: readonly Sited[],
  events: readonly Trouble[],
): ReadonlyMap<string, Severity> {
  const placesOf = createPlacesOf(locations, assets);
  const worst = new Map<string, Severity>();
  for (const event of events) {
    for (const place of placesOf(event)) if (!worst.has(place)) worst.set(place, event.severity);
  }
  return worst;
}

/** The events that the state of the Location comes from. */
export function eventsAt<Event extends Omit<Trouble, 'severity'>>(
  locationId: string,
  locations: readonly Place[],
  assets: readonly Sited[],
  events: readonly Event[],
): readonly Event[] {
  const placesOf = createPlacesOf(locations, assets);
  return events.filter((event) => placesOf(event).has(locationId));
}

/** The Location and all below it. */
export function withDescendants(
  locationId: string,
  locations: readonly Place[],
): readonly string[] {
  const found = new Set([locationId]);
  // A set visits what is added while it is visited.
  for (const parent of found) {
    for (const { id, parentId } of locations) if (parentId === parent) found.add(id);
  }
  return [...found];
}

export interface Branch {
  readonly location: Location;
  readonly depth: number;
}

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
