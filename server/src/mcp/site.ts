import { IDS_PER_CALL } from './named-variables.ts';
import { type Source, ToolError } from './tool.ts';

/** A filter of alarm events. */
export interface EventFilter {
  readonly locationIds?: string[];
  readonly assetIds?: string[];
  readonly deviceVariableIds?: string[];
  readonly search?: string;
}

/**
 * The filters whose events together are those of a site: of Locations, Assets and Variables, the last
 * also by the names of their Devices, and of Alarms with this name. The interface combines filters by
 * AND, so each is a question of its own.
 */
export async function filtersOf(
  { client, organizationId }: Source,
  site: string | undefined,
): Promise<readonly EventFilter[]> {
  if (site === undefined) return [{}];
  const query = { search: site, take: IDS_PER_CALL };
  const [locations, assets, variables, alarms] = await Promise.all([
    client.listLocations({ organizationId, query }),
    client.listAssets({ organizationId, query }),
    client.searchVariables({ organizationId, body: query }),
    client.searchAlarms({ organizationId, body: { search: site, archivedScope: 'all', take: 1 } }),
  ]);
  const ids = ({ items }: { readonly items: readonly { readonly id: string }[] }) =>
    items.map((item) => item.id);
  const filters: EventFilter[] = [];
  if (locations.count > 0) filters.push({ locationIds: ids(locations) });
  if (assets.count > 0) filters.push({ assetIds: ids(assets) });
  if (variables.count > 0) filters.push({ deviceVariableIds: ids(variables) });
  if (alarms.count > 0) filters.push({ search: site });
  if (filters.length > 0) return filters;
  throw new ToolError(
    `No Location, Asset, Device, Variable or Alarm has a name with “${site}”. Use find with another part of the name.`,
  );
}
