import type { Fleet } from '../model/index.ts';
import { MARK, ownByName, type Target } from './own.ts';

/** The ids of the fleet's Locations by the name of the site. Creates those that are missing. */
export async function provideLocations(
  { client, organizationId }: Target,
  fleet: Fleet,
): Promise<Map<string, string>> {
  const names = new Set(fleet.sites.map(({ name }) => name));
  const found = await ownByName('Location', names, (query) =>
    client.listLocations({ organizationId, query }),
  );
  const ids = new Map<string, string>();
  for (const { name, address, latitude, longitude, timeZone } of fleet.sites) {
    const known = found.get(name);
    const body = { name, description: MARK, address, latitude, longitude, timeZone };
    ids.set(name, (known ?? (await client.createLocation({ organizationId, body }))).id);
  }
  return ids;
}
