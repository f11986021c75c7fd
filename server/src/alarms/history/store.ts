import type { Severity } from '@fieldwatch/contract';
import { fold, isoDateTime, isUuid } from '../../runtime/index.ts';
import {
  all,
  among,
  contains,
  type Page,
  type PageRequest,
  page,
  type Queries,
  run,
  type Sql,
  sql,
  type Transaction,
} from '../../storage/index.ts';
import { eventsBySpan } from '../event-span.ts';
import { announcedLogWriter } from '../log-order/index.ts';
import type { EventRow, NoteRow, TimelineRow } from './event.ts';

export const EVENT_COLUMNS = sql`id, alarm_id as "alarmId", alarm_name as "alarmName", severity, operator,
  threshold, device_id as "deviceId", device_name as "deviceName",
  variable_id as "deviceVariableId", variable_name as "deviceVariableName",
  asset_ids as "assetIds", location_id as "locationId", alarm_group_id as "alarmGroupId",
  raised_at as "raisedAt", raised_value as "raisedValue",
  cleared_at as "clearedAt", cleared_value as "clearedValue", cleared_reason as "clearedReason",
  is_acknowledgeable as "isAcknowledgeable", acknowledged_at as "acknowledgedAt",
  acknowledged_by as "acknowledgedBy", is_shelved as "isShelved",
  suppression_kind as "suppressionKind", suppression_id as "suppressionId", revision`;

const NEWEST_FIRST = sql`raised_at desc, id desc`;

/** Pages are ordered by when an event was raised, which they know as its creation. */
type ListedRow = EventRow & { readonly createdAt: number };

/** Filters are joined by AND, values within one by OR; an empty list filters nothing. */
export interface EventFilter {
  readonly startTime: number;
  readonly endTime: number;
  readonly severities: readonly Severity[];
  readonly deviceVariableIds: readonly string[];
  readonly assetIds: readonly string[];
  readonly locationIds: readonly string[];
  readonly alarmGroupIds: readonly string[];
  readonly search: string;
}

/** Exact to the millisecond, and good for every time that the interface takes. */
function time(epochMs: number): Sql {
  return sql`(timestamptz 'epoch' + ${epochMs}::bigint * interval '1 millisecond')`;
}

function overlaps(column: Sql, ids: readonly string[]): Sql | undefined {
  if (ids.length === 0) return undefined;
  // The index leaves empty ones out, and serves only who says so too.
  return sql`${column} && ${ids.filter(isUuid)}::uuid[] and ${column} <> '{}'`;
}

function matching(organizationId: string, filter: EventFilter): Sql {
  const { startTime, endTime, severities } = filter;
  return all([
    eventsBySpan(organizationId, sql`&& tstzrange(${time(startTime)}, ${time(endTime)}, '[]')`),
    severities.length === 0 ? undefined : sql`severity = any(${severities})`,
    among(sql`alarm_group_id`, filter.alarmGroupIds),
  ]);
}

/** The names that events were raised under stand apart, each once for its alarm. */
function named(organizationId: string, name: Sql | undefined): Sql | undefined {
  return (
    name &&
    sql`(alarm_id, alarm_name_folded) in (select names.alarm_id, names.name_folded
        from alarm_event_names names where names.organization_id = ${organizationId} and ${name})`
  );
}

/** What only few rows have, so that finding those first is better than walking from the newest. */
function searched(organizationId: string, filter: EventFilter): Sql | undefined {
  const { search, deviceVariableIds, assetIds, locationIds } = filter;
  const given = [
    named(organizationId, contains(sql`name_folded`, fold(search))),
    among(sql`variable_id`, deviceVariableIds),
    overlaps(sql`asset_ids`, assetIds),
    overlaps(sql`location_ids`, locationIds),
  ].filter((condition) => condition !== undefined);
  return given.length === 0 ? undefined : all(given);
}

export function listEvents(
  db: Queries,
  organizationId: string,
  filter: EventFilter,
  request: PageRequest,
): Promise<Page<EventRow>> {
  return page<ListedRow>(
    db,
    {
      columns: sql`${EVENT_COLUMNS}, raised_at as "createdAt"`,
      from: sql`alarm_events`,
      where: matching(organizationId, filter),
      search: searched(organizationId, filter),
      order: NEWEST_FIRST,
    },
    request,
  );
}

/** In no order; what does not exist is left out. */
export function findEvents(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<EventRow[]> {
  return run(
    db,
    sql`select ${EVENT_COLUMNS} from alarm_events
        where organization_id = ${organizationId} and ${among(sql`id`, ids) ?? sql`false`}`,
  );
}

export function lockEvents(
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<EventRow[]> {
  return run(
    tx,
    sql`select ${EVENT_COLUMNS} from alarm_events
        where organization_id = ${organizationId} and ${among(sql`id`, ids) ?? sql`false`}
        order by id for no key update`,
  );
}

export function listNotes(
  db: Queries,
  organizationId: string,
  eventIds: readonly string[],
): Promise<NoteRow[]> {
  return run(
    db,
    sql`select id, event_id as "eventId", text, author, created_at as "createdAt"
        from alarm_event_notes
        where organization_id = ${organizationId}
          and ${among(sql`event_id`, eventIds) ?? sql`false`}
        order by created_at, id`,
  );
}

export async function listTimeline(
  db: Queries,
  organizationId: string,
  eventId: string,
  request: PageRequest,
): Promise<Page<TimelineRow>> {
  return page(
    db,
    {
      columns: sql`kind, at, recorded_at as "recordedAt", actor, detail`,
      from: sql`alarm_event_log`,
      where: sql`organization_id = ${organizationId} and event_id = ${eventId}`,
      order: sql`number`,
    },
    request,
  );
}

/** Names an event across organizations. */
export interface EventName {
  readonly organizationId: string;
  readonly eventId: string;
}

/** Events of any organizations with their notes; those that do not exist are left out. */
export function listNamedEvents(
  db: Queries,
  names: readonly EventName[],
): Promise<(EventRow & { readonly notes: readonly NoteRow[] })[]> {
  return run(
    db,
    sql`select event.*, noted.notes
        from json_to_recordset(${JSON.stringify(names)}) as wanted
          ("organizationId" uuid, "eventId" uuid)
        cross join lateral (select ${EVENT_COLUMNS} from alarm_events
          where organization_id = "organizationId" and id = "eventId" offset 0) event
        cross join lateral (${notesOf(sql`"organizationId"`, sql`"eventId"`)}) noted`,
  );
}

/** The notes of one event as JSON, oldest first. */
export function notesOf(organizationId: Sql, eventId: Sql): Sql {
  return sql`select coalesce(json_agg(json_build_object('id', id, 'eventId', event_id,
      'text', text, 'author', author,
      'createdAt', (extract(epoch from created_at) * 1000)::bigint)
      order by created_at, id), '[]') as notes
    from alarm_event_notes
    where organization_id = ${organizationId} and event_id = ${eventId}`;
}

/** Something that a person did to events. */
export interface Deed {
  readonly eventIds: readonly string[];
  readonly actor: string;
  readonly now: number;
}

export async function acknowledge(
  tx: Transaction,
  organizationId: string,
  { eventIds, actor, now }: Deed,
): Promise<void> {
  await run(
    tx,
    sql`update alarm_events set acknowledged_at = ${isoDateTime(now)}, acknowledged_by = ${actor},
          revision = revision + 1
        where organization_id = ${organizationId} and id = any(${eventIds}::uuid[])`,
  );
}

/** Nobody is notified while an alarm is shelved. */
export async function insertAcknowledgedNotices(
  tx: Transaction,
  organizationId: string,
  notices: readonly { readonly id: string; readonly eventId: string }[],
  now: number,
): Promise<void> {
  const at = isoDateTime(now);
  await run(
    tx,
    sql`insert into notification_outbox (id, organization_id, event_id, kind, created_at)
        select notices.id, ${organizationId}, event.id, 'acknowledged', ${at}
        from unnest(${notices.map(({ id }) => id)}::uuid[],
          ${notices.map(({ eventId }) => eventId)}::uuid[]) as notices (id, event_id)
        join alarm_events event on event.organization_id = ${organizationId}
          and event.id = notices.event_id and not event.is_shelved
          and (event.alarm_group_id is not null or exists (select 1 from web_push_subscriptions push
            where push.organization_id = ${organizationId}))
        left join alarms on alarms.organization_id = ${organizationId}
          and alarms.id = event.alarm_id
        where alarms.shelved_until is null or alarms.shelved_until <= ${at}
        on conflict (id) do nothing`,
  );
}

export interface NewNote {
  readonly id: string;
  readonly eventId: string;
  readonly text: string;
}

export async function insertNotes(
  tx: Transaction,
  organizationId: string,
  notes: readonly NewNote[],
  { actor, now }: Omit<Deed, 'eventIds'>,
): Promise<void> {
  const eventIds = notes.map(({ eventId }) => eventId);
  await run(
    tx,
    sql`update alarm_events set revision = revision + 1
        where organization_id = ${organizationId} and id = any(${eventIds}::uuid[])`,
  );
  await run(
    tx,
    sql`insert into alarm_event_notes (organization_id, id, event_id, text, author, created_at)
        select ${organizationId}, id, event_id, text, ${actor}, ${isoDateTime(now)}
        from unnest(${notes.map(({ id }) => id)}::uuid[],
          ${eventIds}::uuid[], ${notes.map(({ text }) => text)}::text[]) as notes (id, event_id, text)`,
  );
}

export async function insertLog(
  tx: Transaction,
  organizationId: string,
  kind: 'ACKNOWLEDGED' | 'NOTE',
  { eventIds, actor, now, detail }: Deed & { readonly detail: string | null },
): Promise<void> {
  const at = isoDateTime(now);
  await run(
    tx,
    sql`with announced as materialized (${announcedLogWriter([organizationId])})
        insert into alarm_event_log (organization_id, event_id, kind, at, recorded_at, actor,
          detail)
        select ${organizationId}, id, ${kind}, ${at}, ${at}, ${actor}, ${detail}
        from unnest(${eventIds}::uuid[]) as events (id) cross join announced`,
  );
}
