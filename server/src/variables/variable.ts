import type { FoundVariable, Variable, VariableType } from '@fieldwatch/contract';
import { isoDateTime } from '../runtime/index.ts';

/** A Variable as it is stored. */
export interface VariableRow {
  readonly id: string;
  readonly deviceId: string;
  readonly topicPropertyPath: string;
  readonly type: VariableType;
  readonly name: string;
  readonly description: string | null;
  readonly unit: string | null;
  readonly isLoggingEnabled: boolean;
  readonly classificationType: string | null;
  readonly folderId: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
  /** Ours rather than a person's: it cannot be changed, and goes with its Device alone. */
  readonly isBuiltIn: boolean;
}

export function variableRecord(row: VariableRow): Variable {
  return {
    id: row.id,
    name: row.name,
    topicPropertyPath: row.topicPropertyPath,
    type: row.type,
    unit: row.unit,
    isLoggingEnabled: row.isLoggingEnabled,
    deviceId: row.deviceId,
    description: row.description,
    classificationType: row.classificationType,
    folderId: row.folderId,
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}

/** A Variable that a search found, with the names that tell it apart from its namesakes. */
export interface FoundVariableRow extends VariableRow {
  readonly deviceName: string;
  readonly locationId: string | null;
  readonly locationName: string | null;
}

export function foundVariableRecord(row: FoundVariableRow): FoundVariable {
  const { deviceName, locationId, locationName } = row;
  return { ...variableRecord(row), deviceName, locationId, locationName };
}
