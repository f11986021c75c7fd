import type { AlarmStatus, ArchivedScope, Severity } from '@fieldwatch/contract';
import { fold, isoDateTime } from '../runtime/index.ts';
import {
  all,
  among,
  contains,
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
import type { AlarmRow, AlarmTerms } from './alarm.ts';
import type { WatchedVariable } from './terms.ts';

const STORED = sql`id, name, is_active as "isActive", device_id as "deviceId",
  variable_id as "deviceVariableId", operator, alarm_group_id as "alarmGroupId",
  threshold_number as "thresholdValueNumber", threshold_string as "thresholdValueString",
  threshold_boolean as "thresholdValueBoolean", severity,
  is_acknowledgeable as "isAcknowledgeable", delay_seconds as "delayProcessingSeconds",
  deadband, clear_delay_seconds as "clearDelaySeconds", shelved_until as "shelvedUntil",
  shelved_reason as "shelvedReason", shelved_by as "shelvedBy",
  archived_at as "archivedAt", created_at as "createdAt", updated_at as "updatedAt", revision`;

/** An alarm is triggered while it has an open event. */
const OPEN_EVENT = sql`alarm_events open where open.organization_id = alarms.organization_id
  and open.alarm_id = alarms.id and open.cleared_at is null`;

const COLUMNS = sql`${STORED}, (select open.raised_at from ${OPEN_EVENT}) as "triggeredAt"`;

/** Filters are joined by AND, values within one by OR; an empty list filters nothing. */
export interface AlarmFilter {
  readonly search: string;
  readonly severities: readonly Severity[];
  readonly statuses: readonly AlarmStatus[];
  readonly isTriggered: boolean | null;
  readonly deviceVariableIds: readonly string[];
  readonly assetIds: readonly string[];
  readonly locationIds: readonly string[];
  readonly alarmGroupIds: readonly string[];
  readonly archivedScope: ArchivedScope;
}

function triggered(isTriggered: boolean | null): Sql | undefined {
  if (isTriggered === null) return undefined;
  const isOpen = sql`exists (select 1 from ${OPEN_EVENT})`;
  return isTriggered ? isOpen : sql`not ${isOpen}`;
}

function boundTo(organizationId: string, assets: Sql | undefined): Sql | undefined {
  return (
    assets &&
    sql`variable_id in (select bound.variable_id from asset_variables bound
        where bound.organization_id = ${organizationId} and ${assets})`
  );
}

/**
 * The alarms on Variables in one of the locations, by their Device or by a bound Asset. Variable by
 * Variable, each by its key: of tables that grew too lately to be counted PostgreSQL believes that
 * they are small, and would make the set of Variables again for each alarm.
 */
function alarmsIn(organizationId: string, locationIds: readonly string[]): Sql {
  const ofDevice = among(sql`devices.location_id`, locationIds);
  const ofAsset = among(sql`assets.location_id`, locationIds);
  if (!ofDevice || !ofAsset) return sql`alarms`;
  return sql`(select alarms.* from (
        select variables.id from variables join devices
          on devices.organization_id = variables.organization_id
          and devices.id = variables.device_id
        where devices.organization_id = ${organizationId} and ${ofDevice}
        union
        select bound.variable_id from assets join asset_variables bound
          on bound.organization_id = assets.organization_id and bound.asset_id = assets.id
        where assets.organization_id = ${organizationId} and ${ofAsset}) located
      cross join lateral (select * from alarms where organization_id = ${organizationId}
        and variable_id = located.id offset 0) alarms) alarms`;
}

function matching(organizationId: string, filter: AlarmFilter): Sql {
  const { severities, statuses } = filter;
  return all([
    sql`organization_id = ${organizationId}`,
    inScope(filter.archivedScope),
    severities.length === 0 ? undefined : sql`severity = any(${severities})`,
    new Set(statuses).size === 1 ? sql`is_active = ${statuses[0] === 'enabled'}` : undefined,
    triggered(filter.isTriggered),
    among(sql`variable_id`, filter.deviceVariableIds),
    among(sql`alarm_group_id`, filter.alarmGroupIds),
    boundTo(organizationId, among(sql`bound.asset_id`, filter.assetIds)),
  ]);
}

export const { find: findAlarm, lock: lockAlarm } = rowsOf<AlarmRow>('alarms', COLUMNS);

export async function searchAlarms(
  db: Queries,
  organizationId: string,
  filter: AlarmFilter,
  request: PageRequest,
): Promise<Page<AlarmRow>> {
  const where = matching(organizationId, filter);
  const search = contains(sql`name_folded`, fold(filter.search));
  // For the rows of the page alone, not for all that a search finds before it is cut to a page.
  const ofPage = sql`(select raised_at from alarm_events
    where organization_id = ${organizationId} and alarm_id = page.id and cleared_at is null
  ) as "triggeredAt"`;
  const from = alarmsIn(organizationId, filter.locationIds);
  return await page(db, { columns: STORED, from, where, search, ofPage }, request);
}

export async function findWatchedVariable(
  db: Queries,
  organizationId: string,
  id: string,
): Promise<WatchedVariable | null> {
  const [row] = await run<WatchedVariable>(
    db,
    sql`select device_id as "deviceId", type from variables
        where organization_id = ${organizationId} and id = ${id}`,
  );
  return row ?? null;
}

export interface NewAlarm extends AlarmTerms {
  readonly id: string;
  readonly now: number;
}

export async function insertAlarm(
  tx: Transaction,
  organizationId: string,
  alarm: NewAlarm,
): Promise<AlarmRow> {
  const at = isoDateTime(alarm.now);
  return saved(
    run<AlarmRow>(
      tx,
      sql`insert into alarms (organization_id, id, name, name_folded, is_active, device_id,
          variable_id, operator, alarm_group_id, threshold_number, threshold_string,
          threshold_boolean, severity, is_acknowledgeable, delay_seconds, deadband,
          clear_delay_seconds, created_at, updated_at)
        values (${organizationId}, ${alarm.id}, ${alarm.name}, ${fold(alarm.name)},
          ${alarm.isActive}, ${alarm.deviceId}, ${alarm.deviceVariableId}, ${alarm.operator},
          ${alarm.alarmGroupId}, ${alarm.thresholdValueNumber}, ${alarm.thresholdValueString},
          ${alarm.thresholdValueBoolean}, ${alarm.severity}, ${alarm.isAcknowledgeable},
          ${alarm.delayProcessingSeconds}, ${alarm.deadband}, ${alarm.clearDelaySeconds}, ${at},
          ${at})
        returning ${COLUMNS}`,
    ),
  );
}

export async function updateAlarm(
  tx: Transaction,
  organizationId: string,
  id: string,
  terms: AlarmTerms,
  now: number,
): Promise<AlarmRow> {
  return saved(
    run<AlarmRow>(
      tx,
      sql`update alarms set name = ${terms.name}, name_folded = ${fold(terms.name)},
          is_active = ${terms.isActive}, device_id = ${terms.deviceId},
          variable_id = ${terms.deviceVariableId}, operator = ${terms.operator},
          alarm_group_id = ${terms.alarmGroupId}, threshold_number = ${terms.thresholdValueNumber},
          threshold_string = ${terms.thresholdValueString},
          threshold_boolean = ${terms.thresholdValueBoolean}, severity = ${terms.severity},
          is_acknowledgeable = ${terms.isAcknowledgeable},
          delay_seconds = ${terms.delayProcessingSeconds}, deadband = ${terms.deadband},
          clear_delay_seconds = ${terms.clearDelaySeconds}, updated_at = ${isoDateTime(now)},
          revision = revision + 1
        where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}

export async function setArchived(
  tx: Transaction,
  organizationId: string,
  id: string,
  archivedAt: number | null,
  now: number,
): Promise<AlarmRow> {
  return saved(
    run<AlarmRow>(
      tx,
      sql`update alarms set archived_at = ${archivedAt === null ? null : isoDateTime(archivedAt)},
          updated_at = ${isoDateTime(now)}, revision = revision + 1
        where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}

export interface ShelvingFields {
  readonly until: number;
  readonly reason: string;
  readonly by: string;
}

export async function setShelving(
  tx: Transaction,
  organizationId: string,
  id: string,
  shelving: ShelvingFields | null,
  now: number,
): Promise<AlarmRow> {
  return saved(
    run<AlarmRow>(
      tx,
      sql`update alarms set shelved_until = ${shelving && isoDateTime(shelving.until)},
          shelved_reason = ${shelving?.reason ?? null}, shelved_by = ${shelving?.by ?? null},
          updated_at = ${isoDateTime(now)}, revision = revision + 1
        where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}
