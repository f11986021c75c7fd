import type { AssetSpec, Fleet } from '../model/index.ts';
import { type Members, variableId } from './devices.ts';
import { MARK, ownByName, type Target } from './own.ts';

/** Creates the Assets that are missing, and binds the Variables that are not bound. */
export async function provideAssets(
  { client, organizationId }: Target,
  fleet: Fleet,
  members: Members,
  locations: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const names = new Set(fleet.assets.map(({ name }) => name));
  const found = await ownByName('Asset', names, (query) =>
    client.listAssets({ organizationId, query }),
  );
  const ids = new Map<string, string>();
  for (const spec of fleet.assets) {
    const asset =
      found.get(spec.name) ??
      (await client.createAsset({
        organizationId,
        body: {
          name: spec.name,
          description: MARK,
          classificationType: spec.classificationType,
          classificationDetails: detailsOf(spec, members),
          locationId: locations.get(spec.site) ?? null,
          parentId: spec.parent === null ? null : (ids.get(spec.parent) ?? null),
        },
      }));
    ids.set(spec.name, asset.id);
    const bound = new Set(asset.variables.map(({ id }) => id));
    const missing = spec.variables
      .map((key) => variableId(members, key))
      .filter((id) => !bound.has(id));
    if (missing.length === 0) continue;
    const body = { variableIds: missing, action: 'CONNECT' } as const;
    await client.bindVariables({ organizationId, assetId: asset.id, body });
  }
  return ids;
}

function detailsOf({ details, runningHours }: AssetSpec, members: Members) {
  if (details === null) return null;
  if (runningHours === null) return details;
  return { ...details, runningHoursVariableIds: [variableId(members, runningHours)] };
}
