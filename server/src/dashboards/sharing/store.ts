import { isoDateTime } from '../../runtime/index.ts';
import {
  type Page,
  type PageRequest,
  page,
  type Queries,
  run,
  saved,
  sql,
  type Transaction,
} from '../../storage/index.ts';
import type { SharedBoardRow, ShareLinkRow } from './share-link.ts';

const COLUMNS = sql`id, name, location_id as "locationId", asset_id as "assetId",
  expires_at as "expiresAt", created_at as "createdAt", created_by as "createdBy"`;

export function listShareLinks(
  db: Queries,
  organizationId: string,
  dashboardId: string,
  request: PageRequest,
): Promise<Page<ShareLinkRow>> {
  return page(
    db,
    {
      columns: COLUMNS,
      from: sql`share_links`,
      where: sql`organization_id = ${organizationId} and dashboard_id = ${dashboardId}`,
      order: sql`created_at desc, id desc`,
    },
    request,
  );
}

/** The number of share links of a Dashboard, counted up to the limit. */
export async function countShareLinks(
  tx: Transaction,
  organizationId: string,
  dashboardId: string,
  limit: number,
): Promise<number> {
  const rows = await run<object>(
    tx,
    sql`select 1 from share_links
        where organization_id = ${organizationId} and dashboard_id = ${dashboardId}
        limit ${limit}`,
  );
  return rows.length;
}

export interface NewShareLink extends ShareLinkRow {
  readonly secretDigest: Buffer;
}

export function insertShareLink(
  tx: Transaction,
  organizationId: string,
  dashboardId: string,
  link: NewShareLink,
): Promise<ShareLinkRow> {
  const expiresAt = link.expiresAt === null ? null : isoDateTime(link.expiresAt);
  return saved(
    run(
      tx,
      sql`insert into share_links (organization_id, id, dashboard_id, name, secret_digest,
            location_id, asset_id, expires_at, created_at, created_by)
          values (${organizationId}, ${link.id}, ${dashboardId}, ${link.name},
            ${link.secretDigest}, ${link.locationId}, ${link.assetId}, ${expiresAt},
            ${isoDateTime(link.createdAt)}, ${link.createdBy})
          returning ${COLUMNS}`,
    ),
  );
}

export async function findShareLink(
  db: Queries,
  organizationId: string,
  dashboardId: string,
  id: string,
): Promise<ShareLinkRow | null> {
  const [row] = await run<ShareLinkRow>(
    db,
    sql`select ${COLUMNS} from share_links
        where organization_id = ${organizationId} and dashboard_id = ${dashboardId}
          and id = ${id}`,
  );
  return row ?? null;
}

export async function deleteShareLink(
  tx: Transaction,
  organizationId: string,
  dashboardId: string,
  id: string,
): Promise<ShareLinkRow | null> {
  const [row] = await run<ShareLinkRow>(
    tx,
    sql`delete from share_links
        where organization_id = ${organizationId} and dashboard_id = ${dashboardId}
          and id = ${id}
        returning ${COLUMNS}`,
  );
  return row ?? null;
}

/** The link of a secret, which is found by its digest. */
export async function findByDigest(
  db: Queries,
  digest: Buffer,
): Promise<{
  readonly id: string;
  readonly name: string;
  readonly expiresAt: number | null;
} | null> {
  const [row] = await run<{ id: string; name: string; expiresAt: number | null }>(
    db,
    sql`select id, name, expires_at as "expiresAt" from share_links
        where secret_digest = ${digest}`,
    { isPrepared: true },
  );
  return row ?? null;
}

/** Null when the Dashboard was never published, or is archived now. */
export async function findSharedBoard(db: Queries, id: string): Promise<SharedBoardRow | null> {
  const [row] = await run<SharedBoardRow>(
    db,
    sql`select link.organization_id as "organizationId", link.location_id as "locationId",
          link.asset_id as "assetId", link.expires_at as "expiresAt", board.name,
          board.refresh_interval_seconds as "refreshIntervalSeconds", version.configuration
        from share_links link
        join dashboards board on board.organization_id = link.organization_id
          and board.id = link.dashboard_id and board.archived_at is null
        join lateral (
          select configuration from dashboard_versions
          where organization_id = board.organization_id and dashboard_id = board.id
          order by version desc limit 1
        ) version on true
        where link.id = ${id}`,
  );
  return row ?? null;
}
