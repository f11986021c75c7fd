import type { Operations } from '@fieldwatch/contract';
import { changeOf, type Handler } from '../http/index.ts';
import { type NewId, notFound } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import {
  dashboardChanges,
  dashboardRecord,
  type View,
  versionRecord,
  viewOf,
} from './dashboard.ts';
import { lock, requireActive } from './locking.ts';
import * as store from './store.ts';

export interface HistoryDeps {
  readonly storage: Storage;
  readonly newId: NewId;
}

/** A version is never edited. */
const ONLY_REVISION = 1;

/** The published versions of a Dashboard. */
export interface History {
  readonly list: Handler<Operations['listDashboardHistories']>;
  readonly retrieve: Handler<Operations['retrieveDashboardHistory']>;
  readonly publish: Handler<Operations['publishDashboard']>;
  readonly restore: Handler<Operations['restoreDashboardHistory']>;
}

export function createHistory({ storage, newId }: HistoryDeps): History {
  return {
    async list({ params: { organizationId, dashboardId }, query }, { caller }) {
      await requireSeen(storage, organizationId, viewOf(caller), dashboardId);
      const { count, rows } = await store.listVersions(storage, organizationId, dashboardId, query);
      return { body: { count, items: rows.map(versionRecord) } };
    },
    async retrieve({ params: { organizationId, dashboardId, historyId } }, { caller }) {
      await requireSeen(storage, organizationId, viewOf(caller), dashboardId);
      const row = await store.findVersion(storage, organizationId, dashboardId, historyId);
      if (!row) throw notFound('version');
      const body = { ...versionRecord(row), configuration: row.configuration };
      return { body, revision: ONLY_REVISION };
    },
    publish: publish(newId),
    restore,
  };
}

async function requireSeen(
  storage: Storage,
  organizationId: string,
  view: View,
  id: string,
): Promise<void> {
  const isSeen = await store.isSeen(storage, organizationId, view, id);
  if (!isSeen) throw notFound('Dashboard');
}

function publish(newId: NewId): History['publish'] {
  return async ({ params: { organizationId, dashboardId }, body }, { tx, now, caller }) => {
    requireActive(await lock(tx, organizationId, dashboardId), 'published');
    const row = await store.insertVersion(tx, organizationId, dashboardId, {
      id: newId(),
      comment: body.comment,
      publishedBy: caller.name,
      now,
    });
    const record = versionRecord(row);
    return {
      body: record,
      revision: ONLY_REVISION,
      location: `/primary/v1/${organizationId}/dashboards/${dashboardId}/histories/${row.id}`,
      changes: [
        changeOf(organizationId, 'DashboardVersion', {
          id: row.id,
          after: { dashboardId, ...record },
        }),
      ],
    };
  };
}

const restore: History['restore'] = async ({ params }, { tx, now }) => {
  const { organizationId, dashboardId, historyId } = params;
  const row = await lock(tx, organizationId, dashboardId);
  const version = await store.findVersion(tx, organizationId, dashboardId, historyId);
  if (!version) throw notFound('version');
  requireActive(row, 'changed');
  const fields = { ...row, configuration: version.configuration };
  const saved = await store.updateDashboard(tx, organizationId, dashboardId, fields, now);
  return {
    body: dashboardRecord(saved),
    revision: saved.revision,
    changes: dashboardChanges(organizationId, row, saved),
  };
};
