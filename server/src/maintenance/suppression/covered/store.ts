import { run, sql, type Transaction } from '../../../storage/index.ts';
import type { Schedule } from '../../schedule/index.ts';

export interface PendingWindow extends Schedule {
  readonly id: string;
  readonly mode: 'QUIET' | 'TEST';
  readonly reason: string;
  /** The next start or end that was not acted on yet. */
  readonly nextAt: number;
}

/** Alarms of these Variables are left alone by a test unless it names them. */
const SHUTDOWN_CLASSES = [
  'ELECTRICAL_GENERATOR_OVERSPEED',
  'ELECTRICAL_GENERATOR_LOW_OIL_PRESSURE',
  'ELECTRICAL_GENERATOR_EMERGENCY_STOP',
  'ELECTRICAL_GENERATOR_OVERCRANK',
  'ELECTRICAL_ATS_FAILED_TO_TRANSFER',
];

const pendingWindows = (organizationIds: readonly string[]) =>
  sql`select id, mode, reason, starts_at as "startsAt", ends_at as "endsAt", recurrence,
        ended_at as "endedAt", next_at as "nextAt"
      from maintenance_windows
      where organization_id = any(${organizationIds}::uuid[]) and next_at is not null
      order by id`;

/** Windows that are not over. */
export function listPendingWindows(
  tx: Transaction,
  organizationIds: readonly string[],
): Promise<PendingWindow[]> {
  return run(tx, pendingWindows(organizationIds));
}

/** Windows that are not over; none of them ends before the transaction does. */
export function lockPendingWindows(
  tx: Transaction,
  organizationIds: readonly string[],
): Promise<PendingWindow[]> {
  return run(tx, sql`${pendingWindows(organizationIds)} for share`);
}

/** The events that one of the windows covers, each with the first of them. */
export function listCovered(
  tx: Transaction,
  events: readonly { readonly organizationId: string; readonly eventId: string }[],
  windowIds: readonly string[],
): Promise<{ eventId: string; windowId: string }[]> {
  return run(
    tx,
    sql`select distinct on (event.id) event.id as "eventId", covering.id as "windowId"
        from json_to_recordset(${JSON.stringify(events)}) as wanted
          ("organizationId" uuid, "eventId" uuid)
        join alarm_events event
          on event.organization_id = "organizationId" and event.id = "eventId"
        left join variables on variables.organization_id = event.organization_id
          and variables.id = event.variable_id
        cross join lateral (
          with recursive above as (
            select event.device_id as id
            union
            select parent_device_id from above join devices
              on devices.organization_id = event.organization_id and devices.id = above.id
            where parent_device_id is not null)
          select array_agg(id) as ids from above) device
        cross join lateral (
          with recursive around as (
            select unnest(event.location_ids || event.location_id) as id
            union
            select parent_id from around join locations
              on locations.organization_id = event.organization_id and locations.id = around.id
            where parent_id is not null)
          select array_agg(id) as ids from around) place
        join maintenance_windows covering on covering.organization_id = event.organization_id
          and covering.id = any(${windowIds}::uuid[])
        where (covering.severities = '{}' or event.severity = any(covering.severities))
          and (event.alarm_id = any(covering.alarm_ids)
            or event.alarm_group_id = any(covering.alarm_group_ids)
            or covering.asset_ids && event.asset_ids
            or covering.device_ids && device.ids
            or covering.location_ids && place.ids)
          and not (covering.mode = 'TEST' and event.severity = 'CRITICAL'
            and coalesce(variables.classification_type = any(${SHUTDOWN_CLASSES}), false)
            and not event.alarm_id = any(covering.alarm_ids))
        order by event.id, covering.id`,
  );
}
