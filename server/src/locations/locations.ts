import type { Operations } from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../http/index.ts';
import { invalid, type NewId, notFound } from '../runtime/index.ts';
import {
  requireNoLoop,
  requireReferences,
  type Storage,
  type Transaction,
} from '../storage/index.ts';
import { editedLocationFields, newLocationFields } from './edit.ts';
import { type LocationRow, locationRecord } from './location.ts';
import * as store from './store.ts';

export interface LocationsDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  /** Called after the commit that deleted a Location. */
  readonly onDeleted: (organizationId: string, locationId: string) => void;
}

export interface Locations {
  readonly list: Handler<Operations['listLocations']>;
  readonly retrieve: Handler<Operations['retrieveLocation']>;
  readonly create: Handler<Operations['createLocation']>;
  readonly update: Handler<Operations['updateLocation']>;
  readonly delete: Handler<Operations['deleteLocation']>;
}

const TREE = { table: 'locations', parentColumn: 'parent_id', path: 'parentId' };

export function createLocations({ storage, newId, onDeleted }: LocationsDeps): Locations {
  return {
    async list({ params: { organizationId }, query }) {
      const filter = { search: query.search ?? '', parentId: query.parentId ?? null };
      const { count, rows } = await store.listLocations(storage, organizationId, filter, query);
      return { body: { count, items: rows.map(locationRecord) } };
    },
    async retrieve({ params: { organizationId, locationId } }) {
      const row = await store.findLocation(storage, organizationId, locationId);
      if (!row) throw notFound('Location');
      return { body: locationRecord(row), revision: row.revision };
    },
    create: create(newId),
    update,
    delete: remove(onDeleted),
  };
}

function create(newId: NewId): Locations['create'] {
  return async ({ params: { organizationId }, body }, { tx, now }) => {
    const fields = newLocationFields(body);
    await requireParent(tx, organizationId, fields);
    const row = await store.insertLocation(tx, organizationId, { ...fields, id: newId(), now });
    return {
      body: locationRecord(row),
      revision: row.revision,
      location: `/primary/v1/${organizationId}/locations/${row.id}`,
      changes: changed(organizationId, undefined, row),
    };
  };
}

const update: Locations['update'] = async ({ params, body }, { tx, now, precondition }) => {
  const { organizationId, locationId } = params;
  const row = await lock(tx, organizationId, locationId);
  precondition.check(row.revision);
  const edited = editedLocationFields(row, body);
  if ('error' in edited) throw invalid(edited.error);
  await requireParent(tx, organizationId, edited.fields);
  const { parentId } = edited.fields;
  if (parentId !== null && parentId !== row.parentId) {
    await requireNoLoop(tx, organizationId, TREE, { id: locationId, parentId });
  }
  const saved = await store.updateLocation(tx, organizationId, locationId, edited.fields, now);
  return {
    body: locationRecord(saved),
    revision: saved.revision,
    changes: changed(organizationId, row, saved),
  };
};

function remove(onDeleted: LocationsDeps['onDeleted']): Locations['delete'] {
  return async ({ params }, { tx, precondition }) => {
    const { organizationId, locationId } = params;
    const row = await lock(tx, organizationId, locationId);
    precondition.check(row.revision);
    await store.deleteLocation(tx, organizationId, locationId);
    tx.afterCommit(() => onDeleted(organizationId, locationId));
    return { body: undefined, changes: changed(organizationId, row) };
  };
}

async function lock(tx: Transaction, organizationId: string, id: string): Promise<LocationRow> {
  const row = await store.lockLocation(tx, organizationId, id);
  if (!row) throw notFound('Location');
  return row;
}

function requireParent(
  tx: Transaction,
  organizationId: string,
  { parentId }: store.LocationFields,
): Promise<void> {
  return requireReferences(tx, organizationId, [
    { path: 'parentId', table: 'locations', id: parentId },
  ]);
}

function changed(organizationId: string, before?: LocationRow, after?: LocationRow): Change[] {
  const id = (after ?? before)?.id ?? '';
  const states = {
    id,
    before: before && locationRecord(before),
    after: after && locationRecord(after),
  };
  return [changeOf(organizationId, 'Location', states)];
}
