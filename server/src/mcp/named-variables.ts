import type { FoundVariable } from '@fieldwatch/contract';
import type { Source } from './tool.ts';

/** The interface takes this many ids in one call. */
export const IDS_PER_CALL = 200;

/** Variables with the names of their Devices and Locations, by id. Unknown ids are left out. */
export async function variablesById(
  { client, organizationId }: Source,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FoundVariable>> {
  const wanted = [...new Set(ids)];
  const found = new Map<string, FoundVariable>();
  for (let from = 0; from < wanted.length; from += IDS_PER_CALL) {
    const body = { ids: wanted.slice(from, from + IDS_PER_CALL), take: IDS_PER_CALL };
    const { items } = await client.searchVariables({ organizationId, body });
    for (const item of items) found.set(item.id, item);
  }
  return found;
}

/** How an answer names a Variable. */
export function shownVariable({ id, name, deviceName, locationName, unit, type }: FoundVariable) {
  return { variableId: id, variable: name, device: deviceName, location: locationName, type, unit };
}
