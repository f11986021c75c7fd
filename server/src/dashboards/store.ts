import type { ArchivedScope } from '@fieldwatch/contract';
import { fold, isoDateTime } from '../runtime/index.ts';
import {
  all,
  inScope,
  type Page,
  type PageRequest,
  page,
  type Queries,
  rowsOf,
  run,
  type Sql,
  saved,
  sql,
  type Transaction,
} from '../storage/index.ts';
import type {
  DashboardRow,
  VersionRow,
  View,
  WholeDashboardRow,
  WholeVersionRow,
} from './dashboard.ts';
import type { DashboardFields } from './edit.ts';

const COLUMNS = sql`id, name, is_public as "isPublic",
  refresh_interval_seconds as "refreshIntervalSeconds", archived_at as "archivedAt",
  created_at as "createdAt", updated_at as "updatedAt", revision`;

const WITH_DRAFT = sql`${COLUMNS}, configuration`;

/** What was never published shows the configuration it has. */
const WITH_PUBLISHED = sql`${COLUMNS}, coalesce((
    select version.configuration from dashboard_versions version
    where version.organization_id = dashboards.organization_id
      and version.dashboard_id = dashboards.id
    order by version.version desc limit 1
  ), configuration) as configuration`;

const VERSION_COLUMNS = sql`id, version, comment, published_by as "publishedBy",
  published_at as "publishedAt"`;

export interface DashboardFilter {
  readonly search: string;
  readonly archivedScope: ArchivedScope;
}

function seenIn(view: View): Sql | undefined {
  return view === 'published' ? sql`is_public` : undefined;
}

function one(organizationId: string, view: View, id: string): Sql {
  return all([sql`organization_id = ${organizationId}`, sql`id = ${id}`, seenIn(view)]);
}

const { list } = rowsOf<DashboardRow>('dashboards', COLUMNS);

export function listDashboards(
  db: Queries,
  organizationId: string,
  view: View,
  { search, archivedScope }: DashboardFilter,
  request: PageRequest,
): Promise<Page<DashboardRow>> {
  const where = all([seenIn(view), inScope(archivedScope)]);
  return list(db, organizationId, { search, where }, request);
}

export async function findDashboard(
  db: Queries,
  organizationId: string,
  view: View,
  id: string,
): Promise<WholeDashboardRow | null> {
  const columns = view === 'draft' ? WITH_DRAFT : WITH_PUBLISHED;
  const [row] = await run<WholeDashboardRow>(
    db,
    sql`select ${columns} from dashboards where ${one(organizationId, view, id)}`,
  );
  return row ?? null;
}

/** Whether there is such a Dashboard in this view. */
export async function isSeen(
  db: Queries,
  organizationId: string,
  view: View,
  id: string,
): Promise<boolean> {
  const rows = await run<object>(
    db,
    sql`select 1 from dashboards where ${one(organizationId, view, id)}`,
  );
  return rows.length > 0;
}

/** The Dashboard with its draft, kept from changing until the transaction ends. */
export async function lockDashboard(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<WholeDashboardRow | null> {
  const [row] = await run<WholeDashboardRow>(
    tx,
    sql`select ${WITH_DRAFT} from dashboards
        where organization_id = ${organizationId} and id = ${id} for update`,
  );
  return row ?? null;
}

export function insertDashboard(
  tx: Transaction,
  organizationId: string,
  id: string,
  fields: DashboardFields,
  now: number,
): Promise<WholeDashboardRow> {
  const at = isoDateTime(now);
  return saved(
    run(
      tx,
      sql`insert into dashboards (organization_id, id, name, name_folded, is_public,
            refresh_interval_seconds, configuration, created_at, updated_at)
          values (${organizationId}, ${id}, ${fields.name}, ${fold(fields.name)},
            ${fields.isPublic}, ${fields.refreshIntervalSeconds},
            ${JSON.stringify(fields.configuration)}, ${at}, ${at})
          returning ${WITH_DRAFT}`,
    ),
  );
}

export function updateDashboard(
  tx: Transaction,
  organizationId: string,
  id: string,
  fields: DashboardFields,
  now: number,
): Promise<WholeDashboardRow> {
  return saved(
    run(
      tx,
      sql`update dashboards set name = ${fields.name}, name_folded = ${fold(fields.name)},
            is_public = ${fields.isPublic},
            refresh_interval_seconds = ${fields.refreshIntervalSeconds},
            configuration = ${JSON.stringify(fields.configuration)},
            updated_at = ${isoDateTime(now)}, revision = revision + 1
          where organization_id = ${organizationId} and id = ${id} returning ${WITH_DRAFT}`,
    ),
  );
}

export function setArchived(
  tx: Transaction,
  organizationId: string,
  id: string,
  archivedAt: number | null,
  now: number,
): Promise<WholeDashboardRow> {
  return saved(
    run(
      tx,
      sql`update dashboards
          set archived_at = ${archivedAt === null ? null : isoDateTime(archivedAt)},
            updated_at = ${isoDateTime(now)}, revision = revision + 1
          where organization_id = ${organizationId} and id = ${id} returning ${WITH_DRAFT}`,
    ),
  );
}

export interface NewVersion {
  readonly id: string;
  readonly comment: string;
  readonly publishedBy: string;
  readonly now: number;
}

/**
 * Publishes the draft of a locked Dashboard under the next number. What programs see changes, so the
 * Dashboard counts as updated; nothing that people edit does, so its revision stays.
 */
export async function insertVersion(
  tx: Transaction,
  organizationId: string,
  dashboardId: string,
  { id, comment, publishedBy, now }: NewVersion,
): Promise<VersionRow> {
  const at = isoDateTime(now);
  return saved(
    run<VersionRow>(
      tx,
      sql`with published as (
          update dashboards set updated_at = ${at}
          where organization_id = ${organizationId} and id = ${dashboardId}
          returning organization_id, id, configuration
        )
        insert into dashboard_versions (organization_id, id, dashboard_id, version, comment,
          published_by, published_at, configuration)
        select organization_id, ${id}, published.id, 1 + coalesce((
            select max(version) from dashboard_versions
            where organization_id = ${organizationId} and dashboard_id = ${dashboardId}
          ), 0), ${comment}, ${publishedBy}, ${at}, configuration
        from published returning ${VERSION_COLUMNS}`,
    ),
  );
}

export function listVersions(
  db: Queries,
  organizationId: string,
  dashboardId: string,
  request: PageRequest,
): Promise<Page<VersionRow>> {
  return page(
    db,
    {
      columns: VERSION_COLUMNS,
      from: sql`dashboard_versions`,
      where: sql`organization_id = ${organizationId} and dashboard_id = ${dashboardId}`,
      order: sql`version desc`,
    },
    request,
  );
}

export async function findVersion(
  db: Queries,
  organizationId: string,
  dashboardId: string,
  id: string,
): Promise<WholeVersionRow | null> {
  const [row] = await run<WholeVersionRow>(
    db,
    sql`select ${VERSION_COLUMNS}, configuration from dashboard_versions
        where organization_id = ${organizationId} and dashboard_id = ${dashboardId}
          and id = ${id}`,
  );
  return row ?? null;
}
