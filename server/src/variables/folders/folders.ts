import type { Operations, VariableFolder } from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../../http/index.ts';
import { isoDateTime, type NewId, notFound } from '../../runtime/index.ts';
import {
  requireNoLoop,
  requireReferences,
  type Storage,
  type Transaction,
} from '../../storage/index.ts';
import * as store from './store.ts';

export interface VariableFoldersDeps {
  readonly storage: Storage;
  readonly newId: NewId;
}

/** The folders that people sort Variables into. */
export interface VariableFolders {
  readonly list: Handler<Operations['listVariableFolders']>;
  readonly retrieve: Handler<Operations['retrieveVariableFolder']>;
  readonly create: Handler<Operations['createVariableFolder']>;
  readonly update: Handler<Operations['updateVariableFolder']>;
  readonly delete: Handler<Operations['deleteVariableFolder']>;
}

const TREE = { table: 'variable_folders', parentColumn: 'parent_id', path: 'parentId' } as const;

export function createVariableFolders(deps: VariableFoldersDeps): VariableFolders {
  return {
    async list({ params: { organizationId }, query }) {
      const search = query.search ?? '';
      const { count, rows } = await store.listFolders(deps.storage, organizationId, search, query);
      return { body: { count, items: rows.map(recordOf) } };
    },
    async retrieve({ params: { organizationId, folderId } }) {
      const row = await store.findFolder(deps.storage, organizationId, folderId);
      if (!row) throw notFound('Variable folder');
      return { body: recordOf(row), revision: row.revision };
    },
    create: create(deps),
    update,
    delete: remove,
  };
}

function recordOf(row: store.FolderRow): VariableFolder {
  return {
    id: row.id,
    name: row.name,
    parentId: row.parentId,
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}

function create({ newId }: VariableFoldersDeps): VariableFolders['create'] {
  return async ({ params: { organizationId }, body }, { tx, now }) => {
    const { name, parentId = null } = body;
    await requireParent(tx, organizationId, parentId);
    const folder = { id: newId(), name, parentId, now };
    const row = await store.insertFolder(tx, organizationId, folder);
    return {
      body: recordOf(row),
      revision: row.revision,
      location: `/primary/v1/${organizationId}/variable-folders/${row.id}`,
      changes: changed(organizationId, undefined, row),
    };
  };
}

const update: VariableFolders['update'] = async ({ params, body }, { tx, now, precondition }) => {
  const { organizationId, folderId } = params;
  const row = await lock(tx, organizationId, folderId);
  precondition.check(row.revision);
  const { name = row.name, parentId = row.parentId } = body;
  await requireParent(tx, organizationId, parentId);
  if (parentId !== null && parentId !== row.parentId) {
    await requireNoLoop(tx, organizationId, TREE, { id: folderId, parentId });
  }
  const saved = await store.updateFolder(tx, organizationId, folderId, { name, parentId, now });
  return {
    body: recordOf(saved),
    revision: saved.revision,
    changes: changed(organizationId, row, saved),
  };
};

const remove: VariableFolders['delete'] = async ({ params }, { tx, precondition }) => {
  const { organizationId, folderId } = params;
  const row = await lock(tx, organizationId, folderId);
  precondition.check(row.revision);
  await store.deleteFolder(tx, organizationId, folderId);
  return { body: undefined, changes: changed(organizationId, row) };
};

async function lock(tx: Transaction, organizationId: string, id: string) {
  const row = await store.lockFolder(tx, organizationId, id);
  if (!row) throw notFound('Variable folder');
  return row;
}

function requireParent(
  tx: Transaction,
  organizationId: string,
  parentId: string | null,
): Promise<void> {
  return requireReferences(tx, organizationId, [
    { path: TREE.path, table: TREE.table, id: parentId },
  ]);
}

function changed(
  organizationId: string,
  before?: store.FolderRow,
  after?: store.FolderRow,
): Change[] {
  const id = (after ?? before)?.id ?? '';
  const states = { id, before: before && recordOf(before), after: after && recordOf(after) };
  return [changeOf(organizationId, 'VariableFolder', states)];
}
