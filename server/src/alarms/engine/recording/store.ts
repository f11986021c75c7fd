import { isoDateTime } from '../../../runtime/index.ts';
import { type Sql, sql } from '../../../storage/index.ts';
import type { Value } from '../../judgement/index.ts';
import { announcedLogWriter } from '../../log-order/index.ts';
import type { ClearedEvent, LogEntry, RaisedEvent, WatchUpdate } from '../watch-update.ts';

/**
 * Rows as one array for each column, a parameter each however many rows there are. PostgreSQL sees
 * their number, and plans for it.
 */
export function given(columns: Readonly<Record<string, Sql>>): Sql {
  const names = Object.keys(columns).map((name) => sql.identifier(name));
  return sql`unnest(${sql.join(Object.values(columns))}) as given (${sql.join(names)})`;
}

/** A value as JSON; null for none. */
export function jsonOrNull(value: Value | null | undefined): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** A column of epoch milliseconds as a time, exact to the millisecond. */
export function at(column: string): Sql {
  return sql`timestamptz 'epoch' + ${sql.identifier(column)} * interval '1 millisecond'`;
}

export function* eventStatements(update: WatchUpdate, now: number): Generator<Sql, void> {
  if (update.cleared.length > 0) yield clearedEvents(update.cleared);
  if (update.raised.length > 0) yield insertedEvents(update.raised, now);
}

/**
 * The notifications and the entries of the log, after the events are stored. The log is last: from
 * here to the commit, subscribers wait for what others add to it.
 */
export function* logStatements({ logEntries }: WatchUpdate, now: number): Generator<Sql, void> {
  yield insertedNotices(logEntries, now);
  yield insertedLog(logEntries, now);
}

function clearedEvents(cleared: readonly ClearedEvent[]): Sql {
  return sql`update alarm_events set cleared_at = ${at('clearedAt')}, cleared_value = "clearedValue",
          cleared_reason = "clearedReason", revision = revision + 1
        from ${given({
          organizationId: sql`${cleared.map((each) => each.organizationId)}::uuid[]`,
          eventId: sql`${cleared.map((each) => each.eventId)}::uuid[]`,
          clearedAt: sql`${cleared.map((each) => each.clearedAt)}::bigint[]`,
          clearedValue: sql`${cleared.map((each) => jsonOrNull(each.clearedValue))}::jsonb[]`,
          clearedReason: sql`${cleared.map((each) => each.clearedReason)}::text[]`,
        })}
        where alarm_events.organization_id = "organizationId" and alarm_events.id = "eventId"`;
}

/** Copies names and settings as they are now. An event that exists is the same occurrence. */
function insertedEvents(raised: readonly RaisedEvent[], now: number): Sql {
  return sql`insert into alarm_events (organization_id, id, alarm_id, alarm_name, alarm_name_folded,
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
        from ${given({
          organizationId: sql`${raised.map((each) => each.organizationId)}::uuid[]`,
          alarmId: sql`${raised.map((each) => each.alarmId)}::uuid[]`,
          eventId: sql`${raised.map((each) => each.eventId)}::uuid[]`,
          raisedAt: sql`${raised.map((each) => each.raisedAt)}::bigint[]`,
          raisedValue: sql`${raised.map((each) => jsonOrNull(each.raisedValue))}::jsonb[]`,
          clearedAt: sql`${raised.map((each) => each.cleared?.clearedAt ?? null)}::bigint[]`,
          clearedValue: sql`${raised.map((each) => jsonOrNull(each.cleared?.clearedValue))}::jsonb[]`,
          clearedReason: sql`${raised.map((each) => each.cleared?.clearedReason ?? null)}::text[]`,
        })}
        cross join lateral (select * from alarms
          where organization_id = "organizationId" and id = "alarmId" offset 0) alarms
        join lateral (select * from devices where id = alarms.device_id offset 0) devices
          on devices.organization_id = "organizationId"
        cross join lateral (select id, name from variables
          where organization_id = "organizationId" and id = alarms.variable_id offset 0) variables
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
          revision = alarm_events.revision + 1`;
}

function insertedLog(logEntries: readonly LogEntry[], now: number): Sql {
  return sql`with announced as materialized (
          ${announcedLogWriter(logEntries.map((line) => line.organizationId))})
        insert into alarm_event_log (organization_id, event_id, kind, at, recorded_at, detail)
        select "organizationId", "eventId", kind, ${at('at')}, ${isoDateTime(now)}, detail
        from ${given({
          organizationId: sql`${logEntries.map((each) => each.organizationId)}::uuid[]`,
          eventId: sql`${logEntries.map((each) => each.eventId)}::uuid[]`,
          kind: sql`${logEntries.map((each) => each.kind)}::text[]`,
          at: sql`${logEntries.map((each) => each.at)}::bigint[]`,
          detail: sql`${logEntries.map((each) => each.detail)}::text[]`,
          index: sql`${logEntries.map((_, index) => index)}::integer[]`,
        })} cross join announced
        order by index`;
}

/** Whether members of the organization receive notifications in browsers. */
const hasBrowsers = sql`exists (select 1 from web_push_subscriptions push
            where push.organization_id = "organizationId")`;

/**
 * Nothing is sent while an Alarm is shelved, nor at the end of an event that was raised meanwhile.
 * An Alarm without a group has no recipients but the browsers of members.
 */
function insertedNotices(logEntries: readonly LogEntry[], now: number): Sql {
  return sql`insert into notification_outbox (id, organization_id, event_id, kind, created_at)
        select "notificationId", "organizationId", "eventId", lower(kind), ${isoDateTime(now)}
        from ${given({
          organizationId: sql`${logEntries.map((each) => each.organizationId)}::uuid[]`,
          alarmId: sql`${logEntries.map((each) => each.alarmId)}::uuid[]`,
          eventId: sql`${logEntries.map((each) => each.eventId)}::uuid[]`,
          kind: sql`${logEntries.map((each) => each.kind)}::text[]`,
          notificationId: sql`${logEntries.map((each) => each.notificationId)}::uuid[]`,
        })}
        cross join lateral (select is_shelved, alarm_group_id from alarm_events
          where organization_id = "organizationId" and id = "eventId" offset 0) events
        where not events.is_shelved and (events.alarm_group_id is not null or ${hasBrowsers})
          and coalesce((select shelved_until <= ${isoDateTime(now)} from alarms
            where organization_id = "organizationId" and id = "alarmId"), true)
        on conflict (id) do nothing`;
}
