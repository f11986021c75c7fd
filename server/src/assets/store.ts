import type { AssetType } from '@fieldwatch/contract';
import { fold, isoDateTime } from '../runtime/index.ts';
import {
  all,
  among,
  type Page,
  type PageRequest,
  type Queries,
  rowsOf,
  run,
  saved,
  sql,
  type Transaction,
} from '../storage/index.ts';
import { VARIABLE_COLUMNS, type VariableRow } from '../variables/index.ts';
import type { AssetRow } from './asset.ts';

const COLUMNS = sql`id, name, description, classification_type as "classificationType",
  classification_details as "classificationDetails", location_id as "locationId",
  dashboard_id as "dashboardId", parent_id as "parentId", created_at as "createdAt",
  updated_at as "updatedAt", revision`;

/** What an edit may set. */
export type AssetFields = Omit<AssetRow, 'id' | 'createdAt' | 'updatedAt' | 'revision'>;

/** An empty list filters nothing. */
export interface AssetFilter {
  readonly search: string;
  readonly types: readonly AssetType[];
  readonly locationIds: readonly string[];
}

const rows = rowsOf<AssetRow>('assets', COLUMNS);

export const { find: findAsset, lock: lockAsset, remove: deleteAsset } = rows;

export function listAssets(
  db: Queries,
  organizationId: string,
  { search, types, locationIds }: AssetFilter,
  request: PageRequest,
): Promise<Page<AssetRow>> {
  const where = all([
    types.length === 0 ? undefined : sql`classification_type = any(${types})`,
    among(sql`location_id`, locationIds),
  ]);
  return rows.list(db, organizationId, { search, where }, request);
}

/** The Variables bound to each of the Assets, by name, in one statement. */
export async function listBoundVariables(
  db: Queries,
  organizationId: string,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, readonly VariableRow[]>> {
  const bound = new Map<string, VariableRow[]>(assetIds.map((id) => [id, []]));
  if (bound.size === 0) return bound;
  const rows = await run<VariableRow & { readonly assetId: string }>(
    db,
    sql`select asset_variables.asset_id as "assetId", ${VARIABLE_COLUMNS}
        from asset_variables join variables
          on variables.organization_id = asset_variables.organization_id
          and variables.id = asset_variables.variable_id
        where asset_variables.organization_id = ${organizationId}
          and asset_variables.asset_id = any(${assetIds}::uuid[])
        order by variables.name_folded collate "C", variables.id`,
  );
  for (const row of rows) bound.get(row.assetId)?.push(row);
  return bound;
}

function jsonOrNull(details: AssetFields['classificationDetails']): string | null {
  return details === null ? null : JSON.stringify(details);
}

export function insertAsset(
  tx: Transaction,
  organizationId: string,
  asset: AssetFields & { readonly id: string; readonly now: number },
): Promise<AssetRow> {
  const at = isoDateTime(asset.now);
  return saved(
    run(
      tx,
      sql`insert into assets (organization_id, id, name, name_folded, description,
            classification_type, classification_details, location_id, dashboard_id, parent_id,
            created_at, updated_at)
          values (${organizationId}, ${asset.id}, ${asset.name}, ${fold(asset.name)},
            ${asset.description}, ${asset.classificationType},
            ${jsonOrNull(asset.classificationDetails)}, ${asset.locationId}, ${asset.dashboardId},
            ${asset.parentId}, ${at}, ${at})
          returning ${COLUMNS}`,
    ),
  );
}

export function updateAsset(
  tx: Transaction,
  organizationId: string,
  id: string,
  fields: AssetFields,
  now: number,
): Promise<AssetRow> {
  return saved(
    run(
      tx,
      sql`update assets set name = ${fields.name}, name_folded = ${fold(fields.name)},
            description = ${fields.description}, classification_type = ${fields.classificationType},
            classification_details = ${jsonOrNull(fields.classificationDetails)},
            location_id = ${fields.locationId}, dashboard_id = ${fields.dashboardId},
            parent_id = ${fields.parentId}, updated_at = ${isoDateTime(now)},
            revision = revision + 1
          where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}

/** Raises the revision for a change outside of the row itself. */
export function touchAsset(
  tx: Transaction,
  organizationId: string,
  id: string,
  now: number,
): Promise<AssetRow> {
  return saved(
    run(
      tx,
      sql`update assets set updated_at = ${isoDateTime(now)}, revision = revision + 1
          where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}

/** Binds the Variables; answers how many were not bound before. */
export async function connectVariables(
  tx: Transaction,
  organizationId: string,
  assetId: string,
  variableIds: readonly string[],
): Promise<number> {
  const bound = await run(
    tx,
    sql`insert into asset_variables (organization_id, asset_id, variable_id)
        select ${organizationId}::uuid, ${assetId}::uuid, id from unnest(${variableIds}::uuid[]) id
        on conflict do nothing returning 1`,
  );
  return bound.length;
}

/** Unbinds the Variables; answers how many were bound. */
export async function disconnectVariables(
  tx: Transaction,
  organizationId: string,
  assetId: string,
  variableIds: readonly string[],
): Promise<number> {
  const unbound = await run(
    tx,
    sql`delete from asset_variables
        where organization_id = ${organizationId} and asset_id = ${assetId}
          and variable_id = any(${variableIds}::uuid[])
        returning 1`,
  );
  return unbound.length;
}
