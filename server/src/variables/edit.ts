import type { Body, Operations } from '@fieldwatch/contract';
import type { VariableRow } from './variable.ts';

type CreateBody = Body<Operations['createVariable']>;
type UpdateBody = Body<Operations['updateVariable']>;

/** What an edit may set. The path and the type of a Variable are fixed at its creation. */
export type VariableFields = Pick<
  VariableRow,
  'name' | 'description' | 'unit' | 'isLoggingEnabled' | 'classificationType' | 'folderId'
>;

export function newVariableFields(body: CreateBody): VariableFields {
  return {
    name: body.name,
    description: body.description ?? null,
    unit: body.unit ?? null,
    isLoggingEnabled: body.isLoggingEnabled,
    classificationType: body.classificationType ?? null,
    folderId: body.folderId ?? null,
  };
}

/** The stored fields with the given ones over them: what is left out stays, null clears. */
export function editedVariableFields(row: VariableFields, body: UpdateBody): VariableFields {
  const { name, description, unit, isLoggingEnabled, classificationType, folderId } = body;
  return {
    name: name ?? row.name,
    description: description === undefined ? row.description : description,
    unit: unit === undefined ? row.unit : unit,
    isLoggingEnabled: isLoggingEnabled ?? row.isLoggingEnabled,
    classificationType:
      classificationType === undefined ? row.classificationType : classificationType,
    folderId: folderId === undefined ? row.folderId : folderId,
  };
}
