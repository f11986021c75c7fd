import type { AlarmOperator, AssetType, Severity, VariableType } from '@fieldwatch/contract';
import { type Queries, run, type Sql, sql } from '../../../storage/index.ts';

export interface ScopeVariable {
  readonly id: string;
  readonly name: string;
  readonly type: VariableType;
  readonly unit: string | null;
  readonly classificationType: string | null;
  readonly deviceId: string;
  readonly deviceName: string;
}

export interface ScopeAsset {
  readonly id: string;
  readonly name: string;
  readonly classificationType: AssetType;
  readonly locationId: string | null;
  readonly variables: readonly {
    readonly id: string;
    readonly classificationType: string | null;
  }[];
}

type AssetRow = Omit<ScopeAsset, 'variables'>;

/** The Assets that a condition selects, by name, each with its Variables by name. */
async function listAssets(
  db: Queries,
  organizationId: string,
  where: Sql,
  limit: number,
): Promise<ScopeAsset[]> {
  const assets = await run<AssetRow>(
    db,
    sql`select id, name, classification_type as "classificationType", location_id as "locationId"
        from assets where organization_id = ${organizationId} and ${where}
        order by name_folded collate "C", id limit ${limit}`,
  );
  if (assets.length === 0) return [];
  const bound = await run<{ assetId: string; id: string; classificationType: string | null }>(
    db,
    sql`select asset_variables.asset_id as "assetId", variables.id,
          variables.classification_type as "classificationType"
        from asset_variables join variables
          on variables.organization_id = asset_variables.organization_id
          and variables.id = asset_variables.variable_id
        where asset_variables.organization_id = ${organizationId}
          and asset_variables.asset_id = any(${assets.map(({ id }) => id)}::uuid[])
        order by variables.name_folded collate "C", variables.id`,
  );
  const byAsset = new Map(assets.map(({ id }) => [id, [] as ScopeAsset['variables'][number][]]));
  for (const { assetId, ...variable } of bound) byAsset.get(assetId)?.push(variable);
  return assets.map((asset) => ({ ...asset, variables: byAsset.get(asset.id) ?? [] }));
}

export function listAssetsAt(
  db: Queries,
  organizationId: string,
  locationIds: readonly string[],
  limit: number,
): Promise<ScopeAsset[]> {
  return listAssets(db, organizationId, sql`location_id = any(${locationIds}::uuid[])`, limit);
}

export function findAssets(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
  limit: number,
): Promise<ScopeAsset[]> {
  return listAssets(db, organizationId, sql`id = any(${ids}::uuid[])`, limit);
}

export function findVariables(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<ScopeVariable[]> {
  return run(
    db,
    sql`select variables.id, variables.name, variables.type, variables.unit,
          variables.classification_type as "classificationType",
          variables.device_id as "deviceId", devices.name as "deviceName"
        from variables join devices on devices.organization_id = variables.organization_id
          and devices.id = variables.device_id
        where variables.organization_id = ${organizationId}
          and variables.id = any(${ids}::uuid[])
        order by variables.id`,
  );
}

export interface ScopeLocation {
  readonly id: string;
  readonly name: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

export function findLocations(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<ScopeLocation[]> {
  return run(
    db,
    sql`select id, name, latitude, longitude from locations
        where organization_id = ${organizationId} and id = any(${ids}::uuid[]) order by id`,
  );
}

export interface ThresholdRow {
  readonly variableId: string;
  readonly alarmName: string;
  readonly operator: AlarmOperator;
  readonly thresholdNumber: number | null;
  readonly thresholdString: string | null;
  readonly thresholdBoolean: boolean | null;
  readonly severity: Severity;
}

/** The thresholds of enabled Alarms. */
export function listThresholds(
  db: Queries,
  organizationId: string,
  variableIds: readonly string[],
  limit: number,
): Promise<ThresholdRow[]> {
  return run(
    db,
    sql`select variable_id as "variableId", name as "alarmName", operator,
          threshold_number as "thresholdNumber", threshold_string as "thresholdString",
          threshold_boolean as "thresholdBoolean", severity
        from alarms
        where organization_id = ${organizationId} and variable_id = any(${variableIds}::uuid[])
          and is_active and archived_at is null
        order by id limit ${limit}`,
  );
}

export interface ActiveAlarmRow {
  readonly id: string;
  readonly alarmName: string;
  readonly severity: Severity;
  readonly variableId: string;
  readonly assetIds: readonly string[];
  readonly raisedAt: number;
  readonly raisedValue: number | boolean | string;
  readonly isAcknowledged: boolean;
}

/** Active events of Alarms on these Variables, found by the Alarms, of which each has at most one. */
export function listActiveAlarms(
  db: Queries,
  organizationId: string,
  variableIds: readonly string[],
  limit: number,
): Promise<ActiveAlarmRow[]> {
  return run(
    db,
    sql`select event.id, event.alarm_name as "alarmName", event.severity,
          event.variable_id as "variableId", event.asset_ids as "assetIds",
          event.raised_at as "raisedAt", event.raised_value as "raisedValue",
          event.acknowledged_at is not null as "isAcknowledged"
        from alarms join alarm_events event on event.organization_id = alarms.organization_id
          and event.alarm_id = alarms.id and event.cleared_at is null
        where alarms.organization_id = ${organizationId}
          and alarms.variable_id = any(${variableIds}::uuid[])
          and event.variable_id = alarms.variable_id
        order by event.raised_at desc, event.id limit ${limit}`,
  );
}
