import type {
  Dashboard,
  DashboardConfiguration,
  ListedDashboard,
  ListedDashboardVersion,
} from '@fieldwatch/contract';
import { type Caller, type Change, changeOf } from '../http/index.ts';
import { isoDateTime } from '../runtime/index.ts';

/** A Dashboard as it is stored, without what it shows. */
export interface DashboardRow {
  readonly id: string;
  readonly name: string;
  readonly isPublic: boolean;
  readonly refreshIntervalSeconds: number;
  readonly archivedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

/** With what it shows: the draft, or what was last published. */
export interface WholeDashboardRow extends DashboardRow {
  readonly configuration: DashboardConfiguration;
}

/** A published version. */
export interface VersionRow {
  readonly id: string;
  readonly version: number;
  readonly comment: string;
  readonly publishedBy: string;
  readonly publishedAt: number;
}

export interface WholeVersionRow extends VersionRow {
  readonly configuration: DashboardConfiguration;
}

/** People see every Dashboard and its draft; programs see public ones, as last published. */
export type View = 'draft' | 'published';

export function viewOf({ kind }: Caller): View {
  return kind === 'USER' ? 'draft' : 'published';
}

export function listedRecord(row: DashboardRow): ListedDashboard {
  return {
    id: row.id,
    name: row.name,
    isPublic: row.isPublic,
    refreshIntervalSeconds: row.refreshIntervalSeconds,
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}

export function dashboardRecord(row: WholeDashboardRow): Dashboard {
  return { ...listedRecord(row), configuration: row.configuration };
}

export function versionRecord(row: VersionRow): ListedDashboardVersion {
  return {
    id: row.id,
    version: row.version,
    comment: row.comment,
    publishedBy: row.publishedBy,
    publishedDateTime: isoDateTime(row.publishedAt),
  };
}

export function dashboardChanges(
  organizationId: string,
  before: WholeDashboardRow | undefined,
  after: WholeDashboardRow,
): Change[] {
  const states = { id: after.id, before: before && auditFields(before), after: auditFields(after) };
  return [changeOf(organizationId, 'Dashboard', states)];
}

function auditFields(row: WholeDashboardRow) {
  return { ...dashboardRecord(row), isArchived: row.archivedAt !== null };
}
