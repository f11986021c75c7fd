import type { MaintenanceRecurrence, MaintenanceWindow, Severity } from '@fieldwatch/contract';
import { fold, isoDateTime, isUuid } from '../../runtime/index.ts';
import {
  all,
  contains,
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
} from '../../storage/index.ts';
import type { Schedule } from '../schedule/index.ts';

export interface WindowRow extends Schedule {
  readonly id: string;
  readonly reason: string;
  readonly mode: MaintenanceWindow['mode'];
  readonly severities: readonly Severity[];
  readonly locationIds: readonly string[];
  readonly assetIds: readonly string[];
  readonly deviceIds: readonly string[];
  readonly alarmGroupIds: readonly string[];
  readonly alarmIds: readonly string[];
  readonly recurrence: MaintenanceRecurrence | null;
  /** Whether its start and its end are reported to those whom its alarm groups notify. */
  readonly tellsStart: boolean;
  readonly tellsEnd: boolean;
  /** The end of the period in progress. */
  readonly openTo: number | null;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

/** What an edit may set. */
export type WindowFields = Omit<
  WindowRow,
  'id' | 'createdBy' | 'createdAt' | 'updatedAt' | 'revision'
> & {
  /** When it starts or ends next; null once it is over. */
  readonly nextAt: number | null;
};

const COLUMNS = sql`id, reason, mode, severities, location_ids as "locationIds",
  asset_ids as "assetIds", device_ids as "deviceIds", alarm_group_ids as "alarmGroupIds",
  alarm_ids as "alarmIds", starts_at as "startsAt", ends_at as "endsAt", recurrence,
  ended_at as "endedAt", open_to as "openTo", tells_start as "tellsStart",
  tells_end as "tellsEnd", created_by as "createdBy",
  created_at as "createdAt", updated_at as "updatedAt", revision`;

export const {
  find: findWindow,
  lock: lockWindow,
  remove: deleteWindow,
} = rowsOf<WindowRow>('maintenance_windows', COLUMNS);

export interface WindowFilter {
  readonly search: string;
  readonly state: MaintenanceWindow['state'] | undefined;
  readonly locationId: string | undefined;
  readonly assetId: string | undefined;
  readonly deviceId: string | undefined;
}

/** The Location and those around it. */
const around = (organizationId: string, location: Sql) => sql`array(
  with recursive around as (
    select ${location} as id
    union
    select parent_id from around join locations
      on locations.organization_id = ${organizationId} and locations.id = around.id
    where parent_id is not null)
  select id from around where id is not null)`;

function ofLocation(organizationId: string, id: string | undefined): Sql | undefined {
  if (id === undefined) return undefined;
  if (!isUuid(id)) return sql`false`;
  return sql`location_ids && ${around(organizationId, sql`${id}::uuid`)}`;
}

function ofAsset(organizationId: string, id: string | undefined): Sql | undefined {
  if (id === undefined) return undefined;
  if (!isUuid(id)) return sql`false`;
  const location = sql`(select location_id from assets
    where organization_id = ${organizationId} and id = ${id})`;
  return sql`(asset_ids @> array[${id}::uuid]
    or location_ids && ${around(organizationId, location)})`;
}

function ofDevice(organizationId: string, id: string | undefined): Sql | undefined {
  if (id === undefined) return undefined;
  if (!isUuid(id)) return sql`false`;
  const location = sql`(select location_id from devices
    where organization_id = ${organizationId} and id = ${id})`;
  return sql`(device_ids && array(
      with recursive above as (
        select ${id}::uuid as id
        union
        select parent_device_id from above join devices
          on devices.organization_id = ${organizationId} and devices.id = above.id
        where parent_device_id is not null)
      select id from above)
    or location_ids && ${around(organizationId, location)})`;
}

function inState(state: MaintenanceWindow['state'] | undefined): Sql | undefined {
  if (state === undefined) return undefined;
  if (state === 'ACTIVE') return sql`open_to is not null`;
  return state === 'SCHEDULED'
    ? sql`(open_to is null and next_at is not null)`
    : sql`next_at is null`;
}

export function listWindows(
  db: Queries,
  organizationId: string,
  filter: WindowFilter,
  request: PageRequest,
): Promise<Page<WindowRow>> {
  const where = all([
    sql`organization_id = ${organizationId}`,
    inState(filter.state),
    ofLocation(organizationId, filter.locationId),
    ofAsset(organizationId, filter.assetId),
    ofDevice(organizationId, filter.deviceId),
  ]);
  const search = contains(sql`reason_folded`, fold(filter.search));
  return page(db, { columns: COLUMNS, from: sql`maintenance_windows`, where, search }, request);
}

/** The organization is locked, so that two new windows are counted one after the other. */
export async function countPending(tx: Transaction, organizationId: string): Promise<number> {
  await run(tx, sql`select id from organizations where id = ${organizationId} for no key update`);
  const [row] = await run<{ count: number }>(
    tx,
    sql`select count(*)::int as count from maintenance_windows
        where organization_id = ${organizationId} and next_at is not null`,
  );
  return row?.count ?? 0;
}

const at = (ms: number | null) => (ms === null ? null : isoDateTime(ms));
const json = (value: object | null) => (value === null ? null : JSON.stringify(value));

export function insertWindow(
  tx: Transaction,
  organizationId: string,
  {
    id,
    now,
    createdBy,
    ...fields
  }: WindowFields & { readonly id: string; readonly now: number; readonly createdBy: string },
): Promise<WindowRow> {
  return saved(
    run<WindowRow>(
      tx,
      sql`insert into maintenance_windows (organization_id, id, reason, reason_folded, mode,
            severities, location_ids, asset_ids, device_ids, alarm_group_ids, alarm_ids, starts_at,
            ends_at, recurrence, ended_at, next_at, open_to, tells_start, tells_end, created_by,
            created_at, updated_at)
          values (${organizationId}, ${id}, ${fields.reason}, ${fold(fields.reason)},
            ${fields.mode}, ${fields.severities}, ${fields.locationIds}::uuid[],
            ${fields.assetIds}::uuid[], ${fields.deviceIds}::uuid[],
            ${fields.alarmGroupIds}::uuid[], ${fields.alarmIds}::uuid[], ${at(fields.startsAt)},
            ${at(fields.endsAt)}, ${json(fields.recurrence)}::jsonb, ${at(fields.endedAt)},
            ${at(fields.nextAt)}, ${at(fields.openTo)}, ${fields.tellsStart}, ${fields.tellsEnd},
            ${createdBy}, ${isoDateTime(now)}, ${isoDateTime(now)})
          returning ${COLUMNS}`,
    ),
  );
}

export function updateWindow(
  tx: Transaction,
  organizationId: string,
  id: string,
  fields: WindowFields,
  now: number,
): Promise<WindowRow> {
  return saved(
    run<WindowRow>(
      tx,
      sql`update maintenance_windows set reason = ${fields.reason},
            reason_folded = ${fold(fields.reason)}, mode = ${fields.mode},
            severities = ${fields.severities}, location_ids = ${fields.locationIds}::uuid[],
            asset_ids = ${fields.assetIds}::uuid[], device_ids = ${fields.deviceIds}::uuid[],
            alarm_group_ids = ${fields.alarmGroupIds}::uuid[],
            alarm_ids = ${fields.alarmIds}::uuid[], starts_at = ${at(fields.startsAt)},
            ends_at = ${at(fields.endsAt)}, recurrence = ${json(fields.recurrence)}::jsonb,
            ended_at = ${at(fields.endedAt)}, next_at = ${at(fields.nextAt)},
            open_to = ${at(fields.openTo)}, tells_start = ${fields.tellsStart},
            tells_end = ${fields.tellsEnd}, updated_at = ${isoDateTime(now)},
            revision = revision + 1
          where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}

/** Windows that start or end by now, which no other node acts on. */
export function lockDue(
  tx: Transaction,
  now: number,
  max: number,
): Promise<(WindowRow & { readonly organizationId: string })[]> {
  return run(
    tx,
    sql`select organization_id as "organizationId", ${COLUMNS} from maintenance_windows
        where next_at <= ${isoDateTime(now)}
        order by next_at limit ${max} for update skip locked`,
  );
}

/** A start or an end is no edit: the revision stays. */
export async function saveProgress(
  tx: Transaction,
  organizationId: string,
  id: string,
  { nextAt, openTo }: Pick<WindowFields, 'nextAt' | 'openTo'>,
): Promise<void> {
  await run(
    tx,
    sql`update maintenance_windows set next_at = ${at(nextAt)}, open_to = ${at(openTo)}
        where organization_id = ${organizationId} and id = ${id}`,
  );
}

export async function hasDue(db: Queries, now: number): Promise<boolean> {
  const rows = await run<object>(
    db,
    sql`select 1 from maintenance_windows where next_at <= ${isoDateTime(now)} limit 1`,
  );
  return rows.length > 0;
}

/**
 * The alarm groups that the window names, and those of the Alarms that it covers as they are now.
 * Locations and Devices count with those below them.
 */
export async function listConcernedGroups(
  tx: Transaction,
  organizationId: string,
  windowId: string,
): Promise<string[]> {
  const rows = await run<{ id: string }>(
    tx,
    sql`with recursive covering as (
          select * from maintenance_windows
          where organization_id = ${organizationId} and id = ${windowId}),
        place as (
          select unnest(location_ids) as id from covering
          union
          select locations.id from place join locations
            on locations.organization_id = ${organizationId} and locations.parent_id = place.id),
        device as (
          select unnest(device_ids) as id from covering
          union
          select devices.id from device join devices
            on devices.organization_id = ${organizationId}
            and devices.parent_device_id = device.id),
        bound as (
          select variable_id from asset_variables binding join assets
            on assets.organization_id = binding.organization_id and assets.id = binding.asset_id
          where binding.organization_id = ${organizationId}
            and (assets.id = any(array(select unnest(asset_ids) from covering))
              or assets.location_id in (select id from place)))
        select id from alarm_groups
        where organization_id = ${organizationId} and id in (
          select unnest(alarm_group_ids) from covering
          union
          select alarm_group_id from alarms join devices
            on devices.organization_id = alarms.organization_id and devices.id = alarms.device_id
          cross join covering
          where alarms.organization_id = ${organizationId} and alarms.archived_at is null
            and alarms.is_active
            and (severities = '{}' or alarms.severity = any(severities))
            and (alarms.id = any(alarm_ids) or alarms.device_id in (select id from device)
              or devices.location_id in (select id from place)
              or alarms.variable_id in (select variable_id from bound)))
        order by id`,
  );
  return rows.map(({ id }) => id);
}
