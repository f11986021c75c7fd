import type { Operations } from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../http/index.ts';
import { Failure, type NewId, notFound } from '../runtime/index.ts';
import { requireReferences, type Storage, type Transaction } from '../storage/index.ts';
import { listClassifications } from './classifications/index.ts';
import { editedVariableFields, newVariableFields, type VariableFields } from './edit.ts';
import { createVariableFolders, type VariableFolders } from './folders/index.ts';
import * as store from './store.ts';
import { foundVariableRecord, type VariableRow, variableRecord } from './variable.ts';

export interface VariablesDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  /** Called after the commit of each change of a Variable of this Device. */
  readonly onChanged: (deviceId: string) => void;
  /** Called after the commit that deleted Variables, with the series of their history. */
  readonly onVariablesDeleted: (seriesIds: readonly number[]) => void;
}

export interface Variables {
  readonly list: Handler<Operations['listVariables']>;
  readonly search: Handler<Operations['searchVariables']>;
  readonly listOfDevice: Handler<Operations['listDeviceVariables']>;
  readonly retrieve: Handler<Operations['retrieveVariable']>;
  readonly create: Handler<Operations['createVariable']>;
  readonly update: Handler<Operations['updateVariable']>;
  readonly delete: Handler<Operations['deleteVariable']>;
  readonly folders: VariableFolders;
  readonly listClassifications: Handler<Operations['listClassifications']>;
}

export function createVariables(deps: VariablesDeps): Variables {
  return {
    list: list(deps),
    search: search(deps),
    listOfDevice: listOfDevice(deps),
    async retrieve({ params: { organizationId, variableId } }) {
      const row = await store.findVariable(deps.storage, organizationId, variableId);
      if (!row) throw notFound('Variable');
      return { body: variableRecord(row), revision: row.revision };
    },
    create: create(deps),
    update: update(deps),
    delete: remove(deps),
    folders: createVariableFolders(deps),
    listClassifications,
  };
}

function list({ storage }: VariablesDeps): Variables['list'] {
  return async ({ params: { organizationId }, query }) => {
    const { search = '', deviceIds = [], assetIds = [], folderIds = [] } = query;
    const filter = { search, deviceIds, assetIds, folderIds };
    const { count, rows } = await store.listVariables(storage, organizationId, filter, query);
    return { body: { count, items: rows.map(variableRecord) } };
  };
}

function search({ storage }: VariablesDeps): Variables['search'] {
  return async ({ params: { organizationId }, body }) => {
    const { search: text = '', ids = [], deviceIds = [], folderIds = [] } = body;
    const isDescending = body.sortDirection === 'DESCENDING';
    const filter = { search: text, ids, deviceIds, folderIds, sortBy: body.sortBy, isDescending };
    const { count, rows } = await store.searchVariables(storage, organizationId, filter, body);
    return { body: { count, items: rows.map(foundVariableRecord) } };
  };
}

function listOfDevice({ storage }: VariablesDeps): Variables['listOfDevice'] {
  return async ({ params: { organizationId, deviceId }, query }) => {
    if (!(await store.hasDevice(storage, organizationId, deviceId))) throw notFound('Device');
    const filter = { deviceId, search: query.search ?? '' };
    const { count, rows } = await store.listDeviceVariables(storage, organizationId, filter, query);
    return { body: { count, items: rows.map(variableRecord) } };
  };
}

function create({ newId, onChanged }: VariablesDeps): Variables['create'] {
  return async ({ params: { organizationId, deviceId }, body }, { tx, now }) => {
    if (!(await store.holdDevice(tx, organizationId, deviceId))) throw notFound('Device');
    const fields = newVariableFields(body);
    await requireFolder(tx, organizationId, fields);
    const { topicPropertyPath, type } = body;
    const row = await store.insertVariable(tx, organizationId, {
      ...fields,
      id: newId(),
      deviceId,
      topicPropertyPath,
      type,
      now,
    });
    if (!row) {
      throw new Failure('CONFLICT', 'Another Variable of this Device has this topicPropertyPath.');
    }
    tx.afterCommit(() => onChanged(deviceId));
    return {
      body: variableRecord(row),
      revision: row.revision,
      location: `/primary/v1/${organizationId}/devices/variables/${row.id}`,
      changes: changed(organizationId, undefined, row),
    };
  };
}

function update({ onChanged }: VariablesDeps): Variables['update'] {
  return async ({ params, body }, { tx, now, precondition }) => {
    const { organizationId, variableId } = params;
    const row = await store.lockVariable(tx, organizationId, variableId);
    if (!row) throw notFound('Variable');
    precondition.check(row.revision);
    requireOwn(row);
    const fields = editedVariableFields(row, body);
    await requireFolder(tx, organizationId, fields);
    const saved = await store.updateVariable(tx, organizationId, variableId, fields, now);
    tx.afterCommit(() => onChanged(row.deviceId));
    return {
      body: variableRecord(saved),
      revision: saved.revision,
      changes: changed(organizationId, row, saved),
    };
  };
}

function remove({ onChanged, onVariablesDeleted }: VariablesDeps): Variables['delete'] {
  return async ({ params }, { tx, precondition }) => {
    const { organizationId, deviceId, variableId } = params;
    const row = await store.lockVariable(tx, organizationId, variableId);
    if (row?.deviceId !== deviceId) throw notFound('Variable');
    precondition.check(row.revision);
    requireOwn(row);
    const seriesIds = await store.deleteVariable(tx, organizationId, variableId);
    tx.afterCommit(() => {
      onChanged(deviceId);
      onVariablesDeleted(seriesIds);
    });
    return { body: undefined, changes: changed(organizationId, row) };
  };
}

function requireOwn({ isBuiltIn }: VariableRow): void {
  if (isBuiltIn) throw new Failure('CONFLICT', 'The Variable is built in and cannot be changed.');
}

function requireFolder(
  tx: Transaction,
  organizationId: string,
  { folderId }: VariableFields,
): Promise<void> {
  return requireReferences(tx, organizationId, [
    { path: 'folderId', table: 'variable_folders', id: folderId },
  ]);
}

function changed(organizationId: string, before?: VariableRow, after?: VariableRow): Change[] {
  const id = (after ?? before)?.id ?? '';
  const states = {
    id,
    before: before && variableRecord(before),
    after: after && variableRecord(after),
  };
  return [changeOf(organizationId, 'Variable', states)];
}
