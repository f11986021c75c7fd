import type { DashboardConfiguration, ShareLink } from '@fieldwatch/contract';
import type { Fields } from '../../http/index.ts';
import { isoDateTime } from '../../runtime/index.ts';

/** A share link as it is stored. The digest of its secret is only compared. */
export interface ShareLinkRow {
  readonly id: string;
  readonly name: string;
  readonly locationId: string | null;
  readonly assetId: string | null;
  readonly expiresAt: number | null;
  readonly createdAt: number;
  readonly createdBy: string;
}

/** What a share link shows: the last published version of a Dashboard that is not archived. */
export interface SharedBoardRow {
  readonly organizationId: string;
  readonly locationId: string | null;
  readonly assetId: string | null;
  readonly expiresAt: number | null;
  readonly name: string;
  readonly refreshIntervalSeconds: number;
  readonly configuration: DashboardConfiguration;
}

export function shareLinkRecord(row: ShareLinkRow): ShareLink {
  return {
    id: row.id,
    name: row.name,
    locationId: row.locationId,
    assetId: row.assetId,
    expiresDateTime: row.expiresAt === null ? null : isoDateTime(row.expiresAt),
    createdDateTime: isoDateTime(row.createdAt),
    createdBy: row.createdBy,
  };
}

export function auditFields(dashboardId: string, row: ShareLinkRow): Fields {
  return { dashboardId, ...shareLinkRecord(row) };
}
