import type { Asset, Operations } from '@fieldwatch/contract';
import { type Change, changeOf, type Fields, type Handler, type Written } from '../http/index.ts';
import { invalid, type NewId, notFound } from '../runtime/index.ts';
import {
  type Queries,
  type Reference,
  requireNoLoop,
  requireReferences,
  type Storage,
  type Transaction,
} from '../storage/index.ts';
import { type AssetRow, assetRecord } from './asset.ts';
import { editedAssetFields, newAssetFields, referencesOf } from './edit.ts';
import * as store from './store.ts';

export interface AssetsDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  /** Called when Variables are bound to Assets or unbound. */
  readonly onBound: (organizationId: string) => void;
}

export interface Assets {
  readonly list: Handler<Operations['listAssets']>;
  readonly retrieve: Handler<Operations['retrieveAsset']>;
  readonly create: Handler<Operations['createAsset']>;
  readonly update: Handler<Operations['updateAsset']>;
  readonly delete: Handler<Operations['deleteAsset']>;
  readonly bindVariable: Handler<Operations['bindVariable']>;
  readonly bindVariables: Handler<Operations['bindVariables']>;
}

const TREE = { table: 'assets', parentColumn: 'parent_id', path: 'parentId' };

export function createAssets({ storage, newId, onBound }: AssetsDeps): Assets {
  const notifyAfterCommit = (
    tx: Transaction,
    { organizationId }: { readonly organizationId: string },
  ) => tx.afterCommit(() => onBound(organizationId));
  return {
    async list({ params: { organizationId }, query }) {
      const { search = '', types = [], locationIds = [] } = query;
      const filter = { search, types, locationIds };
      const { count, rows } = await store.listAssets(storage, organizationId, filter, query);
      return { body: { count, items: await recordsOf(storage, organizationId, rows) } };
    },
    async retrieve({ params: { organizationId, assetId } }) {
      const row = await store.findAsset(storage, organizationId, assetId);
      if (!row) throw notFound('Asset');
      return { body: await recordOf(storage, organizationId, row), revision: row.revision };
    },
    create: create(newId),
    update,
    delete: (input, context) => {
      notifyAfterCommit(context.tx, input.params);
      return remove(input, context);
    },
    bindVariable: ({ params, body: { action, variableId } }, { tx, now }) => {
      notifyAfterCommit(tx, params);
      const variables = [{ path: 'variableId', id: variableId }];
      return bind(tx, params, { action, variables }, now);
    },
    bindVariables: ({ params, body: { action, variableIds } }, { tx, now }) => {
      notifyAfterCommit(tx, params);
      const variables = variableIds.map((id, index) => ({ path: `variableIds[${index}]`, id }));
      return bind(tx, params, { action, variables }, now);
    },
  };
}

function create(newId: NewId): Assets['create'] {
  return async ({ params: { organizationId }, body }, { tx, now }) => {
    const fields = newAssetFields(body);
    await requireReferences(tx, organizationId, referencesOf(fields));
    const row = await store.insertAsset(tx, organizationId, { ...fields, id: newId(), now });
    const asset = assetRecord(row, []);
    return {
      body: asset,
      revision: row.revision,
      location: `/primary/v1/${organizationId}/assets/${row.id}`,
      changes: changed(organizationId, { after: asset }),
    };
  };
}

const update: Assets['update'] = async ({ params, body }, { tx, now, precondition }) => {
  const { organizationId, assetId } = params;
  const row = await lock(tx, organizationId, assetId);
  precondition.check(row.revision);
  const edited = editedAssetFields(row, body);
  if ('errors' in edited) throw invalid(...edited.errors);
  await requireReferences(tx, organizationId, referencesOf(edited.fields, row));
  const { parentId } = edited.fields;
  if (parentId !== null && parentId !== row.parentId) {
    await requireNoLoop(tx, organizationId, TREE, { id: assetId, parentId });
  }
  const before = await recordOf(tx, organizationId, row);
  const saved = await store.updateAsset(tx, organizationId, assetId, edited.fields, now);
  const after = { ...assetRecord(saved, []), variables: before.variables };
  return {
    body: after,
    revision: saved.revision,
    changes: changed(organizationId, { before, after }),
  };
};

const remove: Assets['delete'] = async ({ params }, { tx, precondition }) => {
  const { organizationId, assetId } = params;
  const row = await lock(tx, organizationId, assetId);
  precondition.check(row.revision);
  const before = await recordOf(tx, organizationId, row);
  await store.deleteAsset(tx, organizationId, assetId);
  return { body: undefined, changes: changed(organizationId, { before }) };
};

interface Binding {
  readonly action: 'CONNECT' | 'DISCONNECT';
  /** The Variables, each with the field that names it. */
  readonly variables: readonly { readonly path: string; readonly id: string }[];
}

/** Binding what is bound, and unbinding what is not, changes nothing. */
async function bind(
  tx: Transaction,
  { organizationId, assetId }: { readonly organizationId: string; readonly assetId: string },
  { action, variables }: Binding,
  now: number,
): Promise<Written<Operations['bindVariable']>> {
  const row = await lock(tx, organizationId, assetId);
  const references = variables.map((each): Reference => ({ ...each, table: 'variables' }));
  await requireReferences(tx, organizationId, references);
  const before = await recordOf(tx, organizationId, row);
  const ids = variables.map(({ id }) => id);
  const move = action === 'CONNECT' ? store.connectVariables : store.disconnectVariables;
  if ((await move(tx, organizationId, assetId, ids)) === 0) {
    return { body: before, revision: row.revision, changes: [] };
  }
  const saved = await store.touchAsset(tx, organizationId, assetId, now);
  const after = await recordOf(tx, organizationId, saved);
  return {
    body: after,
    revision: saved.revision,
    changes: changed(organizationId, { before, after }),
  };
}

async function lock(tx: Transaction, organizationId: string, id: string): Promise<AssetRow> {
  const row = await store.lockAsset(tx, organizationId, id);
  if (!row) throw notFound('Asset');
  return row;
}

async function recordsOf(
  db: Queries,
  organizationId: string,
  rows: readonly AssetRow[],
): Promise<Asset[]> {
  const ids = rows.map(({ id }) => id);
  const bound = await store.listBoundVariables(db, organizationId, ids);
  return rows.map((row) => assetRecord(row, bound.get(row.id) ?? []));
}

async function recordOf(db: Queries, organizationId: string, row: AssetRow): Promise<Asset> {
  const bound = await store.listBoundVariables(db, organizationId, [row.id]);
  return assetRecord(row, bound.get(row.id) ?? []);
}

/** Variables have audit entries of their own; those of an Asset record which ones are bound. */
function auditFields({ variables, ...fields }: Asset): Fields {
  return { ...fields, variableIds: variables.map(({ id }) => id) };
}

function changed(
  organizationId: string,
  { before, after }: { readonly before?: Asset; readonly after?: Asset },
): Change[] {
  const id = (after ?? before)?.id ?? '';
  const states = { id, before: before && auditFields(before), after: after && auditFields(after) };
  return [changeOf(organizationId, 'Asset', states)];
}
