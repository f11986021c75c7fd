import { isoDateTime } from '../../../runtime/index.ts';
import { run, type Sql, sql, type Transaction } from '../../../storage/index.ts';
import type { RaisedEvent, Step, Told } from '../step.ts';

/** Rows as JSON, a parameter for however many there are. */
export function records(rows: readonly object[]): Sql {
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given`;
}

/** A column of epoch milliseconds as a time, exact to the millisecond. */
export function at(column: string): Sql {
  return sql`timestamptz 'epoch' + ${sql.ref(column)} * interval '1 millisecond'`;
}

export async function storeEvents(tx: Transaction, step: Step, now: number): Promise<void> {
  await clearEvents(tx, step);
  await insertEvents(tx, step.raised, now);
}

/** The lines of the log, and what others are to be told. */
export async function tellOfEvents(tx: Transaction, { told }: Step, now: number): Promise<void> {
  await insertLog(tx, told, now);
  await insertNotices(tx, told, now);
}

async function clearEvents(tx: Transaction, { cleared }: Step): Promise<void> {
  if (cleared.length === 0) return;
  await run(
    tx,
    sql`update alarm_events set cleared_at = ${at('clearedAt')}, cleared_value = "clearedValue",
          cleared_reason = "clearedReason", revision = revision + 1
        from ${records(cleared)} ("organizationId" uuid, "eventId" uuid, "clearedAt" bigint,
          "clearedValue" jsonb, "clearedReason" text)
        where alarm_events.organization_id = "organizationId" and alarm_events.id = "eventId"`,
  );
}

/** With everything as it is now. An event that is there is the same occurrence, told anew. */
async function insertEvents(
  tx: Transaction,
  raised: readonly RaisedEvent[],
  now: number,
): Promise<void> {
  if (raised.length === 0) return;
  const rows = raised.map(({ cleared, ...event }) => ({ ...event, ...cleared }));
  await run(
    tx,
    sql`insert into alarm_events (organization_id, id, alarm_id, alarm_name, alarm_name_folded,
          severity, operator, threshold, device_id, device_name, variable_id, variable_name,
          asset_ids, location_id, location_ids, alarm_group_id, raised_at, raised_value,
          cleared_at, cleared_value, cleared_reason, is_acknowledgeable, is_shelved)
        select "organizationId", "eventId", alarms.id, alarms.name, alarms.name_folded,
          alarms.severity, alarms.operator,
          coalesce(to_jsonb(alarms.threshold_number), to_jsonb(alarms.threshold_string),
            to_jsonb(alarms.threshold_boolean)),
          devices.id, devices.name, variables.id, variables.name, bound.asset_ids,
          devices.location_id, array_remove(devices.location_id || bound.location_ids, null),
          alarms.alarm_group_id, ${at('raisedAt')}, "raisedValue", ${at('clearedAt')},
          "clearedValue", "clearedReason", alarms.is_acknowledgeable,
          coalesce(alarms.shelved_until > ${isoDateTime(now)}, false)
        from ${records(rows)} ("organizationId" uuid, "alarmId" uuid, "eventId" uuid,
          "raisedAt" bigint, "raisedValue" jsonb, "clearedAt" bigint, "clearedValue" jsonb,
          "clearedReason" text)
        join alarms on alarms.organization_id = "organizationId" and alarms.id = "alarmId"
        join devices
          on devices.organization_id = "organizationId" and devices.id = alarms.device_id
        join variables
          on variables.organization_id = "organizationId" and variables.id = alarms.variable_id
        cross join lateral (
          select coalesce(array_agg(assets.id order by assets.id), '{}') as asset_ids,
            coalesce(array_agg(assets.location_id), '{}') as location_ids
          from asset_variables join assets
            on assets.organization_id = asset_variables.organization_id
            and assets.id = asset_variables.asset_id
          where asset_variables.organization_id = "organizationId"
            and asset_variables.variable_id = alarms.variable_id) bound
        on conflict (organization_id, id) do update set cleared_at = excluded.cleared_at,
          cleared_value = excluded.cleared_value, cleared_reason = excluded.cleared_reason,
          revision = alarm_events.revision + 1`,
  );
}

/**
 * Lines of one organization are numbered in the order in which they commit: whoever writes some
 * waits for whoever wrote before. Otherwise a reader could pass a number that is not there yet.
 */
export async function queueForLog(
  tx: Transaction,
  organizationIds: readonly string[],
): Promise<void> {
  const ids = [...new Set(organizationIds)].sort();
  for (const id of ids) {
    await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`alarm log ${id}`}, 0))`);
  }
}

async function insertLog(tx: Transaction, told: readonly Told[], now: number): Promise<void> {
  const rows = told.map((line, index) => ({ ...line, index }));
  await queueForLog(
    tx,
    told.map(({ organizationId }) => organizationId),
  );
  await run(
    tx,
    sql`insert into alarm_event_log (organization_id, event_id, kind, at, recorded_at, detail)
        select "organizationId", "eventId", kind, ${at('at')}, ${isoDateTime(now)}, detail
        from ${records(rows)} ("organizationId" uuid, "eventId" uuid, kind text, at bigint,
          detail text, index integer)
        order by index`,
  );
}

/** Nobody is told while an alarm is shelved, nor of the end of what nobody was told of. */
async function insertNotices(tx: Transaction, told: readonly Told[], now: number): Promise<void> {
  await run(
    tx,
    sql`insert into notification_outbox (id, organization_id, event_id, kind, created_at)
        select "noticeId", "organizationId", "eventId", lower(kind), ${isoDateTime(now)}
        from ${records(told)} ("organizationId" uuid, "alarmId" uuid, "eventId" uuid, kind text,
          "noticeId" uuid)
        where not (select is_shelved from alarm_events
                   where organization_id = "organizationId" and id = "eventId")
          and coalesce((select shelved_until <= ${isoDateTime(now)} from alarms
                        where organization_id = "organizationId" and id = "alarmId"), true)
        on conflict (id) do nothing`,
  );
}
