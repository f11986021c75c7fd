import type { Location } from '../service/index.ts';

/** A Location without a parent, with everything below it. */
export interface Site {
  readonly id: string;
  readonly name: string;
}

type SiteLocation = Pick<Location, 'id' | 'name' | 'parentId'>;

/** The site of each Location by its id. A Location whose parent is not known is a site itself. */
export function sitesOf(locations: readonly SiteLocation[]): ReadonlyMap<string, Site> {
  const byId = new Map(locations.map((location) => [location.id, location]));
  const siteOf = (location: SiteLocation): Site => {
    let top = location;
    // Each step leads to another Location, so that even a cycle ends.
    for (let steps = 0; steps < locations.length; steps += 1) {
      const parent = top.parentId === null ? undefined : byId.get(top.parentId);
      if (!parent) break;
      top = parent;
    }
    return { id: top.id, name: top.name };
  };
  return new Map(locations.map((location) => [location.id, siteOf(location)]));
}
