import type { Operations } from '@fieldwatch/contract';
import type { Handler } from '../http/index.ts';
import { type NewId, notFound } from '../runtime/index.ts';
import type { Storage, Transaction } from '../storage/index.ts';
import { dashboardChanges, dashboardRecord, listedRecord, viewOf } from './dashboard.ts';
import { copiedFields, type DashboardFields, editedFields } from './edit.ts';
import { createHistory, type History } from './history.ts';
import { lock, requireActive } from './locking.ts';
import {
  createSharedBoard,
  createShareLinks,
  type SharedBoard,
  type SharedBoardDeps,
  type ShareLinks,
} from './sharing/index.ts';
import * as store from './store.ts';

export interface DashboardsDeps extends Pick<SharedBoardDeps, 'readings'> {
  readonly storage: Storage;
  readonly newId: NewId;
}

export interface Dashboards {
  readonly list: Handler<Operations['listDashboards']>;
  readonly retrieve: Handler<Operations['retrieveDashboard']>;
  readonly create: Handler<Operations['createDashboard']>;
  readonly update: Handler<Operations['updateDashboard']>;
  readonly duplicate: Handler<Operations['duplicateDashboard']>;
  readonly archive: Handler<Operations['archiveDashboard']>;
  readonly restore: Handler<Operations['restoreDashboard']>;
  readonly history: History;
  readonly shareLinks: ShareLinks;
  readonly sharedBoard: SharedBoard;
}

export function createDashboards(deps: DashboardsDeps): Dashboards {
  return {
    async list({ params: { organizationId }, query }, { caller }) {
      const { search = '', archivedScope } = query;
      const { count, rows } = await store.listDashboards(
        deps.storage,
        organizationId,
        viewOf(caller),
        { search, archivedScope },
        query,
      );
      return { body: { count, items: rows.map(listedRecord) } };
    },
    async retrieve({ params: { organizationId, dashboardId } }, { caller }) {
      const view = viewOf(caller);
      const row = await store.findDashboard(deps.storage, organizationId, view, dashboardId);
      if (!row) throw notFound('Dashboard');
      return { body: dashboardRecord(row), revision: row.revision };
    },
    async create({ params: { organizationId }, body }, { tx, now }) {
      return insert(tx, organizationId, deps.newId(), body, now);
    },
    update,
    async duplicate({ params: { organizationId, dashboardId }, body }, { tx, now }) {
      const row = await lock(tx, organizationId, dashboardId);
      requireActive(row, 'duplicated');
      return insert(tx, organizationId, deps.newId(), copiedFields(row, body.name), now);
    },
    async archive({ params }, context) {
      return { body: undefined, changes: (await setArchived(params, context, true)).changes };
    },
    async restore({ params }, context) {
      return setArchived(params, context, false);
    },
    history: createHistory(deps),
    shareLinks: createShareLinks(deps),
    sharedBoard: createSharedBoard(deps),
  };
}

async function insert(
  tx: Transaction,
  organizationId: string,
  id: string,
  fields: DashboardFields,
  now: number,
) {
  const row = await store.insertDashboard(tx, organizationId, id, fields, now);
  return {
    body: dashboardRecord(row),
    revision: row.revision,
    location: `/primary/v1/${organizationId}/dashboards/${id}`,
    changes: dashboardChanges(organizationId, undefined, row),
  };
}

const update: Dashboards['update'] = async ({ params, body }, { tx, now, precondition }) => {
  const { organizationId, dashboardId } = params;
  const row = await lock(tx, organizationId, dashboardId);
  precondition.check(row.revision);
  requireActive(row, 'updated');
  const fields = editedFields(row, body);
  const saved = await store.updateDashboard(tx, organizationId, dashboardId, fields, now);
  return {
    body: dashboardRecord(saved),
    revision: saved.revision,
    changes: dashboardChanges(organizationId, row, saved),
  };
};

/** Archiving what is archived, and restoring what is not, changes nothing. */
async function setArchived(
  { organizationId, dashboardId }: Parameters<Dashboards['restore']>[0]['params'],
  { tx, now, precondition }: Parameters<Dashboards['restore']>[1],
  isArchived: boolean,
) {
  const row = await lock(tx, organizationId, dashboardId);
  precondition.check(row.revision);
  const isDone = (row.archivedAt !== null) === isArchived;
  const saved = isDone
    ? row
    : await store.setArchived(tx, organizationId, dashboardId, isArchived ? now : null, now);
  return {
    body: dashboardRecord(saved),
    revision: saved.revision,
    changes: isDone ? [] : dashboardChanges(organizationId, row, saved),
  };
}
