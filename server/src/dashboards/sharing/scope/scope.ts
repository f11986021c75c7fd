import {
  type DashboardConfiguration,
  equipmentOf,
  isEquipmentWidget,
  referencesOf,
  resolvedWidgets,
} from '@fieldwatch/contract';
import type { Queries } from '../../../storage/index.ts';
import type { SharedBoardRow } from '../share-link.ts';
import * as store from './store.ts';

/**
 * The records that a share link may show: exactly those that the published configuration names, and
 * the Variables of the Assets that it names. Every shared read is limited to them. A list of alarms,
 * a table or a map that names no Assets, and so shows all to users, shows only these.
 */
export interface Scope {
  readonly organizationId: string;
  /** With the ids of the chosen site or Asset in place of classifications. */
  readonly configuration: DashboardConfiguration;
  readonly variables: readonly store.ScopeVariable[];
  readonly assets: readonly store.ScopeAsset[];
}

const MAX_ASSETS = 500;
const MAX_VARIABLES = 2_000;

export async function loadScope(db: Queries, board: SharedBoardRow): Promise<Scope> {
  const { organizationId, configuration } = board;
  const chosen = configuration.template ? await chosenAssets(db, board) : [];
  const widgets = resolvedWidgets(configuration, chosen);
  const references = referencesOf(widgets);
  const named =
    references.assetIds.length === 0
      ? []
      : await store.findAssets(db, organizationId, references.assetIds, MAX_ASSETS);
  const found = await equipmentAt(db, organizationId, widgets, references.locationIds);
  const assets = [...new Map([...named, ...found].map((asset) => [asset.id, asset])).values()];
  const ids = new Set([
    ...references.variableIds,
    ...assets.flatMap((asset) => asset.variables.map(({ id }) => id)),
  ]);
  const variables = await store.findVariables(db, organizationId, [...ids].slice(0, MAX_VARIABLES));
  return {
    organizationId,
    configuration: { ...configuration, widgets },
    variables,
    assets,
  };
}

/** The Assets of the site or the Asset that the link of a template was created for. */
function chosenAssets(db: Queries, board: SharedBoardRow): Promise<readonly store.ScopeAsset[]> {
  const { organizationId, locationId, assetId } = board;
  if (assetId !== null) return store.findAssets(db, organizationId, [assetId], 1);
  if (locationId === null) return Promise.resolve([]);
  return store.listAssetsAt(db, organizationId, [locationId], MAX_ASSETS);
}

/** The equipment of state widgets that name a site. */
async function equipmentAt(
  db: Queries,
  organizationId: string,
  widgets: DashboardConfiguration['widgets'],
  locationIds: readonly string[],
): Promise<store.ScopeAsset[]> {
  if (locationIds.length === 0) return [];
  const there = await store.listAssetsAt(db, organizationId, locationIds, MAX_ASSETS);
  return widgets.flatMap(({ type, assetId, locationId }) => {
    if (!isEquipmentWidget(type) || assetId !== undefined || typeof locationId !== 'string') {
      return [];
    }
    const site = locationId.toLowerCase();
    return (
      equipmentOf(
        type,
        there.filter((asset) => asset.locationId === site),
      ) ?? []
    );
  });
}
