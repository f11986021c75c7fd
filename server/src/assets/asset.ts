import type { Asset, AssetType } from '@fieldwatch/contract';
import { isoDateTime } from '../runtime/index.ts';
import { type VariableRow, variableRecord } from '../variables/index.ts';

/** An Asset as it is stored; its Variables are bound to it elsewhere. */
export interface AssetRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly classificationType: AssetType;
  readonly classificationDetails: Readonly<Record<string, unknown>> | null;
  readonly locationId: string | null;
  readonly dashboardId: string | null;
  readonly parentId: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

export function assetRecord(row: AssetRow, variables: readonly VariableRow[]): Asset {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    classificationType: row.classificationType,
    classificationDetails: row.classificationDetails,
    locationId: row.locationId,
    dashboardId: row.dashboardId,
    parentId: row.parentId,
    variables: variables.map(variableRecord),
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}
